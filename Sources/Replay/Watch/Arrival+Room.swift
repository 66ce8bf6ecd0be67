import RoomEngine
import RoomModel

extension Arrival {
  /// - Parameter before: the room before it happened.
  init(of retract: Retract, _ before: RoomPicture, at: LogTime, partitionName: String) {
    // A view that leaves after it was taken back has nothing left to be shown.
    let combos = before.combos
    let wishes = before.flying + before.wishQueue
    let spots = before.spots(at: at)
    switch retract.what {
    case .wish(let id):
      self = .retract(combos: [], wishes: wishes.filter { $0.wishId.utf8.elementsEqual(id.bytes) }, spots: [])
    case .combo(let id):
      self = .retract(
        combos: combos.filter { "\(partitionName)/\($0.offset)".utf8.elementsEqual(id.bytes) }, wishes: [],
        spots: spots.filter { $0.isOfCombo(id) })
    case .spot(let id):
      self = .retract(combos: [], wishes: [], spots: spots.filter { $0.spotId.utf8.elementsEqual(id.bytes) })
    // Their own commands tell what became of them.
    case .pin, .goal: self = .retract(combos: [], wishes: [], spots: [])
    case .user(let id, _):
      self = .retract(
        combos: combos.filter { $0.userId.utf8.elementsEqual(id.bytes) },
        wishes: wishes.filter { $0.userId.utf8.elementsEqual(id.bytes) },
        spots: spots.filter { $0.userId.utf8.elementsEqual(id.bytes) })
    }
  }

  /// The room ends.
  init(endOf before: RoomPicture, at: LogTime) {
    self = .roomEnd(combos: before.combos, wishes: before.flying + before.wishQueue, spots: before.spots(at: at))
  }
}

extension RoomPicture {
  fileprivate var combos: [ComboPicture] { lanes.compactMap { $0 } + queue + resting }

  /// No timer fires when the time of an item on the spot is over: the picture, of the step before, may have it still.
  fileprivate func spots(at: LogTime) -> [SpotPicture] {
    guard let spot, case .shown(let until) = spot.place, until > at else { return spotQueue }
    return [spot] + spotQueue
  }
}

extension SpotPicture {
  /// Its id is that of the combo, `~` and a tier.
  fileprivate func isOfCombo(_ id: Text) -> Bool {
    guard let end = spotId.utf8.lastIndex(of: UInt8(ascii: "~")) else { return false }
    return spotId.utf8[..<end].elementsEqual(id.bytes)
  }
}

import RoomEngine
import RoomModel

extension Arrival {
  /// Of what happens to a room as a whole.
  ///
  /// - Parameter before: the room before it happened.
  init(of event: RoomEvent, _ before: RoomPicture, partitionName: String) {
    // A combo that leaves after it was taken back has nothing left to be shown.
    let combos = before.lanes.compactMap { $0 } + before.queue + before.resting
    let wishes = before.flying + before.line
    switch event.body {
    case .retract(let retract):
      switch retract.what {
      case .wish(let id):
        self = .retract(combos: [], wishes: wishes.filter { $0.wishId.utf8.elementsEqual(id.bytes) })
      case .combo(let id):
        self = .retract(
          combos: combos.filter { "\(partitionName)/\($0.offset)".utf8.elementsEqual(id.bytes) }, wishes: [])
      case .user(let id, _):
        self = .retract(
          combos: combos.filter { $0.userId.utf8.elementsEqual(id.bytes) },
          wishes: wishes.filter { $0.userId.utf8.elementsEqual(id.bytes) })
      }
    case .roomEnd: self = .roomEnd(combos: combos, wishes: wishes)
    default: self = .roomSettings(before: before.own)
    }
  }
}

import RoomEngine
import RoomModel

/// The items that a retract or a room's end ended, as they were before.
struct RemovedItems {
  private(set) var combos: [ComboPicture] = []
  private(set) var wishes: [WishPicture] = []
  private(set) var spots: [SpotPicture] = []
  private(set) var pins: [PinPicture] = []
  private(set) var goals: [GoalPicture] = []
  /// Crowds that no longer name a user, by their offsets.
  private(set) var crowds: [Int64] = []

  init(of decisions: some Sequence<Decision>, _ before: RoomPicture) {
    for decision in decisions {
      switch decision {
      case .removed(let item, _): add(item, before)
      case .unnamed(let crowd): crowds.append(crowd)
      default: break
      }
    }
  }

  private mutating func add(_ item: Decision.Removed, _ before: RoomPicture) {
    func isOne(_ id: String) -> Bool { id.utf8.elementsEqual(item.id.bytes) }
    switch item.kind {
    case .combo:
      let places = [before.lanes.compactMap { $0 }, before.queue, before.resting].joined()
      combos += places.filter { $0.offset == item.offset }
    case .wish: wishes += [before.flying, before.wishQueue].joined().filter { isOne($0.wishId) }
    case .spot: spots += ([before.spot].compactMap { $0 } + before.spotQueue).filter { isOne($0.spotId) }
    case .pin: pins += before.pins.filter { isOne($0.pinId) }
    case .goal: goals += before.goals.filter { isOne($0.goalId) }
    }
  }
}

import RoomEngine
import RoomModel

/// The items that a retract or a room's end ended, as they were before.
struct RemovedItems {
  private(set) var combos: [ComboPicture] = []
  private(set) var wishes: [WishPicture] = []
  private(set) var spots: [SpotPicture] = []

  init(of decisions: some Sequence<Decision>, _ before: RoomPicture) {
    for case .removed(let item, _) in decisions {
      switch item.stage {
      case .gift:
        let places = [before.lanes.compactMap { $0 }, before.queue, before.resting].joined()
        combos += places.filter { $0.offset == item.offset }
      case .wish:
        wishes += [before.flying, before.wishQueue].joined().filter { $0.wishId.utf8.elementsEqual(item.id.bytes) }
      // Its own command tells what became of a pin.
      case .pin: break
      case .spot:
        spots += ([before.spot].compactMap { $0 } + before.spotQueue)
          .filter { $0.spotId.utf8.elementsEqual(item.id.bytes) }
      }
    }
  }
}

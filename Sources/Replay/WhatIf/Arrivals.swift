import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// Arrival times of queued combos and wishes that were never drawn. Some that are no longer queued stay until the
/// next look.
struct Arrivals {
  private struct Combo: Hashable {
    var partition: Int
    var offset: Int64
  }

  private struct WishName: Hashable {
    var partition: Int
    var room: ID
    var wish: ID
  }

  private var combos: [Combo: (at: LogTime, room: ID)] = [:]
  private var wishes: [WishName: (at: LogTime, waitEndsAt: LogTime)] = [:]
  private var mostBeforeLook = 10_000

  /// The event was applied.
  mutating func add(_ event: RoomEvent, offset: Int64, at time: LogTime, number: Int, in partition: PartitionReplay) {
    let queued = partition.engine.queueLengths(of: event.roomId)
    switch event.body {
    case .gift where queued.combos > 0:
      combos[Combo(partition: number, offset: offset)] = (time, ID(event.roomId))
    case .wish(let wish) where queued.wishes > 0:
      let place = partition.engine.wish(of: event.roomId, id: wish.wishId)?.place
      guard case .queued(let waitEndsAt)? = place else { return }
      let name = WishName(partition: number, room: ID(event.roomId), wish: ID(wish.wishId))
      // The same wait: this wish came again, and was ignored.
      if let before = wishes[name], before.waitEndsAt == waitEndsAt { return }
      wishes[name] = (time, waitEndsAt)
    // No other kind has a queue whose waits are counted.
    default: return
    }
    if combos.count + wishes.count > mostBeforeLook { look(number: number, partition) }
  }

  /// Forgets what is queued no longer.
  private mutating func look(number: Int, _ partition: PartitionReplay) {
    var queues: [ID: (combos: Set<Int64>, wishes: Set<ID>)] = [:]
    func queue(_ room: ID) -> (combos: Set<Int64>, wishes: Set<ID>) {
      if let known = queues[room] { return known }
      let picture = room.withText { partition.engine.picture(of: $0) }
      queues[room] = (Set(picture.queue.map(\.offset)), Set(picture.wishQueue.map { ID($0.wishId) }))
      return queues[room]!
    }
    combos = combos.filter { $0.key.partition != number || queue($0.value.room).combos.contains($0.key.offset) }
    wishes = wishes.filter { $0.key.partition != number || queue($0.key.room).wishes.contains($0.key.wish) }
    mostBeforeLook = 2 * (combos.count + wishes.count) + 10_000
  }

  /// Returns the arrival of a combo that is drawn for the first time; nil: it was drawn or arrived before.
  mutating func takeCombo(_ offset: Int64, number: Int) -> LogTime? {
    combos.removeValue(forKey: Combo(partition: number, offset: offset))?.at
  }

  mutating func takeWish(_ wish: Text, room: Text, number: Int) -> LogTime? {
    wishes.removeValue(forKey: WishName(partition: number, room: ID(room), wish: ID(wish)))?.at
  }
}

import Kafka
import Platform
import Probes
import RoomEngine
import Synchronization

/// Figures of a worker's members, added up for its metrics.
final class MemberFigures: Sendable {
  struct Seen {
    var rooms = 0
    var liveRooms = 0
    var queued = QueuedItems()
    /// Commands a second of the room that makes the most.
    var loudest: Int64 = 0
    var phases: [Member.Phase: Int] = [:]
    /// The most by which a partition's log time is ahead of this clock, in milliseconds.
    var aheadMs: Int64 = 0
    /// Records that a restore has still to read.
    var toRestore: Int64 = 0
  }

  private let members = Mutex<[Int: Seen]>([:])

  init(_ registry: Metrics) {
    for phase in Member.Phase.allCases {
      registry.gauge(
        "flyscreen_partitions", "Partitions that the group gave this worker, by phase.",
        [("phase", phase.rawValue)]
      ) { [weak self] in Double(self?.sum { $0.phases[phase] ?? 0 } ?? 0) }
    }
    registry.gauge("flyscreen_rooms", "Rooms in memory.") { [weak self] in Double(self?.sum(\.rooms) ?? 0) }
    registry.gauge("flyscreen_rooms_live", "Rooms with something on the screen, or something that waits for it.") {
      [weak self] in Double(self?.sum(\.liveRooms) ?? 0)
    }
    registerQueues(registry)
    registry.gauge(
      "flyscreen_loudest_room_commands_per_second",
      "Commands a second of the room that makes the most, over ten seconds; from 100 on the log names it."
    ) { [weak self] in
      self?.members.withLock { Double($0.values.map(\.loudest).max() ?? 0) } ?? 0
    }
    registry.gauge(
      "flyscreen_restore_remaining_records", "Records that restores have still to read, as far as is known."
    ) {
      [weak self] in Double(self?.sum { Int($0.toRestore) } ?? 0)
    }
    registry.gauge(
      "flyscreen_log_ahead_seconds", "Lead of a partition's log time over the clock here; of the largest."
    ) { [weak self] in
      self?.members.withLock { Double($0.values.map(\.aheadMs).max() ?? 0) / 1000 } ?? 0
    }
  }

  private func registerQueues(_ registry: Metrics) {
    func register(
      _ stage: String, all: @escaping @Sendable (QueuedItems) -> Int, most: @escaping @Sendable (QueuedItems) -> Int
    ) {
      registry.gauge(
        "flyscreen_queued_items", "Combos, wishes and items of the spot that wait to be drawn.", [("stage", stage)]
      ) {
        [weak self] in self.map { Double(all($0.queued)) } ?? 0
      }
      registry.gauge("flyscreen_queue_longest_items", "The same in the room where most wait.", [("stage", stage)]) {
        [weak self] in self.map { Double(most($0.queued)) } ?? 0
      }
    }
    register("gift", all: \.gifts, most: \.mostGifts)
    register("wish", all: \.wishes, most: \.mostWishes)
    register("spot", all: \.spots, most: \.mostSpots)
  }

  private var queued: QueuedItems {
    members.withLock { $0.values.reduce(into: QueuedItems()) { $0.add($1.queued) } }
  }

  private func sum(_ number: (Seen) -> Int) -> Int { members.withLock { $0.values.reduce(0) { $0 + number($1) } } }

  func set(_ number: Int, _ seen: Seen) { members.withLock { $0[number] = seen } }
}

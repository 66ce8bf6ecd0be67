import Kafka
import Platform
import Probes
import RoomEngine
import Synchronization

/// The health of a worker's members, and with it the worker's: ready, or the reason why not.
final class MemberStates: Sendable {
  /// Of one member.
  enum Standing: String, CaseIterable {
    case working, restoring, unassigned, resting, stuck
  }

  private struct State {
    var members: [Int: Seen] = [:]
    /// Reasons of members that pause.
    var resting: [Int: Unreadiness] = [:]
    var isReachable = false
    /// The number of members; nil: unknown before a broker has told of the topics.
    var awaited: Int?
  }

  struct Seen {
    var rooms = 0
    var liveRooms = 0
    var queued = QueuedItems()
    /// Commands a second of the room that makes the most.
    var loudest: Int64 = 0
    var standing = Standing.unassigned
    var phases: [Member.Phase: Int] = [:]
    /// The most by which a partition's log time is ahead of this clock, in milliseconds.
    var aheadMs: Int64 = 0
    /// Records that a restore has still to read.
    var toRestore: Int64 = 0
  }

  let watch = MemberWatch()
  private let state = Mutex(State())

  init(_ registry: Metrics) {
    registry.gauge("flyscreen_ready", "1: all members work; 0: some don't.") { [weak self] in
      self.map { $0.unreadiness == nil ? 1 : 0 } ?? 0
    }
    for reason in Unreadiness.Reason.allCases {
      registry.gauge(
        "flyscreen_unready", "1 for the reason why it is not ready, 0 for others.", [("reason", reason.rawValue)]
      ) { [weak self] in self?.unreadiness?.reason == reason ? 1 : 0 }
    }
    registry.gauge("flyscreen_broker_reachable", "1: a broker answers; 0: none does.") { [weak self] in
      self?.state.withLock { $0.isReachable ? 1 : 0 } ?? 0
    }
    for standing in Standing.allCases {
      registry.gauge("flyscreen_members", "Members of this worker, by state.", [("state", standing.rawValue)]) {
        [weak self] in Double(self?.count(standing) ?? 0)
      }
    }
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
      self?.state.withLock { Double($0.members.values.map(\.loudest).max() ?? 0) } ?? 0
    }
    registry.gauge(
      "flyscreen_restore_remaining_records", "Records that restores have still to read, as far as is known."
    ) {
      [weak self] in Double(self?.sum { Int($0.toRestore) } ?? 0)
    }
    registry.gauge(
      "flyscreen_log_ahead_seconds", "Lead of a partition's log time over the clock here; of the largest."
    ) { [weak self] in
      self?.state.withLock { Double($0.members.values.map(\.aheadMs).max() ?? 0) / 1000 } ?? 0
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
    state.withLock { $0.members.values.reduce(into: QueuedItems()) { $0.add($1.queued) } }
  }

  private func sum(_ number: (Seen) -> Int) -> Int {
    state.withLock { $0.members.values.reduce(0) { $0 + number($1) } }
  }

  private func count(_ standing: Standing) -> Int {
    let stuck = Set(watch.stuck(nowMs: MonotonicClock.nowMs()))
    return state.withLock { state in
      (0..<(state.awaited ?? 0)).count { number in
        let now: Standing =
          stuck.contains(number)
          ? .stuck : state.resting[number] != nil ? .resting : state.members[number]?.standing ?? .unassigned
        return now == standing
      }
    }
  }

  func begin(members: Int) { state.withLock { $0.awaited = members } }

  func set(_ number: Int, _ seen: Seen) { state.withLock { $0.members[number] = seen } }

  func setReachable(_ isReachable: Bool) { state.withLock { $0.isReachable = isReachable } }

  /// - Parameter why: it doesn't work, and is tried again after pauses; nil: it works.
  func setResting(_ number: Int, because why: Unreadiness?) { state.withLock { $0.resting[number] = why } }

  /// Nil: they are alive.
  var unhealthiness: String? { watch.unhealthiness(nowMs: MonotonicClock.nowMs()) }

  /// Nil: all members work.
  var unreadiness: Unreadiness? {
    if let why = state.withLock({ $0.resting.min { $0.key < $1.key } })?.value { return why }
    if watch.isStuck(nowMs: MonotonicClock.nowMs()) {
      let isReachable = state.withLock { $0.isReachable }
      return Unreadiness(reason: isReachable ? .stuck : .brokerAway, text: "a member waits for the broker")
    }
    return state.withLock { state in
      guard let awaited = state.awaited else {
        return Unreadiness(
          reason: state.isReachable ? .unassigned : .brokerAway, text: "no broker has told of the topics yet")
      }
      let working = state.members.values.count { $0.standing == .working }
      if working == awaited { return nil }
      let isRestoring = state.members.values.contains { $0.standing == .restoring }
      return Unreadiness(
        reason: !state.isReachable ? .brokerAway : isRestoring ? .restoring : .unassigned,
        text: "\(working) of \(awaited) members work; the others wait for partitions or restore them")
    }
  }
}

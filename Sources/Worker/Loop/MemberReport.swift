import Kafka
import KafkaProbes
import Platform
import Probes
import RoomEngine
import RoomModel

/// Brings a member's metrics up to date from time to time.
struct MemberReport<Clients: MemberClients> {
  private let context: MemberContext<Clients>
  private var updatedAtMs: Int64 = 0
  private var counts = PartitionTask.Counts()
  private var engineCounts = EngineCounts()
  /// The partitions that the group gave it.
  private var partitions: Set<TopicPartition> = []

  private var queued = QueuedItems()
  private var queuedAtMs: Int64 = 0

  private var rooms = HeldMemory(least: 10_000)
  private var eventIds = HeldMemory(least: 1_000_000)

  /// The room that the log named last, by partition.
  private var named: [TopicPartition: String] = [:]

  /// Commands a second from which on the log names a room.
  private static var loudPerSecond: Int64 { 100 }
  private static var everyMs: Int64 { 500 }
  /// The time between two looks at every room: 25,000 rooms take some milliseconds.
  private static var everyRoomMs: Int64 { 5000 }

  init(_ context: MemberContext<Clients>) { self.context = context }

  func isDue(nowMs: Int64) -> Bool { nowMs - updatedAtMs >= Self.everyMs }

  /// - Parameter toRestore: Records that a restore has still to read.
  /// - Returns: whether it has all that the group gave it at work.
  mutating func update(
    _ member: borrowing Member, of consumer: Clients.Consumer, isConnected: Bool, toRestore: Int64, nowMs: Int64
  ) -> Bool {
    updatedAtMs = nowMs
    let metrics = context.metrics
    let counts = member.counts
    metrics.count(counts, since: self.counts)
    self.counts = counts
    let engineCounts = member.scratch.batch.counts
    metrics.count(engineCounts, since: self.engineCounts)
    self.engineCounts = engineCounts
    var seen = MemberFigures.Seen()
    if nowMs - queuedAtMs >= Self.everyRoomMs || member.tasks.isEmpty {
      queuedAtMs = nowMs
      queued = member.tasks.reduce(into: QueuedItems()) { $0.add($1.queued) }
    }
    seen.queued = queued
    let nowMs = context.clients.wallMs()
    for task in member.tasks {
      seen.rooms += task.roomCount
      seen.liveRooms += task.liveRoomCount
      seen.loudest = max(seen.loudest, loudest(task, nowMs: nowMs))
      seen.aheadMs = max(seen.aheadMs, task.clock == .min ? 0 : task.clock - nowMs)
    }
    let ids = member.tasks.reduce(0) { $0 + $1.eventIdCount }
    let isWorthIt = (rooms.hasShrunk(to: seen.rooms), eventIds.hasShrunk(to: ids))
    if isWorthIt.0 || isWorthIt.1 { HeldMemory.giveBack() }
    for setBack in member.resting {
      context.health.raise(
        .setBack(commit: setBack.commit), Unreadiness(.setBack, setBack.text), of: context.number, until: .commit)
    }
    let phases = member.phases
    for (partition, phase) in phases {
      seen.phases[phase, default: 0] += 1
      if phase == .parked { continue }
      partitions.insert(partition)
      metrics.lag.worksOn(partition, behindSinceMs: behindSinceMs(member.task(partition), consumer))
    }
    for partition in partitions where phases[partition] == nil || phases[partition] == .parked {
      partitions.remove(partition)
      metrics.lag.left(partition)
    }
    let isReady = member.isSettled && (isConnected || !member.hasPartitions)
    seen.toRestore = toRestore
    metrics.figures.set(context.number, seen)
    set(isReady ? .working : member.isAssigned && member.isRestoring ? .restoring : .unassigned)
    return isReady
  }

  private func set(_ state: Health.State) {
    context.health.change { health, _ in health.set(state, of: context.number) }
  }

  /// Commands a second of the room of a partition that makes the most. If they are many, the log names the room.
  private mutating func loudest(_ task: PartitionTask, nowMs: Int64) -> Int64 {
    let loudest = task.loudest
    // Nothing ends a span where no more commands come.
    let isOver = task.isAtEnd && nowMs - loudest.spanEnd > 2 * LoudestRoom.spanMs
    let perSecond = isOver ? 0 : loudest.perSecond
    let room = perSecond >= Self.loudPerSecond ? String(decoding: loudest.room, as: UTF8.self) : nil
    guard let room else {
      if named.removeValue(forKey: task.partition) != nil {
        context.log.info(
          "no room of the partition makes more than \(Self.loudPerSecond) commands a second any more",
          .topic(task.partition.topic), .partition(task.partition.partition))
      }
      return perSecond
    }
    if named.updateValue(room, forKey: task.partition) != room {
      context.log.warning(
        "a room makes many commands; look at its own settings (roomSettings)", .room(room),
        .commandsPerSecond(perSecond),
        .topic(task.partition.topic), .partition(task.partition.partition))
    }
    return perSecond
  }

  /// The time of the last record that was processed, if there are more.
  private func behindSinceMs(_ task: PartitionTask?, _ consumer: Clients.Consumer) -> Int64? {
    guard let task, !task.isAtEnd, task.clock != .min, let end = consumer.cachedEnd(of: task.partition),
      end > task.nextOffset
    else { return nil }
    return task.clock
  }

  /// The member works no more.
  mutating func end() {
    for partition in partitions { context.metrics.lag.left(partition) }
    partitions = []
    context.metrics.figures.set(context.number, .init())
    set(.unassigned)
    context.metrics.groupClients.remove(context.number)
    for turn in ProducerTurn.allCases { context.metrics.producers.remove(context.producerNumber(turn)) }
  }
}

import Kafka

/// What a member's metrics show of it, brought up to date from time to time.
struct MemberReport {
  private let context: MemberContext
  private var updatedAtMs: Int64 = 0
  private var counts = PartitionTask.Counts()
  /// Those whose lag is shown.
  private var partitions: Set<TopicPartition> = []

  private static let everyMs: Int64 = 500

  init(_ context: MemberContext) { self.context = context }

  func isDue(nowMs: Int64) -> Bool { nowMs - updatedAtMs >= Self.everyMs }

  /// - Returns: whether it has all that the group gave it at work.
  mutating func update(
    _ member: borrowing Member, of consumer: borrowing GroupConsumer, isConnected: Bool, nowMs: Int64
  ) -> Bool {
    updatedAtMs = nowMs
    let metrics = context.metrics
    let counts = member.counts
    metrics.count(counts, since: self.counts)
    self.counts = counts
    var rooms = 0
    var reported: Set<TopicPartition> = []
    for task in member.tasks {
      rooms += task.roomCount
      reported.insert(task.partition)
      if let end = consumer.cachedEnd(of: task.partition) {
        metrics.setLag(max(0, end - task.nextOffset), of: task.partition)
      }
    }
    for partition in partitions.subtracting(reported) { metrics.removeLag(of: partition) }
    partitions = reported
    let isReady = member.isSettled && isConnected
    metrics.setMember(context.number, rooms: rooms, isReady: isReady)
    return isReady
  }

  /// The member works no more.
  mutating func end() {
    for partition in partitions { context.metrics.removeLag(of: partition) }
    partitions = []
    context.metrics.setMember(context.number, rooms: 0, isReady: false)
  }
}

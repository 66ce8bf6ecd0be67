import Kafka
import Settings

/// Asks brokers for what a restore begins with: the partitions of topics, the leaders of logs, and the group's committed
/// offsets. Its calls block.
struct RestoreStart<Clients: MemberClients> {
  private let context: MemberContext<Clients>
  private var growth: InputGrowth<Clients>
  /// The offsets at which this member began the group. They are not asked for: the answer would wait for the markers of
  /// their transaction, which a broker may lose, and an embedded broker doesn't know of them.
  private var begun: [TopicPartition: Member.Commit.Offset] = [:]

  init(_ context: MemberContext<Clients>) {
    self.context = context
    growth = InputGrowth(context)
  }

  /// The group begins there, by a commit of this member's.
  mutating func began(_ begin: GroupBeginning) {
    for offset in begin.offsets { begun[offset.partition] = offset }
  }

  mutating func forgetBegun() { begun = [:] }

  /// - Parameters:
  ///   - writable: The number of an input's partitions for which the producers know a changelog, a journal and dead letters.
  ///   - tell: Gets the answers, also those before an error.
  /// - Returns: Partitions that no answer tells of, since topics beside the input have too few partitions; nil: all have to
  ///   be asked for again.
  mutating func ask(
    for partitions: [TopicPartition], _ consumer: Clients.Consumer, writable: [String: Int32], nowMs: Int64,
    tell: (Member.RestoreEvent) -> Void
  ) throws(KafkaError) -> [TopicPartition]? {
    let layout = try growth.look(consumer)
    tell(.topics(layout))
    guard growth.isCovered(by: writable, nowMs: nowMs) else {
      tell(.producersOutdated)
      return nil
    }
    let placed = partitions.filter { $0.partition < layout.workable($0.topic) }
    let leaderless = try findLeaderless(placed, consumer)
    let ready = placed.filter { leaderless[$0] == nil }
    var found = try committed(of: ready, from: consumer)
    try findReached(of: &found)
    switch try GroupStart(context, layout).look(found, consumer) {
    case .begun: break
    case .begins(let begin):
      tell(.begins(begin))
      return nil
    case .elsewhere:
      return nil
    }
    if !leaderless.isEmpty { tell(.heldUp(leaderless.mapValues { .init(log: $0) })) }
    if !ready.isEmpty { tell(.committed(found)) }
    return partitions.filter { $0.partition >= layout.workable($0.topic) }
  }

  /// - Returns: For each partition that can't be restored for want of a leader the log without one, the input or another.
  private func findLeaderless(
    _ partitions: [TopicPartition], _ consumer: Clients.Consumer
  ) throws(KafkaError) -> [TopicPartition: TopicPartition] {
    let helpers = context.plan.topics.helpers
    var leaders = Leaders { topic throws(KafkaError) in try consumer.leaders(of: topic, timeoutMs: CallLimit.callMs) }
    var found: [TopicPartition: TopicPartition] = [:]
    for partition in partitions {
      for topic in [partition.topic, helpers.changelog(of: partition.topic), helpers.journal(of: partition.topic)] {
        let log = TopicPartition(topic, partition.partition)
        if try !leaders.has(log) { found[partition] = found[partition] ?? log }
      }
    }
    return found
  }

  private func committed(
    of partitions: [TopicPartition], from consumer: Clients.Consumer
  ) throws(KafkaError) -> [Member.Committed] {
    let asked = partitions.filter { begun[$0] == nil }
    var known = partitions.compactMap { begun[$0] }.map {
      CommittedOffset($0.partition, offset: $0.offset, metadata: $0.metadata)
    }
    if !asked.isEmpty { known += try consumer.committed(asked, timeoutMs: CallLimit.callMs) }
    var answers: [Member.Committed] = []
    for found in known {
      let (low, high) = try consumer.queryWatermarks(of: found.partition, timeoutMs: CallLimit.callMs)
      answers.append(
        Member.Committed(
          partition: found.partition, offset: found.offset, metadata: found.metadata, firstOffset: low, end: high))
    }
    return answers
  }

  /// Finds how far the group's workers had come where something else than a worker committed.
  private func findReached(of found: inout [Member.Committed]) throws(KafkaError) {
    guard found.contains(where: \.isForeign) else { return }
    var search = ReachedSearch(try context.clients.reader(context), context.plan.topics.helpers)
    for i in found.indices where found[i].isForeign {
      found[i].reachedOffset = try search.offset(in: found[i].partition)
    }
  }
}

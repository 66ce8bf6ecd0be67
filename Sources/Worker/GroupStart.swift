import Kafka
import Probes
import Settings

/// A topic in which the group begins.
package struct GroupBeginning {
  var topic: String
  var offsets: [Member.Commit.Offset] = []
  /// Numbers of records before and after these offsets.
  var before: Int64 = 0
  var after: Int64 = 0

  /// The metadata of its commit. Nothing is known of earlier records.
  package static let mark = "begin"
}

/// The offsets at which a group begins in input topics of which it has committed nothing (setting `worker.begin`).
///
/// It is committed for all partitions of a topic in one transaction, by the member that has its partition 0, before
/// anything of the topic is read: so a partition that is first read an hour later begins where the others did.
struct GroupStart<Clients: MemberClients> {
  private let context: MemberContext<Clients>
  private let layout: TopicLayout

  init(_ context: MemberContext<Clients>, _ layout: TopicLayout) {
    self.context = context
    self.layout = layout
  }

  /// Begins in the topics that are this member's to begin in.
  ///
  /// - Returns: Whether it is known of all of `found` where they begin.
  func begin(
    _ found: inout [Member.Committed], _ consumer: Clients.Consumer,
    _ transactions: inout TransactionRunner<Clients>
  ) throws(KafkaError) -> Bool {
    let unknown = Set(found.lazy.filter { $0.offset == nil }.map(\.partition.topic)).sorted()
    guard !unknown.isEmpty else { return true }
    var untouched: [String] = []
    for topic in unknown {
      let answer = try consumer.committed(partitions(of: topic), timeoutMs: CallLimit.callMs)
      let begun = Set(answer.lazy.filter { $0.offset != nil }.map(\.partition))
      // Another member has begun there since `found` was asked for.
      if found.contains(where: { $0.offset == nil && begun.contains($0.partition) }) { return false }
      if begun.isEmpty { untouched.append(topic) }
    }
    for topic in untouched {
      // One member decides for all, or two would begin at two ends.
      guard found.contains(where: { $0.partition == TopicPartition(topic, 0) }) else { return false }
      let begin = try offsets(in: topic)
      guard transactions.commit(begin, of: consumer.group) else { return false }
      context.log.info(
        "the group begins here", .topic(topic),
        .offsets(begin.offsets.map { "\($0.partition.partition):\($0.offset)" }.joined(separator: " ")),
        .before(begin.before), .after(begin.after))
      // An embedded broker would not know of it.
      for i in found.indices {
        guard let offset = begin.offsets.first(where: { $0.partition == found[i].partition }) else { continue }
        (found[i].offset, found[i].metadata) = (offset.offset, offset.metadata)
      }
    }
    return true
  }

  /// The offsets in one of them.
  private func offsets(in topic: String) throws(KafkaError) -> GroupBeginning {
    let reader = try context.clients.reader(context)
    _ = try reader.partitionCount(of: topic, timeoutMs: CallLimit.callMs)
    let partitions = partitions(of: topic)
    // The ends are asked for before the times, or records that come between the answers would be passed over.
    var ends: [(low: Int64, high: Int64)] = []
    for partition in partitions {
      ends.append(try reader.queryWatermarks(of: partition, timeoutMs: CallLimit.callMs))
    }
    var times: [TopicPartition: Int64?] = [:]
    if case .time(let timeMs, _) = context.plan.begin {
      times = try reader.offsets(of: partitions, at: timeMs, timeoutMs: CallLimit.endMs)
    }
    var begin = GroupBeginning(topic: topic)
    for (partition, (low, high)) in zip(partitions, ends) {
      let offset =
        switch context.plan.begin {
        case .beginning: low
        case .end: max(low, high)
        case .time: max(low, (times[partition] ?? nil) ?? high)
        }
      begin.offsets.append(.init(partition: partition, offset: offset, metadata: GroupBeginning.mark))
      begin.before += offset - low
      begin.after += max(0, high - offset)
    }
    return begin
  }

  private func partitions(of topic: String) -> [TopicPartition] {
    (0..<(layout.inputPartitions[topic] ?? 0)).map { TopicPartition(topic, $0) }
  }
}

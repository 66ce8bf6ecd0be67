import Kafka
import Settings

/// The offsets at which a group begins in input topics of which it has committed nothing (setting `worker.begin`).
///
/// It is committed for all partitions of a topic in one transaction, by the member that has its partition 0, before
/// anything of the topic is read: so a partition that is first read an hour later begins where the others did.
struct GroupStart: ~Copyable {
  /// The metadata of such a commit. Nothing is known of earlier records.
  static let mark = "begin"

  /// A topic in which the group begins.
  struct Begin {
    var topic: String
    var offsets: [Member.Commit.Offset] = []
    /// Numbers of records before and after these offsets.
    var before: Int64 = 0
    var after: Int64 = 0
  }

  private let context: MemberContext

  private let layout: TopicLayout

  init(_ context: MemberContext, _ layout: TopicLayout) {
    self.context = context
    self.layout = layout
  }

  /// Of these topics those of which the group has committed nothing.
  func untouched(_ topics: [String], _ consumer: borrowing GroupConsumer) throws(KafkaError) -> [String] {
    var untouched: [String] = []
    for topic in topics {
      let committed = try consumer.committed(partitions(of: topic), timeoutMs: MemberContext.callMs)
      if committed.allSatisfy({ $0.offset == nil }) { untouched.append(topic) }
    }
    return untouched
  }

  /// The offsets in one of them.
  func begin(_ topic: String) throws(KafkaError) -> Begin {
    let reader = try Reader(
      properties: context.plan.properties, clientId: context.clientId, staysAtEnd: false, log: context.plan.clientLog)
    _ = try reader.partitionCount(of: topic, timeoutMs: MemberContext.callMs)
    let partitions = partitions(of: topic)
    var times: [TopicPartition: Int64?] = [:]
    if case .time(let timeMs, _) = context.plan.begin {
      times = try reader.offsets(of: partitions, at: timeMs, timeoutMs: MemberContext.endMs)
    }
    var begin = Begin(topic: topic)
    for partition in partitions {
      let (low, high) = try reader.queryWatermarks(of: partition, timeoutMs: MemberContext.callMs)
      let offset =
        switch context.plan.begin {
        case .beginning: low
        case .end: max(low, high)
        case .time: max(low, (times[partition] ?? nil) ?? high)
        }
      begin.offsets.append(.init(partition: partition, offset: offset, metadata: Self.mark))
      begin.before += offset - low
      begin.after += max(0, high - offset)
    }
    return begin
  }

  private func partitions(of topic: String) -> [TopicPartition] {
    (0..<(layout.inputPartitions[topic] ?? 0)).map { TopicPartition(topic, $0) }
  }
}

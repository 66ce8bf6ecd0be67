import Kafka
import Probes
import Settings

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

  enum Answer {
    /// The group has begun in the topics of all these partitions.
    case begun
    /// This member decides where the group begins in a topic.
    case begins(GroupBeginning)
    /// Another member decides, or has decided since the partitions were asked for.
    case elsewhere
  }

  /// Looks whether the group has begun in the topics of these partitions.
  func look(_ found: [Member.Committed], _ consumer: Clients.Consumer) throws(KafkaError) -> Answer {
    let unknown = Set(found.lazy.filter { $0.offset == nil }.map(\.partition.topic)).sorted()
    var untouched: [String] = []
    for topic in unknown {
      let answer = try consumer.committed(partitions(of: topic), timeoutMs: CallLimit.callMs)
      let begun = Set(answer.lazy.filter { $0.offset != nil }.map(\.partition))
      if found.contains(where: { $0.offset == nil && begun.contains($0.partition) }) { return .elsewhere }
      if begun.isEmpty { untouched.append(topic) }
    }
    guard let topic = untouched.first else { return .begun }
    // One member decides for all, or two would begin at two ends.
    guard found.contains(where: { $0.partition == TopicPartition(topic, 0) }) else { return .elsewhere }
    return .begins(try offsets(in: topic))
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

import Kafka

/// Which partitions a broker leads, asked for once for each topic.
struct Leaders {
  private let ask: (String) throws(KafkaError) -> [Int32?]
  private var told: [String: [Int32?]] = [:]

  init(_ ask: @escaping (String) throws(KafkaError) -> [Int32?]) { self.ask = ask }

  /// False also where the broker that was asked has not heard of the partition yet.
  mutating func has(_ partition: TopicPartition) throws(KafkaError) -> Bool {
    if told[partition.topic] == nil { told[partition.topic] = try ask(partition.topic) }
    let (leaders, number) = (told[partition.topic]!, Int(partition.partition))
    return leaders.indices.contains(number) && leaders[number] != nil
  }
}

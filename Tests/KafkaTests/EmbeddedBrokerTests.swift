import Kafka
import Testing

/// What holds on any broker, seen on the one that librdkafka brings along.
@Suite struct EmbeddedBrokerTests {
  @Test func recordsOfAPartitionComeInTheOrderInWhichTheyWereSent() throws {
    let broker = try EmbeddedBroker()
    try broker.createTopic("t", partitions: 3)
    let properties = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers])
    let producer = try Producer(properties: properties, clientId: "sender") { _ in }
    let topic = try producer.topic("t", timeoutMs: 10_000)
    #expect(topic.partitionCount == 3)
    for partition in Int32(0)..<3 {
      var batch = OutputBatch(topic, partition: partition)
      for i in 0..<2_500 { try batch.append(key: "k\(partition)", value: "\(i)") }
      try batch.flush()
    }
    try producer.flush(timeoutMs: 10_000)
    #expect(producer.deliveredCount == 7_500)
    #expect(topic.delivered(1) == 2_499)

    var reader = try Reader(properties: properties, clientId: "reader") { _ in }
    for partition in Int32(0)..<3 { try reader.start(TopicPartition("t", partition), at: .earliest) }
    var batch = RecordBatch()
    var next: [Int32: Int] = [:]
    var ends: Set<TopicPartition> = []
    while ends.count < 3 {
      var events: [ConsumerEvent] = []
      reader.receive(into: &batch, events: &events, waitMs: 10_000)
      batch.forEach { record in
        let i = next[record.source.partition, default: 0]
        #expect(record.offset == Int64(i))
        #expect(text(record.value) == "\(i)")
        #expect(text(record.key) == "k\(record.source.partition)")
        next[record.source.partition] = i + 1
      }
      batch.removeAll()
      for case .endOfPartition(let partition, let offset) in events {
        #expect(offset == 2_500)
        ends.insert(partition)
      }
    }
    #expect(next == [0: 2_500, 1: 2_500, 2: 2_500])
    #expect(producer.close(boundedMs: 5_000))
  }
}

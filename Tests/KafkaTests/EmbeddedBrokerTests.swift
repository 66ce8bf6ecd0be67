import Kafka
import Testing

/// Behavior that any broker has, tested on the one that librdkafka brings along.
@Suite struct EmbeddedBrokerTests {
  @Test func recordsOfAPartitionComeInTheOrderInWhichTheyWereSent() throws {
    let broker = try EmbeddedBroker()
    try broker.createTopic("t", partitions: 3)
    let properties = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers])
    let producer = try Producer(properties: properties, clientId: "sender") { _ in }
    let topic = try producer.topic("t", timeoutMs: 60_000)
    #expect(topic.partitionCount == 3)
    for partition in Int32(0)..<3 {
      var batch = OutputBatch(topic, partition: partition)
      for i in 0..<2_500 { try batch.append(key: "k\(partition)", value: "\(i)") }
      try batch.flush()
    }
    try producer.flush(timeoutMs: 60_000)
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
    #expect(producer.close(boundedMs: 60_000))
  }

  @Test func readersBesideEachOtherGetTheirOwn() throws {
    let broker = try EmbeddedBroker()
    try broker.createTopic("t", partitions: 2)
    let properties = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers])
    let producer = try Producer(properties: properties, clientId: "sender") { _ in }
    let topic = try producer.topic("t", timeoutMs: 60_000)
    for partition in Int32(0)..<2 {
      for i in 0..<5 {
        try Array("\(partition)/\(i)".utf8).withUnsafeBytes { try topic.produce(partition, key: nil, value: $0) }
      }
    }
    try producer.flush(timeoutMs: 60_000)

    var second: Reader
    do {
      var first = try Reader(properties: properties, clientId: "reader", partitions: 100) { _ in }
      second = Reader(beside: first)
      try first.start(TopicPartition("t", 0), at: .earliest)
      try second.start(TopicPartition("t", 1), at: .earliest)
      #expect(values(of: &first) == (0..<5).map { "0/\($0)" })
    }
    // It lives on when the one that it was made beside is gone.
    #expect(values(of: &second) == (0..<5).map { "1/\($0)" })
  }

  /// The values up to the end of the one partition that is read.
  private func values(of reader: inout Reader) -> [String] {
    var values: [String] = []
    var batch = RecordBatch()
    while true {
      var events: [ConsumerEvent] = []
      reader.receive(into: &batch, events: &events, waitMs: 10_000)
      batch.forEach { values.append(text($0.value) ?? "none") }
      batch.removeAll()
      for case .endOfPartition in events { return values }
    }
  }

  /// Kafka's own bound is 1,048,588 bytes, librdkafka's 1,000,000: what came from one topic must fit into another.
  @Test func howLongARecordMayBeIsTheTopicsToSay() throws {
    let broker = try EmbeddedBroker()
    try broker.createTopic("out", partitions: 1)
    let producer = try TransactionalProducer(
      properties: KafkaProperties(["bootstrap.servers": broker.bootstrapServers]), transactionalId: "id",
      clientId: "worker", outputs: ["out"], timeoutMs: 60_000
    ) { _ in }
    try producer.initTransactions(timeoutMs: 60_000)
    try producer.begin()
    try producer.topic("out").produce(0, key: nil, value: String(repeating: "x", count: 1_048_588))
    try producer.commit(timeoutMs: 60_000)
    #expect(producer.topic("out").delivered(0) == 0)
  }

  /// All that a demo does: a group, transactions with offsets, readers of what was committed.
  @Test func aGroupAndTransactionsWorkOnIt() throws {
    let broker = try EmbeddedBroker()
    try broker.createTopic("in", partitions: 2)
    try broker.createTopic("out", partitions: 2)
    let properties = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers])
    let sender = try Producer(properties: properties, clientId: "sender") { _ in }
    let input = try sender.topic("in", timeoutMs: 60_000)
    for i in 0..<100 { try input.produce(Int32(i % 2), key: nil, value: "\(i)") }
    try sender.flush(timeoutMs: 60_000)

    let producer = try TransactionalProducer(
      properties: properties, transactionalId: "id", clientId: "worker", outputs: ["out"], timeoutMs: 60_000
    ) { _ in }
    try producer.initTransactions(timeoutMs: 60_000)
    let member = try Member(group: "group", topics: ["in"], properties)
    try member.wait("it has all") { member.assigned.count == 2 }
    try member.assignAll()
    let output = producer.topic("out")
    var sent = 0
    try member.wait("all is copied") {
      if !member.records.isEmpty {
        try producer.begin()
        for record in member.records {
          var batch = OutputBatch(output, partition: record.partition)
          try batch.append(key: record.key, value: record.value)
          try batch.flush()
        }
        let next = Dictionary(member.records.map { ($0.partition, $0.offset + 1) }) { max($0, $1) }
        try member.ask { consumer in
          try producer.sendOffsets(
            next.map { CommittedOffset(TopicPartition("in", $0), offset: $1, metadata: "m") },
            group: consumer.membership.metadata(), timeoutMs: 60_000)
        }
        try producer.commit(timeoutMs: 60_000)
        sent += member.records.count
        member.records = []
      }
      return sent == 100
    }
    let copied = try readAll("out", partitions: 2, properties)
    for partition in 0..<2 {
      let values = copied.filter { $0.partition == partition }.map(\.value)
      #expect(values == stride(from: partition, to: 100, by: 2).map { "\($0)" })
    }
    #expect(member.close())
    #expect(producer.close(boundedMs: 60_000))
  }

  /// librdkafka ends the process where it is told to stop a partition that is about to stop.
  @Test func aPartitionMayBeAssignedAnewAtOnce() throws {
    let broker = try EmbeddedBroker()
    try broker.createTopic("t", partitions: 40)
    let properties = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers])
    let member = try Member(group: "group", topics: ["t"], properties)
    try member.wait("it has all") { member.assigned.count == 40 }
    for round in 0..<50 {
      try member.assignAll(at: .at(0))
      if round % 3 == 0 { try member.consumer!.unassign() }
    }
    #expect(member.close())
  }

  /// Nobody answers any more; without a bound a close could take for ever, and the test its limit.
  @Test(.timeLimit(.minutes(15))) func withoutABrokerAClientStillCloses() throws {
    var broker: EmbeddedBroker? = try EmbeddedBroker()
    try broker!.createTopic("t", partitions: 1)
    let properties = try KafkaProperties(["bootstrap.servers": broker!.bootstrapServers])
    let member = try Member(group: "group", topics: ["t"], properties)
    try member.wait("it has it") { member.assigned.count == 1 }
    try member.assignAll()
    let producer = try TransactionalProducer(
      properties: properties, transactionalId: "id", clientId: "tests", outputs: ["t"], timeoutMs: 60_000
    ) { _ in }
    try producer.initTransactions(timeoutMs: 60_000)
    try producer.begin()
    broker = nil
    try producer.topic("t").produce(0, key: nil, value: "nowhere to go")
    _ = member.close(boundedMs: 5_000)
    #expect(producer.close(boundedMs: 60_000))
  }
}

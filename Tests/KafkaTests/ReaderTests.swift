import Kafka
import Testing

/// A reader's partitions come and go one by one, on the embedded broker.
struct ReaderTests {
  let broker: EmbeddedBroker
  let properties: KafkaProperties

  init() throws {
    broker = try EmbeddedBroker()
    try broker.createTopic("a", partitions: 2)
    try broker.createTopic("b", partitions: 1)
    properties = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers])
    let producer = try Producer(properties: properties, clientId: "tests") { _ in }
    for (topic, partition) in [("a", Int32(0)), ("a", 1), ("b", 0)] {
      let output = try producer.topic(topic, timeoutMs: 60_000)
      for i in 0..<100 { try output.produce(partition, key: nil, value: "\(topic)\(partition).\(i)") }
    }
    try producer.flush(timeoutMs: 60_000)
  }

  private func read(_ reader: inout Reader, untilEndsOf partitions: [TopicPartition]) throws -> [String] {
    var batch = RecordBatch(capacity: 30)
    var values: [String] = []
    var ends: Set<TopicPartition> = []
    while ends != Set(partitions) {
      var events: [ConsumerEvent] = []
      reader.receive(into: &batch, events: &events, waitMs: 10_000)
      batch.forEach { record in
        let name = reader.topicName(record.source.topicOrdinal)
        let value = text(record.value)!
        #expect(value == "\(name)\(record.source.partition).\(record.offset)")
        #expect(reader.key(of: TopicPartition(name, record.source.partition)) == record.source)
        values.append(value)
      }
      batch.removeAll()
      for event in events {
        guard case .endOfPartition(let partition, let offset) = event else { continue }
        #expect(offset == 100)
        ends.insert(partition)
      }
    }
    return values
  }

  /// A full queue ends librdkafka's fetching for a second, if nothing wakes its thread. A reader of many partitions has
  /// queues of some hundred records.
  @Test func `a short queue that was emptied fills again without a pause`() throws {
    let small = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers, "batch.num.messages": "2000"])
    let producer = try Producer(properties: small, clientId: "tests") { _ in }
    let output = try producer.topic("b", timeoutMs: 60_000)
    for _ in 0..<20_000 { try output.produce(0, key: nil, value: "b") }
    try producer.flush(timeoutMs: 60_000)
    var reader = try Reader(
      properties: properties, clientId: "tests", partitions: 64, staysAtEnd: false
    ) { _ in }
    try reader.start(TopicPartition("b", 0), at: .at(100))
    var batch = RecordBatch(capacity: 100)
    var (count, pauses) = (0, 0)
    var isAtEnd = false
    while !isAtEnd {
      var events: [ConsumerEvent] = []
      reader.receive(into: &batch, events: &events, waitMs: 400)
      count += batch.count
      if batch.isEmpty, events.isEmpty { pauses += 1 }
      batch.removeAll()
      for case .endOfPartition(_, 20_100) in events { isAtEnd = true }
    }
    #expect(count == 20_000)
    // Two in each second that was waited for: some 16 if each full queue ended the fetching.
    #expect(pauses < 6)
  }

  @Test func eachPartitionIsReadFromWhereItWasToBegin() throws {
    var reader = try Reader(properties: properties, clientId: "tests") { _ in }
    let partitions = [TopicPartition("a", 1), TopicPartition("b", 0)]
    try reader.start(partitions[0], at: .at(90))
    try reader.start(partitions[1], at: .earliest)
    let values = try read(&reader, untilEndsOf: partitions)
    #expect(values.filter { $0.hasPrefix("a1.") } == (90..<100).map { "a1.\($0)" })
    #expect(values.filter { $0.hasPrefix("b0.") } == (0..<100).map { "b0.\($0)" })
    #expect(values.count == 110)
  }

  @Test func aStoppedPartitionIsSilentAndCanBeginAnew() throws {
    var reader = try Reader(properties: properties, clientId: "tests") { _ in }
    let (first, second) = (TopicPartition("a", 0), TopicPartition("a", 1))
    try reader.start(first, at: .earliest)
    try reader.start(second, at: .latest)
    reader.stop(first)
    try reader.start(TopicPartition("b", 0), at: .at(99))
    #expect(try read(&reader, untilEndsOf: [second, TopicPartition("b", 0)]) == ["b0.99"])
    try reader.start(first, at: .at(50))
    #expect(try read(&reader, untilEndsOf: [first]) == (50..<100).map { "a0.\($0)" })
  }

  @Test func anOffsetThatTheLogDoesNotHaveIsAnErrorAndNoJump() throws {
    var reader = try Reader(properties: properties, clientId: "tests") { _ in }
    try reader.start(TopicPartition("a", 0), at: .at(1_000))
    var batch = RecordBatch()
    var failure: (error: KafkaError, place: TopicPartition?)?
    while failure == nil {
      var events: [ConsumerEvent] = []
      reader.receive(into: &batch, events: &events, waitMs: 10_000)
      #expect(batch.count == 0)
      for case .failed(let error, let place) in events { failure = (error, place) }
    }
    #expect(failure?.error.isOutOfRange == true)
    #expect(failure?.place == TopicPartition("a", 0))
  }

  @Test func aWakeThatComesBeforeTheWaitIsNotLost() throws {
    var reader = try Reader(properties: properties, clientId: "tests") { _ in }
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    reader.waker.wake()
    // Without it this would take an hour.
    reader.receive(into: &batch, events: &events, waitMs: 3_600_000)
    #expect(batch.count == 0)
  }

  @Test func aBatchKeepsItsRecordsWhenItsReaderIsGone() throws {
    var batch = RecordBatch()
    do {
      var reader = try Reader(properties: properties, clientId: "tests") { _ in }
      try reader.start(TopicPartition("b", 0), at: .earliest)
      var events: [ConsumerEvent] = []
      while batch.count < 100 { reader.receive(into: &batch, events: &events, waitMs: 10_000) }
    }
    #expect(text(batch[99].value) == "b0.99")
  }

  /// The question keeps librdkafka 2.0.2 from looking at its full queue only once a second; benchmarks tell the gain.
  @Test func whileMuchIsReceivedTheLeadersAreAskedSomething() throws {
    let producer = try Producer(properties: properties, clientId: "tests") { _ in }
    var output = OutputBatch(try producer.topic("b", timeoutMs: 60_000), partition: 0)
    for _ in 0..<40 { try output.append(key: nil, value: String(repeating: "x", count: 100_000)) }
    try output.flush()
    try producer.flush(timeoutMs: 60_000)

    let lines = Lines()
    let verbose = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers, "debug": "protocol"])
    var reader = try Reader(properties: verbose, clientId: "tests", log: lines.add)
    let requests = { lines.all.filter { $0.text.contains("Sent ListOffsetsRequest") }.count }
    let partition = TopicPartition("b", 0)
    try reader.start(partition, at: .at(0))
    var batch = RecordBatch(capacity: 10)
    var bytes = 0
    var wasReadWhole = false
    // Over and over: on a busy machine librdkafka now and then sends none (1 of 520 times).
    try eventually("one was sent") {
      #expect(requests() <= bytes / (2 * 1024 * 1024))
      var events: [ConsumerEvent] = []
      reader.receive(into: &batch, events: &events, waitMs: 100)
      batch.forEach { bytes += $0.value?.count ?? 0 }
      batch.removeAll()
      if events.contains(.endOfPartition(partition, offset: 140)) {
        wasReadWhole = true
        reader.stop(partition)
        try reader.start(partition, at: .at(0))
      }
      return wasReadWhole && requests() > 0
    }
  }

  /// Who asks for ends has no partition for whose sake librdkafka looks for a new leader.
  @Test func endsAreAskedOfTheNextLeaderOnceTheLastHasEnded() throws {
    let two = try EmbeddedBroker(brokers: 2)
    let partition = TopicPartition("t", 0)
    try two.createTopic("t", partitions: 1)
    try two.lead(partition, by: 1)
    let properties = try KafkaProperties(["bootstrap.servers": two.bootstrapServers])
    let reader = try Reader(properties: properties, clientId: "tests") { _ in }
    func ends() -> [TopicPartition: Int64]? { try? reader.readableEnds(of: [partition], timeoutMs: 1000) }
    try eventually("an end") { ends() != nil }
    try two.setAway(true)
    try eventually("no end") { ends() == nil }
    // Now it has been looked up that the first leads, and nothing happens to its connection any more.
    try two.lead(partition, by: 2)
    try eventually("an end again") { ends() != nil }
  }
}

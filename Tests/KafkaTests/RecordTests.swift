import Kafka
import Testing

/// Records come back as they were sent, on the embedded broker.
struct RecordTests {
  private func roundTrip(_ send: (OutputTopic) throws -> Void, check: (borrowing RecordBatch) -> Void) throws {
    let broker = try EmbeddedBroker()
    try broker.createTopic("t", partitions: 1)
    let properties = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers])
    let producer = try Producer(properties: properties, clientId: "tests") { _ in }
    try send(try producer.topic("t", timeoutMs: 60_000))
    try producer.flush(timeoutMs: 60_000)
    var reader = try Reader(properties: properties, clientId: "tests") { _ in }
    try reader.start(TopicPartition("t", 0), at: .earliest)
    var batch = RecordBatch()
    try eventually("all is read") {
      var events: [ConsumerEvent] = []
      reader.receive(into: &batch, events: &events, waitMs: 1_000)
      return batch.count == producer.deliveredCount
    }
    check(batch)
  }

  @Test func nullAndEmptyAreTwoThings() throws {
    let cases: [(String?, String?)] = [(nil, nil), ("", ""), (nil, "v"), ("k", nil), ("k", ""), ("k", "v")]
    try roundTrip { topic in
      var batch = OutputBatch(topic, partition: 0)
      for (key, value) in cases { try batch.append(key: key, value: value) }
      try batch.flush()
      for (key, value) in cases { try topic.produce(0, key: key, value: value) }
    } check: { batch in
      for i in 0..<batch.count {
        #expect(text(batch[i].key) == cases[i % 6].0)
        #expect(text(batch[i].value) == cases[i % 6].1)
        #expect(!batch[i].hasHeaders)
        #expect(batch[i].lastHeader("content-type") == nil)
      }
    }
  }

  @Test func headersAreFoundWhateverLiesAround() throws {
    var random = SystemRandomNumberGenerator()
    let cases = (0..<2000).map { _ in
      (size: Int.random(in: 0...300, using: &random), headers: max(0, Int.random(in: -2...2, using: &random)))
    }
    try roundTrip { topic in
      for (size, headers) in cases {
        let value = String(repeating: "\u{0}", count: size)
        try topic.produce(0, key: "\(headers)", value: value, headers: (0..<headers).map { OutputHeader("h\($0)", "") })
      }
    } check: { batch in
      for i in 0..<batch.count { #expect(text(batch[i].key) == "\(batch[i].allHeaders.count)") }
    }
  }

  @Test func headersKeepTheirOrderAndTheLastOfANameCounts() throws {
    try roundTrip { topic in
      let headers = [
        OutputHeader("content-type", "first"), OutputHeader("null", nil), OutputHeader("bytes", [0, 255, 0]),
        OutputHeader("empty", []), OutputHeader("content-type", "last"),
      ]
      try topic.produce(0, key: nil, value: "v", headers: headers)
    } check: { batch in
      #expect(batch[0].hasHeaders)
      #expect(text(batch[0].lastHeader("content-type")) == "last")
      #expect(batch[0].lastHeader("Content-Type") == nil)
      #expect(batch[0].lastHeader("null") == nil)
      let all = batch[0].allHeaders
      #expect(all.map(\.name) == ["content-type", "null", "bytes", "empty", "content-type"])
      #expect(all.map { $0.value.map(Array.init) } == [Array("first".utf8), nil, [0, 255, 0], [], Array("last".utf8)])
    }
  }

  @Test func aTimestampThatTheSenderSetIsKept() throws {
    try roundTrip { topic in
      try topic.produce(0, key: nil, value: "v", timestampMs: 1_700_000_000_123)
    } check: { batch in
      #expect(batch[0].timestampMs == 1_700_000_000_123)
      #expect(batch[0].timestampType == .create)
    }
  }

  /// Else one sender that has no clock, or counts in nanoseconds, would put an end to its partition's time.
  @Test(arguments: [Int64.min, -2, -1, 253_402_300_800_000, 1_700_000_000_000_000, .max])
  func aTimestampThatNoClockShowsIsNone(stamp: Int64) throws {
    try roundTrip { topic in
      try topic.produce(0, key: nil, value: "v", timestampMs: stamp)
    } check: { batch in
      #expect(batch[0].timestampMs == -1)
      #expect(batch[0].timestampType == .none)
    }
  }

  @Test func recordsAsLargeAsABatchAndLargerGoThroughOne() throws {
    let sizes = [1, 15_000, 40_000, 300_000, 2, 900_000, 3]
    try roundTrip { topic in
      var batch = OutputBatch(topic, partition: 0)
      for size in sizes { try batch.append(key: "\(size)", value: String(repeating: "x", count: size)) }
      try batch.flush()
      #expect(batch.count == 0)
    } check: { batch in
      for (i, size) in sizes.enumerated() {
        #expect(text(batch[i].key) == "\(size)")
        #expect(batch[i].value?.count == size)
      }
    }
  }

  @Test func whatABatchForgetsIsNotSent() throws {
    try roundTrip { topic in
      var batch = OutputBatch(topic, partition: 0)
      try batch.append(key: nil, value: "forgotten")
      batch.removeAll()
      try batch.append(key: nil, value: "sent")
      try batch.flush()
    } check: { batch in
      #expect(batch.count == 1)
      #expect(text(batch[0].value) == "sent")
    }
  }

  @Test(.enabled(if: RealBroker.isThere, RealBroker.whyNot))
  func theBrokersTimeIsToldFromTheSenders() throws {
    let topic = try RealBroker.topic("append")
    let producer = try Producer(properties: RealBroker.properties(), clientId: "tests") { _ in }
    try producer.topic(topic, timeoutMs: 60_000).produce(0, key: nil, value: "v", timestampMs: 5)
    try producer.flush(timeoutMs: 60_000)
    var reader = try Reader(properties: RealBroker.properties(), clientId: "tests") { _ in }
    try reader.start(TopicPartition(topic, 0), at: .earliest)
    var batch = RecordBatch()
    try eventually("it is read") {
      var events: [ConsumerEvent] = []
      reader.receive(into: &batch, events: &events, waitMs: 1_000)
      return batch.count == 1
    }
    #expect(batch[0].timestampType == .logAppend)
    #expect(batch[0].timestampMs > 1_700_000_000_000)
    let time = batch[0].timestampMs
    let partition = TopicPartition(topic, 0)
    #expect(try reader.offsets(of: [partition], at: time, timeoutMs: 60_000) == [partition: 0])
    #expect(try reader.offsets(of: [partition], at: time + 1, timeoutMs: 60_000) == [partition: nil])
    #expect(try reader.queryWatermarks(of: partition, timeoutMs: 60_000) == (0, 1))
    #expect(reader.cachedEnd(of: partition) == 1)
  }
}

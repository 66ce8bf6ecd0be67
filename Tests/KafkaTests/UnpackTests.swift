import Kafka
import Testing

/// Batches that are small as sent and large unpacked, on the embedded broker.
struct UnpackTests {
  private let cluster: EmbeddedBroker
  private static let limit = 2_097_152

  init() throws {
    cluster = try EmbeddedBroker()
    try cluster.createTopic("t", partitions: 2)
  }

  private func properties(_ more: [String: String] = [:]) throws -> KafkaProperties {
    try KafkaProperties(["bootstrap.servers": cluster.bootstrapServers].merging(more) { $1 })
  }

  /// Sends each list as one batch, to partition 0.
  private func send(_ batches: [[String]], codec: String) throws {
    let producer = try Producer(
      properties: properties([
        "compression.type": codec, "message.max.bytes": "1000000000", "batch.size": "100000000", "linger.ms": "1000",
      ]), clientId: "tests"
    ) { _ in }
    let topic = try producer.topic("t", timeoutMs: 10_000)
    for batch in batches {
      for value in batch { try topic.produce(0, key: "k", value: value) }
      try producer.flush(timeoutMs: 60_000)
    }
  }

  private struct Read: Equatable {
    var offset: Int64
    var value: String?
    var batch: PassedBatch?
  }

  /// All records of partition 0 from an offset on; what is longer than a few letters as its length.
  private func read(from offset: Int64 = 0, _ more: [String: String] = [:]) throws -> (
    records: [Read], failures: [ConsumerEvent]
  ) {
    let own = ["fetch.unpacked.max.bytes": "\(Self.limit)"].merging(more) { $1 }
    var reader = try Reader(properties: properties(own), clientId: "tests") { _ in }
    try reader.start(TopicPartition("t", 0), at: .at(offset))
    var batch = RecordBatch()
    var records: [Read] = []
    var failures: [ConsumerEvent] = []
    var isAtEnd = false
    try eventually("the partition is read") {
      var events: [ConsumerEvent] = []
      reader.receive(into: &batch, events: &events, waitMs: 1_000)
      batch.forEach { record in
        let value = record.value.map { $0.count < 9 ? String(decoding: $0, as: UTF8.self) : "\($0.count)" }
        records.append(Read(offset: record.offset, value: value, batch: record.passedBatch))
      }
      batch.removeAll()
      for event in events {
        if case .endOfPartition = event { isAtEnd = true } else { failures.append(event) }
      }
      return isAtEnd
    }
    return (records, failures)
  }

  private func large(_ bytes: Int) -> String { String(repeating: "A", count: bytes) }

  @Test(arguments: ["gzip", "lz4", "zstd"])
  func `a batch of one record over the bound comes as one record without a value`(codec: String) throws {
    try send([["a", "b"], [large(Self.limit + 1)], ["c"]], codec: codec)
    let (records, failures) = try read()
    #expect(failures.isEmpty)
    #expect(records.map(\.offset) == [0, 1, 2, 3])
    #expect(records.map(\.value) == ["a", "b", nil, "c"])
    let passed = try #require(records[2].batch)
    #expect(passed.first == 2 && passed.last == 2 && passed.records == 1 && passed.limit == Int64(Self.limit))
    #expect((100..<40_000).contains(passed.bytes))
  }

  @Test(arguments: ["gzip", "lz4", "zstd"])
  func `a batch of many records over the bound comes as its last`(codec: String) throws {
    try send([["a"], Array(repeating: large(100_000), count: 40), ["c"]], codec: codec)
    let (records, failures) = try read()
    #expect(failures.isEmpty)
    #expect(records.map(\.offset) == [0, 40, 41])
    #expect(records[1].batch?.first == 1 && records[1].batch?.last == 40 && records[1].batch?.records == 40)
    // Whoever goes on in its midst gets the same.
    #expect(try read(from: 17).records == Array(records.dropFirst()))
  }

  @Test(arguments: ["gzip", "lz4", "zstd", "snappy", "none"])
  func `a batch up to the bound is unpacked`(codec: String) throws {
    try send([["a"], [large(Self.limit - 100)], ["c"]], codec: codec)
    let (records, failures) = try read()
    #expect(failures.isEmpty)
    #expect(records.map(\.value) == ["a", "\(Self.limit - 100)", "c"])
    #expect(records.allSatisfy { $0.batch == nil })
  }

  @Test(arguments: ["gzip", "lz4", "zstd"])
  func `many batches that are large together all come, in order`(codec: String) throws {
    let count = 60
    try send((0..<count).flatMap { [[large(1_000_000)], ["\($0)"]] }, codec: codec)
    let (records, failures) = try read()
    #expect(failures.isEmpty)
    #expect(records.map(\.value) == (0..<count).flatMap { ["1000000", "\($0)"] })
  }

  @Test func `a sender can't make a record that stands for a batch`() throws {
    try send([["a"]], codec: "none")
    let producer = try Producer(properties: properties(), clientId: "tests") { _ in }
    let topic = try producer.topic("t", timeoutMs: 10_000)
    try topic.produce(
      0, key: nil, value: nil,
      headers: [OutputHeader("flyscreen-passed-batch", "0123456789abcdef 0 9 10 100 100")])
    try producer.flush(timeoutMs: 60_000)
    #expect(try read().records.map(\.batch) == [nil, nil])
  }

  @Test(arguments: ["0", "x", "-1", "99999999999"])
  func `a bound that is none is refused`(value: String) throws {
    #expect(throws: KafkaError.self) { try properties(["fetch.unpacked.max.bytes": value]) }
  }
}

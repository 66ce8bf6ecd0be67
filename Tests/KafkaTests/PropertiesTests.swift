import Foundation
import Kafka
import Testing

struct PropertiesTests {
  private func refusal(_ values: [String: String]) -> String? {
    do {
      _ = try KafkaProperties(values)
      return nil
    } catch {
      #expect(error.kind == .settings)
      return error.message
    }
  }

  @Test func everyPropertyOfLibrdkafkaIsKnownAlsoThoseWithoutADefault() {
    let names = KafkaProperties.names
    for name in ["bootstrap.servers", "sasl.password", "ssl.ca.location", "linger.ms", "acks", "auto.offset.reset"] {
      #expect(names.contains(name))
    }
    #expect(!names.contains("Property"))
    #expect(names == names.sorted())
  }

  @Test func whatLibrdkafkaDoesNotKnowOrTakeIsRefusedInOneLine() {
    #expect(refusal(["bootstrap.server": "x"])?.contains("kafka.bootstrap.server") == true)
    #expect(refusal(["linger.ms": "soon"])?.contains("kafka.linger.ms") == true)
    #expect(refusal(["security.protocol": "carrier-pigeon"])?.contains("kafka.security.protocol") == true)
    #expect(refusal(["linger.ms": "-1"])?.contains("\n") == false)
  }

  @Test func aPasswordComesFromAFileAsItIsNow() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "flyscreen-password-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let values = [
      "bootstrap.servers": "127.0.0.1:1", "security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN",
      "sasl.username": "u", "sasl.password.file": file.path,
    ]
    let properties = try KafkaProperties(values)
    func client() throws(KafkaError) { _ = try Admin(properties: properties, clientId: "tests") { _ in } }
    do {
      try client()
      Issue.record("there is no password")
    } catch {
      #expect(error.kind == .settings)
      #expect(error.message.contains("kafka.sasl.password.file") && error.message.contains(file.path))
    }
    try Data("secret\n".utf8).write(to: file)
    try client()
    try Data().write(to: file)
    #expect(throws: KafkaError.self) { try client() }
    #expect(KafkaProperties.names.contains("sasl.password.file"))
    #expect(refusal(values.merging(["sasl.password": "x"]) { $1 })?.contains("leave one out") == true)
  }

  @Test(arguments: [
    ("enable.auto.commit", "true"), ("enable.auto.offset.store", "true"), ("isolation.level", "read_uncommitted"),
    ("transactional.id", "mine"), ("group.instance.id", "mine"), ("enable.idempotence", "false"), ("acks", "1"),
    ("partition.assignment.strategy", "cooperative-sticky"), ("partitioner", "random"),
    ("delivery.report.only.error", "true"), ("client.id", "012345678901234567890123456789012345678901234567890"),
  ])
  func whatExactlyOnceWouldBreakWithIsRefused(name: String, value: String) {
    let line = refusal([name: value])
    #expect(line?.hasPrefix("kafka.\(name)=\(value): ") == true)
  }

  @Test func whatIsReadAheadHasABoundForAllPartitionsTogether() {
    for partitions in 1...256 {
      let ahead = KafkaProperties.readAhead(of: partitions)
      #expect(ahead >= 250 && ahead * partitions <= 64_000)
    }
  }

  @Test(arguments: [
    ("enable.auto.commit", "false"), ("isolation.level", "read_committed"), ("acks", "all"),
    ("partition.assignment.strategy", "roundrobin"), ("linger.ms", "20"), ("auto.offset.reset", "latest"),
    ("compression.type", "zstd"), ("group.id", "mine"), ("message.max.bytes", "3000000"),
  ])
  func whatItDoesNotMindIsTaken(name: String, value: String) throws {
    #expect(try KafkaProperties([name: value])[name] == value)
  }

  @Test func withoutABrokersAddressNoClientIsMade() throws {
    #expect(throws: KafkaError.self) { _ = try Reader(properties: KafkaProperties([:]), clientId: "tests") { _ in } }
  }

  @Test func aTransactionThatIsShorterThanItsMessagesAreTriedIsRefused() throws {
    let broker = try EmbeddedBroker()
    let properties = try KafkaProperties([
      "bootstrap.servers": broker.bootstrapServers, "transaction.timeout.ms": "3000", "message.timeout.ms": "4000",
    ])
    do {
      _ = try TransactionalProducer(
        properties: properties, transactionalId: "id", clientId: "tests", outputs: [], timeoutMs: 60_000
      ) { _ in }
      Issue.record("it was taken")
    } catch {
      #expect(error.kind == .settings)
      #expect(error.message.contains("transaction.timeout.ms"))
    }
  }

  /// Properties of the other kind of client would have librdkafka warn at each start.
  @Test func eachClientGetsOnlyWhatIsForIt() throws {
    let broker = try EmbeddedBroker()
    try broker.createTopic("t", partitions: 1)
    let properties = try KafkaProperties([
      "bootstrap.servers": broker.bootstrapServers, "linger.ms": "3", "fetch.wait.max.ms": "20",
      "compression.type": "lz4", "session.timeout.ms": "7000",
    ])
    let lines = Lines()
    var reader = try Reader(properties: properties, clientId: "tests", log: lines.add)
    try reader.start(TopicPartition("t", 0), at: .earliest)
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    while events.isEmpty { reader.receive(into: &batch, events: &events, waitMs: 1_000) }
    let producer = try Producer(properties: properties, clientId: "tests", log: lines.add)
    _ = try producer.topic("t", timeoutMs: 60_000)
    producer.serve()
    #expect(lines.all.filter { $0.facility == "CONFWARN" }.map(\.text) == [])
  }

  @Test func whatAClientLogsComesWhereItIsServed() throws {
    let properties = try KafkaProperties(["bootstrap.servers": "127.0.0.1:1"])
    let lines = Lines()
    let producer = try Producer(properties: properties, clientId: "tests", log: lines.add)
    try eventually("it says that nobody is there") {
      producer.serve(waitMs: 100)
      return lines.all.contains { $0.facility == "FAIL" && $0.level == 3 }
    }
  }
}

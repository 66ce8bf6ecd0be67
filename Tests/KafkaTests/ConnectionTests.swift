import Kafka
import Testing

/// Errors without a working connection say what to do.
struct ConnectionTests {
  private func failure(_ body: () throws -> Void) -> KafkaError? {
    do {
      try body()
      Issue.record("it worked")
      return nil
    } catch {
      return error as? KafkaError
    }
  }

  @Test func whereNoBrokerListensItIsUnreachable() throws {
    let properties = try KafkaProperties(["bootstrap.servers": "127.0.0.1:1"])
    let error = failure {
      _ = try TransactionalProducer(
        properties: properties, transactionalId: "id", clientId: "tests", outputs: ["t"], timeoutMs: 500
      ) { _ in }
    }
    #expect(error?.kind == .unreachable)
    #expect(error?.message.contains("127.0.0.1:1") == true)
    let reader = try Reader(properties: properties, clientId: "tests") { _ in }
    #expect(failure { _ = try reader.partitionCount(of: "t", timeoutMs: 500) }?.kind == .unreachable)
    let admin = try Admin(properties: properties, clientId: "tests") { _ in }
    #expect(failure { _ = try admin.settings(of: ["t"], timeoutMs: 500) }?.kind == .unreachable)
    #expect(failure { _ = try admin.createTopics([.init("t", partitions: 1)], timeoutMs: 500) }?.kind == .unreachable)
  }

  /// A broker that is back makes `isAnswered` true again: a call that fails then waits for something else, which is
  /// worth a log line.
  @Test func oneThatWasAwayAnswersAgain() throws {
    let broker = try EmbeddedBroker()
    try broker.createTopic("t", partitions: 1)
    let reader = try Reader(
      properties: KafkaProperties(["bootstrap.servers": broker.bootstrapServers]), clientId: "tests"
    ) { _ in }
    let missing = TopicPartition("t", 9)
    #expect(try reader.partitionCount(of: "t", timeoutMs: 60_000) == 1)
    #expect(failure { _ = try reader.queryWatermarks(of: missing, timeoutMs: 500) }?.isAnswered == true)
    try broker.setAway(true)
    try eventually("it is away") {
      failure { _ = try reader.queryWatermarks(of: missing, timeoutMs: 500) }?.isAnswered == false
    }
    try broker.setAway(false)
    try eventually("it is back") { (try? reader.partitionCount(of: "t", timeoutMs: 500)) == 1 }
    #expect(failure { _ = try reader.queryWatermarks(of: missing, timeoutMs: 500) }?.isAnswered == true)
  }

  @Test func aHostThatIsNotThereIsUnreachable() throws {
    let properties = try KafkaProperties(["bootstrap.servers": "no-such-host.invalid:9092"])
    let admin = try Admin(properties: properties, clientId: "tests") { _ in }
    let error = failure { _ = try admin.partitionCount(of: "t", timeoutMs: 2_000) }
    #expect(error?.kind == .unreachable)
    #expect(error?.message.contains("no-such-host.invalid") == true)
  }

  @Test(.enabled(if: RealBroker.saslBootstrap != nil, "FLYSCREEN_TEST_SASL_BROKER is not set: `make test` sets it"))
  func aWrongPasswordIsTakenForWhatItIs() throws {
    func properties(_ password: String) throws -> KafkaProperties {
      try KafkaProperties([
        "bootstrap.servers": RealBroker.saslBootstrap!, "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "PLAIN", "sasl.username": "flyscreen", "sasl.password": password,
      ])
    }
    let topic = try RealBroker.topic("sasl")
    let right = try Admin(properties: properties("secret"), clientId: "tests") { _ in }
    #expect(try right.partitionCount(of: topic, timeoutMs: 60_000) == 1)
    let wrong = try Admin(properties: properties("wrong"), clientId: "tests") { _ in }
    // A busy broker may take longer to refuse it than a call waits.
    try eventually("an admin is refused") {
      failure { _ = try wrong.partitionCount(of: topic, timeoutMs: 2_000) }?.kind == .authentication
    }
    try eventually("a producer is refused") {
      failure {
        _ = try TransactionalProducer(
          properties: properties("wrong"), transactionalId: "id", clientId: "tests", outputs: [topic], timeoutMs: 2_000
        ) { _ in }
      }?.kind == .authentication
    }
    let reader = try Reader(properties: properties("wrong"), clientId: "tests") { _ in }
    try eventually("a reader is refused") {
      failure { _ = try reader.partitionCount(of: topic, timeoutMs: 2_000) }?.kind == .authentication
    }
    let member = try Member(group: "sasl", topics: [topic], properties("wrong"))
    try member.wait("it is told") {
      member.events.contains { if case .failed(let error, _) = $0 { error.kind == .authentication } else { false } }
    }
    let partition = TopicPartition(topic, 0)
    try eventually("its question is refused") {
      failure { _ = try member.ask { try $0.committed([partition], timeoutMs: 2_000) } }?.kind == .authentication
    }
    _ = member.close()
  }

  @Test(.enabled(if: RealBroker.isThere, RealBroker.whyNot))
  func aTopicThatIsNotThereIsToldFromABrokerThatIsAway() throws {
    let name = RealBroker.unique("missing")
    let admin = try Admin(properties: RealBroker.properties(), clientId: "tests") { _ in }
    #expect(failure { _ = try admin.partitionCount(of: name, timeoutMs: 60_000) }?.kind == .unknownTopic)
    #expect(failure { _ = try admin.settings(of: [name], timeoutMs: 60_000) }?.kind == .unknownTopic)
    #expect(
      failure {
        _ = try TransactionalProducer(
          properties: RealBroker.properties(), transactionalId: name, clientId: "tests", outputs: [name],
          timeoutMs: 60_000
        ) { _ in }
      }?.kind == .unknownTopic)
    let reader = try Reader(properties: RealBroker.properties(), clientId: "tests") { _ in }
    #expect(failure { _ = try reader.partitionCount(of: name, timeoutMs: 60_000) }?.kind == .unknownTopic)
  }

  @Test(.enabled(if: RealBroker.isThere, RealBroker.whyNot))
  func topicsAreMadeAsAskedAndLeftAsTheyAre() throws {
    let names = [RealBroker.unique("made"), RealBroker.unique("made")]
    let admin = try Admin(properties: RealBroker.properties(), clientId: "tests") { _ in }
    let topics = [
      Admin.NewTopic(names[0], partitions: 3, settings: ["message.timestamp.type": "LogAppendTime"]),
      Admin.NewTopic(names[1], partitions: 1, replication: 1),
    ]
    #expect(try admin.createTopics(topics, timeoutMs: 60_000) == [])
    #expect(try admin.createTopics(topics, timeoutMs: 60_000) == names)
    // The controller made them; brokers hear of it a little later.
    try eventually("they are known") {
      (try? admin.settings(of: names, timeoutMs: 60_000)) != nil
    }
    let settings = try admin.settings(of: names, timeoutMs: 60_000)
    #expect(settings[names[0]]?["message.timestamp.type"] == "LogAppendTime")
    #expect(settings[names[1]]?["message.timestamp.type"] == "CreateTime")
    #expect(try admin.partitionCount(of: names[0], timeoutMs: 60_000) == 3)
    #expect(
      failure {
        let bad = Admin.NewTopic(RealBroker.unique("bad"), partitions: 1, settings: ["no.such.setting": "1"])
        _ = try admin.createTopics([bad], timeoutMs: 60_000)
      }?.kind == .settings)
    try admin.deleteTopics(names, timeoutMs: 60_000)
    try eventually("they are gone") {
      (try? admin.settings(of: [names[0]], timeoutMs: 60_000)) == nil
    }
  }
}

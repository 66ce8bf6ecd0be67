import Foundation
import Kafka
import Testing

/// The Apache Kafka that `make test` starts. Every test has topics and groups of its own on it.
enum RealBroker {
  static let bootstrap = ProcessInfo.processInfo.environment["FLYSCREEN_TEST_BROKER"]
  /// The same broker where it asks for a password (user flyscreen, password secret).
  static let saslBootstrap = ProcessInfo.processInfo.environment["FLYSCREEN_TEST_SASL_BROKER"]
  static let isThere = bootstrap != nil
  static let whyNot: Comment = "FLYSCREEN_TEST_BROKER is not set: `make test` sets it"

  static func properties(_ more: [String: String] = [:]) throws -> KafkaProperties {
    try KafkaProperties(["bootstrap.servers": bootstrap!].merging(more) { $1 })
  }

  static func unique(_ name: String) -> String { "\(name)-\(UUID().uuidString.prefix(8))" }

  /// A topic that exists for this test alone, ready for use.
  static func topic(
    _ name: String, partitions: Int = 1, settings: [String: String] = ["message.timestamp.type": "LogAppendTime"]
  ) throws -> String {
    let topic = unique(name)
    let admin = try Admin(properties: properties(), clientId: "tests") { _ in }
    _ = try admin.createTopics([.init(topic, partitions: partitions, settings: settings)], timeoutMs: 60_000)
    try eventually("\(topic) has its partitions") {
      (try? admin.partitionCount(of: topic, timeoutMs: 1_000)) == partitions
    }
    return topic
  }
}

/// Asks until the answer is yes; each question must itself wait for something, or be cheap.
func eventually(_ what: String, _ isSo: () throws -> Bool) throws {
  let limit = Date().addingTimeInterval(120)
  while try !isSo() {
    guard Date() < limit else { throw Late(what: what) }
  }
}

struct Late: Error, CustomStringConvertible {
  let what: String
  var description: String { "waited in vain until \(what)" }
}

/// A record, copied.
struct Seen: Equatable {
  var partition: Int32
  var offset: Int64
  var key: String?
  var value: String?
}

extension RecordBatch {
  mutating func take() -> [Seen] {
    var seen: [Seen] = []
    forEach {
      seen.append(Seen(partition: $0.source.partition, offset: $0.offset, key: text($0.key), value: text($0.value)))
    }
    removeAll()
    return seen
  }
}

/// All that committed readers see of a topic, by partition, up to its end.
func readAll(_ topic: String, partitions: Int, _ properties: KafkaProperties) throws -> [Seen] {
  var reader = try Reader(properties: properties, clientId: "tests") { _ in }
  for partition in 0..<Int32(partitions) { try reader.start(TopicPartition(topic, partition), at: .earliest) }
  var batch = RecordBatch()
  var seen: [Seen] = []
  var ends: Set<TopicPartition> = []
  try eventually("\(topic) is read to its ends") {
    var events: [ConsumerEvent] = []
    reader.receive(into: &batch, events: &events, waitMs: 1_000)
    seen += batch.take()
    for case .endOfPartition(let partition, _) in events { ends.insert(partition) }
    return ends.count == partitions
  }
  return seen
}

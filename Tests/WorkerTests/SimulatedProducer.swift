import Kafka
import Worker

/// A producer of ``SimulatedKafka``.
final class SimulatedProducer: MemberProducer {
  private let id: SimulatedKafka.ProducerId
  private let kafka: SimulatedKafka
  private let trouble: Trouble
  private let session: Int
  private var open: Int?
  private var delivered: [TopicPartition: Int64] = [:]

  init(_ id: SimulatedKafka.ProducerId, of kafka: SimulatedKafka, _ trouble: Trouble) throws(KafkaError) {
    if trouble.strikes(oneIn: 30) { throw .timedOut }
    self.id = id
    self.kafka = kafka
    self.trouble = trouble
    session = kafka.initTransactions(id)
  }

  func begin() throws(KafkaError) {
    open = try asking { () throws(SimulatedKafka.Refused) in try kafka.begin(id, session: session) }
  }

  func send(_ outbox: borrowing Outbox) throws(KafkaError) {
    for i in outbox.entries.indices {
      let entry = outbox.entries[i]
      let record = SimulatedKafka.Entry(
        key: outbox.key(of: entry).map(Array.init), value: outbox.value(of: entry).map(Array.init), timestampMs: 0,
        status: .plain)
      let partition = SimulatedKafka.target(entry)
      delivered[partition] = try asking { () throws(SimulatedKafka.Refused) in
        try kafka.produce(record, to: partition, in: open!)
      }
    }
  }

  /// - Parameter group: As the member knows it since it has its partitions.
  func commit(_ commit: Member.Commit, of group: SimulatedKafka.Membership) throws(KafkaError) {
    var offsets: [TopicPartition: SimulatedKafka.Offset] = [:]
    for offset in commit.offsets {
      offsets[offset.partition] = .init(offset: offset.offset, metadata: offset.metadata)
    }
    let transaction = open!
    if trouble.strikes(oneIn: 40) { throw trouble.refusal }
    if trouble.strikes(oneIn: 80) {
      kafka.deliverLate { [kafka] in try? kafka.sendOffsets(offsets, of: group, in: transaction) }
      throw .timedOut
    }
    try asking { () throws(SimulatedKafka.Refused) in
      try kafka.sendOffsets(offsets, of: group, in: transaction)
    }
    if trouble.strikes(oneIn: 40) { throw trouble.refusal }
    // The request is lost.
    if trouble.strikes(oneIn: 80) { throw .timedOut }
    if trouble.strikes(oneIn: 80) {
      kafka.deliverLate { [kafka] in try? kafka.commit(transaction) }
      throw .timedOut
    }
    try asking { () throws(SimulatedKafka.Refused) in try kafka.commit(transaction) }
    // The answer is lost.
    if trouble.strikes(oneIn: 40) { throw .timedOut }
    open = nil
  }

  func abort(timeoutMs: Int32) throws(KafkaError) {
    if trouble.strikes(oneIn: 10) { throw .timedOut }
    guard let open else { return }
    try asking { () throws(SimulatedKafka.Refused) in try kafka.abort(open) }
    self.open = nil
  }

  func written(_ input: TopicPartition) -> (changelog: Int64?, journal: Int64?) {
    (delivered[SimulatedKafka.changelog(input)], delivered[SimulatedKafka.journal(input)])
  }

  func close() {}

  private func asking<R>(_ request: () throws(SimulatedKafka.Refused) -> R) throws(KafkaError) -> R {
    do throws(SimulatedKafka.Refused) { return try request() } catch { throw error.isFatal ? .fenced : .aborting }
  }
}

/// What goes wrong for a worker, and its clock.
final class Trouble {
  var random: Chance
  var isOn = false
  var nowMs: Int64 = 0

  init(seed: UInt64) { random = Chance(seed: seed) }

  func strikes(oneIn count: Int) -> Bool { isOn && random.one(in: count) }
  var refusal: KafkaError { random.one(in: 2) ? .fenced : .aborting }
}

extension KafkaError {
  fileprivate static let fenced = KafkaError(
    name: "_FENCED", code: -1, message: "fenced", isFatal: true, kind: .fenced)
  fileprivate static let aborting = KafkaError(
    name: "ABORTING", code: -1, message: "refused", requiresAbort: true, kind: .other)
  fileprivate static let timedOut = KafkaError(
    name: "_TIMED_OUT", code: -185, message: "timed out", isRetriable: true, kind: .unreachable)
}

// MARK: - Topics

extension SimulatedKafka {
  static func changelog(_ partition: TopicPartition) -> TopicPartition {
    TopicPartition("changelog", partition.partition)
  }
  static func journal(_ partition: TopicPartition) -> TopicPartition { TopicPartition("journal", partition.partition) }

  fileprivate static func target(_ entry: Outbox.Entry) -> TopicPartition {
    switch entry.target {
    case .commands: TopicPartition("commands", entry.partition)
    case .results: TopicPartition("results", entry.partition)
    case .deadLetters: TopicPartition("dlq", entry.partition)
    case .changelog: TopicPartition("changelog", entry.partition)
    case .journal: TopicPartition("journal", entry.partition)
    }
  }
}

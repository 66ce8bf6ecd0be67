import Kafka
import Recovery
import Settings
import Wire
import Worker

/// A producer of ``SimulatedKafka``.
final class SimulatedProducer: MemberProducer {
  private let id: SimulatedKafka.ProducerId
  private let clients: SimulatedClients
  private let batchBytes: Int
  private var kafka: SimulatedKafka { clients.kafka }
  private var process: SimulatedProcess { clients.process }
  private let session: Int
  /// The counts that a broker told when the producer was made.
  let places: [String: Int32]
  private var open: Int?
  private var delivered: [TopicPartition: Int64] = [:]
  private var isClosed = false
  private(set) var hasSentCommands = false
  private(set) var deliveryFailure: KafkaError?
  private(set) var refusingTopic: String?
  private(set) var refusal: KafkaError?

  init(_ clients: SimulatedClients, _ turn: ProducerTurn, batchBytes: Int) {
    id = .init(member: clients.process.number, turn: turn)
    self.clients = clients
    self.batchBytes = batchBytes
    session = clients.kafka.initTransactions(id)
    places = clients.process.world.places()
    clients.process.openProducers += 1
  }

  func begin() throws(KafkaError) {
    try process.live()
    (deliveryFailure, refusal, refusingTopic) = (nil, nil, nil)
    open = try asking { () throws(SimulatedKafka.Refused) in try kafka.begin(id, session: session) }
    clients.began(open!)
  }

  func send(_ outbox: borrowing Outbox) throws(KafkaError) {
    process.pass()
    for i in outbox.entries.indices {
      if process.isDead { throw .gone }
      let entry = outbox.entries[i]
      let partition = process.world.target(entry)
      var headers: [(name: String, value: [UInt8]?)] = entry.headers < 0 ? [] : outbox.headers[entry.headers]
      let value = outbox.value(of: entry).map(Array.init)
      if ![.commands, .results].contains(entry.target),
        entry.partition >= places[process.world.topics.input[Int(entry.topic)]]!
      {
        process.world.breach("\(process.name) writes to \(partition), of which its producer doesn't know")
      }
      switch entry.target {
      case .changelog: headers.append((HelperTopics.groupHeader, Array(process.world.topics.helpers.group.utf8)))
      case .journal:
        headers.append((HelperTopics.groupHeader, Array(process.world.topics.helpers.group.utf8)))
        process.world.laws.wrote(value!, partition, by: clients)
      case .commands: hasSentCommands = true
      case .deadLetters, .results: break
      }
      if let limit = kafka.maxBytes[partition.topic], batchBytes > limit, i > 0 {
        deliveryFailure = .tooLarge
        refusingTopic = partition.topic
      }
      if kafka.areRightsGone || kafka.unwritable.contains(partition.topic) { refusal = .noRight }
      let record = SimulatedKafka.Entry(
        key: outbox.key(of: entry).map(Array.init), value: value, timestampMs: process.world.nowMs, headers: headers,
        status: .plain)
      delivered[partition] = try asking { () throws(SimulatedKafka.Refused) in
        try kafka.produce(record, to: partition, in: open!)
      }
    }
  }

  /// - Parameter group: The group as the member has known it since it got its partitions.
  func commit(_ commit: Member.Commit, of group: SimulatedGroup.Membership) throws(KafkaError) {
    var offsets: [TopicPartition: SimulatedKafka.Offset] = [:]
    for offset in commit.offsets {
      offsets[offset.partition] = .init(offset: offset.offset, metadata: offset.metadata)
    }
    let transaction = open!
    try process.live()
    if process.strikes(oneIn: 60) { throw noting(process.refusal) }
    if process.strikes(oneIn: 120) {
      kafka.deliverLate { [kafka] in try? kafka.sendOffsets(offsets, of: group, in: transaction) }
      throw .timedOut
    }
    try asking { () throws(SimulatedKafka.Refused) in
      try kafka.sendOffsets(offsets, of: group, in: transaction)
    }
    try process.live()
    if deliveryFailure != nil || refusal != nil { throw .aborting }
    if process.strikes(oneIn: 60) { throw noting(process.refusal) }
    // The request is lost.
    if process.strikes(oneIn: 120) { throw .timedOut }
    if process.strikes(oneIn: 120) {
      kafka.deliverLate { [kafka] in try? kafka.commit(transaction) }
      throw .timedOut
    }
    try asking { () throws(SimulatedKafka.Refused) in try kafka.commit(transaction) }
    try process.live()
    // The answer is lost.
    if process.strikes(oneIn: 60) { throw .timedOut }
    open = nil
    if hasSentCommands { process.hasCommitted = true }
  }

  func abort(timeoutMs: Int32) throws(KafkaError) {
    try process.live()
    if process.strikes(oneIn: 10) { throw .timedOut }
    guard let open else { return }
    // The abort of a producer that another has fenced fails.
    do throws(SimulatedKafka.Refused) { try kafka.abort(open) } catch { throw error.isFatal ? .fenced : .aborting }
    self.open = nil
  }

  func written(_ input: TopicPartition) -> (changelog: Int64?, journal: Int64?) {
    (delivered[process.world.changelog(input)], delivered[process.world.journal(input)])
  }

  func close() { if !isClosed { (isClosed, process.openProducers) = (true, process.openProducers - 1) } }

  func madeAnew(since layout: TopicLayout) -> WorkerError? { nil }

  func serve() {}

  private func noting(_ error: KafkaError) -> KafkaError {
    if error.kind == .fenced { clients.fenced() }
    return error
  }

  private func asking<R>(_ request: () throws(SimulatedKafka.Refused) -> R) throws(KafkaError) -> R {
    do throws(SimulatedKafka.Refused) { return try request() } catch {
      throw noting(error.isFatal ? .fenced : .aborting)
    }
  }
}

extension KafkaError {
  static let fenced = KafkaError(name: "_FENCED", code: -144, message: "fenced", isFatal: true, kind: .fenced)
  static let fencedInstance = KafkaError(
    name: "FENCED_INSTANCE_ID", code: 82, message: "another has its place", isFatal: true, kind: .fenced)
  static let aborting = KafkaError(
    name: "ABORTING", code: -1, message: "refused", requiresAbort: true, kind: .other)
  static let timedOut = KafkaError(
    name: "_TIMED_OUT", code: -185, message: "timed out", isRetriable: true, kind: .unreachable)
  static let gone = KafkaError(name: "_DESTROY", code: -197, message: "the process is gone", kind: .unreachable)
  static let loading = KafkaError(
    name: "COORDINATOR_LOAD_IN_PROGRESS", code: 14, message: "it begins", isRetriable: true, kind: .unreachable)
  static let outOfRange = KafkaError(
    name: "_AUTO_OFFSET_RESET", code: -140, message: "the log begins later", kind: .other)
  static let tooLarge = KafkaError(
    name: "MSG_SIZE_TOO_LARGE", code: 10, message: "too large for the topic", kind: .other)
  static let noRight = KafkaError(
    name: "TOPIC_AUTHORIZATION_FAILED", code: 29, message: "no right", kind: .authorization)
  /// Errors of the kinds that pass.
  static let passing: [KafkaError] = [
    .timedOut,
    KafkaError(name: "_TRANSPORT", code: -195, message: "the connection broke", isRetriable: true, kind: .unreachable),
    KafkaError(name: "_ALL_BROKERS_DOWN", code: -187, message: "no broker", kind: .unreachable),
    .loading,
    KafkaError(name: "NOT_COORDINATOR", code: 16, message: "another coordinates", isRetriable: true, kind: .other),
    KafkaError(name: "UNKNOWN_TOPIC_OR_PART", code: 3, message: "not known yet", kind: .unknownTopic),
    KafkaError(name: "UNKNOWN", code: -1, message: "a server error", kind: .other),
  ]
}

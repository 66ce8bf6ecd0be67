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
  private var crashes: Int
  private var open: Int?
  private var delivered: [TopicPartition: Int64] = [:]
  private var isClosed = false
  private(set) var touched: [TopicPartition: Int64?] = [:]
  private(set) var hasSentCommands = false
  private(set) var deliveryFailure: KafkaError?
  private(set) var refusingTopic: String?
  private(set) var refusal: KafkaError?

  init(_ clients: SimulatedClients, _ turn: ProducerTurn, batchBytes: Int) {
    id = .init(member: clients.process.number, turn: turn)
    self.clients = clients
    self.batchBytes = batchBytes
    crashes = clients.kafka.crashes
    session = clients.kafka.initTransactions(id)
    places = clients.process.world.places()
    clients.process.openProducers += 1
  }

  func takeLostBroker() -> Bool {
    defer { crashes = kafka.crashes }
    return crashes != kafka.crashes
  }

  func begin() throws(KafkaError) {
    // No call to a broker: nothing happens between a look whether one was away and this.
    if process.isDead { throw .gone }
    (deliveryFailure, refusal, refusingTopic) = (nil, nil, nil)
    touched = [:]
    open = try asking { () throws(SimulatedKafka.Refused) in
      try kafka.begin(id, session: session, knownTo: ObjectIdentifier(clients))
    }
    clients.began(open!)
    try process.live()
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
      try produce(record, to: partition)
    }
  }

  private func produce(_ record: SimulatedKafka.Entry, to partition: TopicPartition) throws(KafkaError) {
    if !touched.keys.contains(partition) { touched[partition] = .some(nil) }
    if kafka.isCutOff(open!) || kafka.leaderless.contains(partition) { throw .timedOut }
    let offset = try asking { () throws(SimulatedKafka.Refused) in
      try kafka.produce(record, to: partition, in: open!, of: id)
    }
    delivered[partition] = offset
    if touched[partition] == .some(nil) { touched[partition] = offset }
  }

  /// - Parameter group: As the member knows it since it has its partitions.
  func send(_ commit: Member.Commit, of group: SimulatedGroup.Membership) throws(KafkaError) {
    let offsets = Self.offsets(commit.offsets)
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
    if let planned = planned(transaction), !planned.isCommit { throw .aborting }
  }

  private func planned(_ transaction: Int) -> SimulatedKafka.PlannedLoss? {
    kafka.plannedLoss.flatMap { $0.transaction == transaction ? $0 : nil }
  }

  private static func offsets(_ offsets: [Member.Commit.Offset]) -> [TopicPartition: SimulatedKafka.Offset] {
    Dictionary(
      uniqueKeysWithValues: offsets.map { ($0.partition, .init(offset: $0.offset, metadata: $0.metadata)) })
  }

  func commit() throws(KafkaError) {
    let transaction = open!
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
    if planned(transaction)?.isAcknowledged == false { throw .timedOut }
    // The answer is lost.
    if process.strikes(oneIn: 60) { throw .timedOut }
    open = nil
    if hasSentCommands { process.hasCommitted = true }
  }

  /// A commit that breaks off here would be an abort of what was committed, which nobody can mend: so none does.
  func endAgain(_ partitions: [TopicPartition], inGroup: Bool, isCommit: Bool) throws(KafkaError) {
    if inGroup, !clients.sawPendingOffsets { kafka.willEndOffsetsAgain(id) }
    if clients.sawEnded { kafka.willEndAgain(id, partitions) }
    try begin()
    let blank = SimulatedKafka.Entry(
      timestampMs: process.world.nowMs,
      headers: [
        (HelperTopics.groupHeader, Array(process.world.topics.helpers.group.utf8)), (KafkaRecord.blankHeader, [1]),
      ], status: .plain)
    for partition in partitions {
      if !isCommit { try process.live() }
      try produce(blank, to: partition)
    }
    if inGroup { try asking { () throws(SimulatedKafka.Refused) in try kafka.sendBlankOffset(in: open!) } }
    guard isCommit else { return try abort(timeoutMs: 0) }
    try asking { () throws(SimulatedKafka.Refused) in try kafka.commit(open!) }
    try process.live()
    if process.strikes(oneIn: 60) { throw .timedOut }
    open = nil
  }

  func abort(timeoutMs: Int32) throws(KafkaError) {
    try process.live()
    if process.strikes(oneIn: 10) { throw .timedOut }
    guard let open else { return }
    if planned(open)?.isAcknowledged == false { throw .timedOut }
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
  /// Brokers answer, but not this.
  static let leaderAway = {
    var error = KafkaError.timedOut
    error.isAnswered = true
    return error
  }()
  static let gone = KafkaError(name: "_DESTROY", code: -197, message: "the process is gone", kind: .unreachable)
  static let loading = KafkaError(
    name: "COORDINATOR_LOAD_IN_PROGRESS", code: 14, message: "it begins", isRetriable: true, kind: .unreachable)
  /// As librdkafka has it where it is asked for nothing.
  static let invalid = KafkaError(name: "_INVALID_ARG", code: -186, message: "nothing is asked for", kind: .settings)
  static let damaged = KafkaError(name: "_BAD_COMPRESSION", code: -198, message: "damaged", kind: .other)
  static let outOfRange = KafkaError(
    name: "_AUTO_OFFSET_RESET", code: -140, message: "the log begins later", kind: .other)
  static let tooLarge = KafkaError(
    name: "MSG_SIZE_TOO_LARGE", code: 10, message: "too large for the topic", kind: .other)
  static let noRight = KafkaError(
    name: "TOPIC_AUTHORIZATION_FAILED", code: 29, message: "no right", kind: .authorization)
  static let wrongPassword = KafkaError(
    name: "_AUTHENTICATION", code: -169, message: "a wrong password", kind: .authentication)
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

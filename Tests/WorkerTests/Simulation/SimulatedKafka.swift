import Kafka
import Worker

/// Kafka as far as a worker's correctness hangs on it: logs with transactions and their markers, a last stable offset, a
/// group with generations, and producers that are fenced. In one thread, without time of its own.
final class SimulatedKafka {
  struct Entry {
    enum Status { case plain, pending(transaction: Int), committed, aborted, marker }
    var key: [UInt8]?
    var value: [UInt8]?
    var timestampMs: Int64
    var headers: [(name: String, value: [UInt8]?)] = []
    var status: Status
    /// The value in JSON, where the record has another form.
    var meant: [UInt8]?

    /// Says nothing.
    var isBlank: Bool { key == nil && value == nil }

    var isVisible: Bool {
      switch status {
      case .plain, .committed: true
      case .pending, .aborted, .marker: false
      }
    }
  }

  final class Log {
    fileprivate(set) var entries: [Entry] = []
    /// The first record that it still has.
    fileprivate(set) var first: Int64 = 0
    private var knownStable = 0

    var end: Int64 { Int64(entries.count) }

    /// Readers of committed data see nothing from here on.
    var stable: Int64 {
      while knownStable < entries.count {
        if case .pending = entries[knownStable].status { break }
        knownStable += 1
      }
      return Int64(knownStable)
    }

    fileprivate func end(_ transaction: Int, isCommit: Bool) {
      for i in Int(stable)..<entries.count {
        if case .pending(transaction) = entries[i].status { entries[i].status = isCommit ? .committed : .aborted }
      }
    }

    fileprivate func addMarker() { entries.append(Entry(key: nil, value: nil, timestampMs: 0, status: .marker)) }
  }

  /// A transaction, by its number, of which a test has markers lost.
  struct PlannedLoss {
    var transaction: Int
    var isCommit: Bool
    /// Its member hears of its end.
    var isAcknowledged: Bool
    /// Of its places in order, as bits.
    var lost: Int
    /// They are lost once the next one has begun, of which nothing comes to a broker.
    var isFollowed = false
    /// A topic to which it wrote has no leaders from then on.
    var leaderless: String?
  }

  struct Refused: Error {
    /// The producer is of no use any more, not just its transaction.
    var isFatal: Bool
  }

  struct Offset: Equatable {
    var offset: Int64
    var metadata: String
  }

  /// A transactional id.
  struct ProducerId: Hashable {
    var member: Int
    var turn: ProducerTurn
  }

  /// A log that gets a transaction's marker: one that it wrote to, or that of the group's offsets.
  enum Place: Hashable {
    case log(TopicPartition)
    case group
  }

  struct Transaction {
    var producer: ProducerId
    /// Nil: undecided.
    var isCommit: Bool?
    /// The places that have no marker yet.
    var places: Set<Place> = []
    /// The places whose marker is lost: what it wrote there hangs.
    var lost: Set<Place> = []
    /// The member that knows of it, by its consumer.
    var knownTo: ObjectIdentifier?
    /// ``SimulatedKafka/onCommit`` has it: somebody has seen its commit, or may have.
    var isTaken = false
    /// It decides again what another left.
    var isAgain = false
    fileprivate var isOver: Bool { isCommit != nil && places.isEmpty && lost.isEmpty }
    var records: [(partition: TopicPartition, entry: Entry)] = []
    var offsets: [TopicPartition: (offset: Offset, appended: Int)] = [:]
  }

  let group = SimulatedGroup()
  /// The number of partitions of each topic.
  var partitionCounts: [String: Int] = [:]
  /// The most bytes that a topic takes at once, where that is little.
  var maxBytes: [String: Int] = [:]
  var areRightsGone = false
  var isPasswordWrong = false
  /// The coordinator of transactions has just begun, so producers can't.
  var isLoading = false
  /// Topics to which nobody may write.
  var unwritable: Set<String> = []
  private var logs: [TopicPartition: Log] = [:]
  /// The committed offsets, each with its place in the log of the group's offsets.
  private var offsets: [TopicPartition: (offset: Offset, appended: Int)] = [:]
  private var appendedOffsets = 0
  var transactions: [Int: Transaction] = [:]
  var nextTransaction = 0
  /// Some of whose records may not have been told of.
  private(set) var unreported: Set<ProducerId> = []
  /// A producer's current session; an older one is fenced.
  private var sessions: [ProducerId: Int] = [:]
  /// Requests that were sent, and for which nobody waits any more.
  private var late: [() -> Void] = []
  /// A thing that no worker may ever do, but one did; nil: none did.
  var breach: String?
  var plannedLoss: PlannedLoss?
  /// The number of places of the planned transaction, once it is decided.
  private(set) var plannedPlaces: Int?
  /// Those of them whose markers are not lost.
  var plannedEnds: Set<Place> = []
  /// Partitions without a leader.
  var leaderless: Set<TopicPartition> = []
  /// Their records are damaged.
  var unreadable: Set<TopicPartition> = []
  /// Until then brokers answer nothing.
  var backMs: Int64 = 0
  /// Until then a new client has not found the coordinator of the group.
  var foundMs: Int64 = 0
  /// The number of answers that come too late for a caller of little patience.
  var slowAnswers = 0
  /// The number of crashes of the brokers.
  var crashes = 0
  /// After a crash: markers are lost of so many decisions about transactions that had begun by then.
  var lossyDecisions = 0
  var begunAtCrash = 0
  var losses = Chance(seed: 1)
  /// Gets each transaction that is committed, once something shows it.
  var onCommit: (Transaction) -> Void = { _ in }
  /// Names that two workers have had at once: what one may not do, two may.
  var haveNamesakes: Set<Int> = []

  // MARK: Logs

  func partitions(of topic: String) -> [TopicPartition] {
    (0..<Int32(partitionCounts[topic]!)).map { TopicPartition(topic, $0) }
  }

  func log(_ partition: TopicPartition) -> Log {
    if let log = logs[partition] { return log }
    let log = Log()
    logs[partition] = log
    return log
  }

  func append(_ entry: Entry, to partition: TopicPartition) { log(partition).entries.append(entry) }

  func committed(_ partition: TopicPartition) -> Offset? { offsets[partition]?.offset }

  /// A tool commits, as one that is no member of the group may while it has none.
  func setOffset(of partition: TopicPartition, to offset: Int64) {
    appendedOffsets += 1
    offsets[partition] = (.init(offset: offset, metadata: ""), appendedOffsets)
  }

  /// The records of a partition that a reader of committed data sees.
  func read(_ partition: TopicPartition, from offset: Int64) -> [(offset: Int64, entry: Entry)] {
    let log = log(partition)
    return stride(from: max(offset, log.first), to: log.stable, by: 1).lazy.map { ($0, log.entries[Int($0)]) }
      .filter { $0.1.isVisible }
  }

  /// Retention takes all that the log has.
  func deleteAll(of partition: TopicPartition) { log(partition).first = log(partition).end }

  /// Retention takes all of the input that has been processed.
  func deleteProcessed() {
    for (partition, offset) in offsets { log(partition).first = offset.offset.offset }
  }

  // MARK: Transactions

  /// A producer starts, or starts again: an older life of it is fenced, and its transaction aborted. Returns once all
  /// that it left has its markers.
  func initTransactions(_ producer: ProducerId) -> Int {
    fence(producer)
    finish(producer, before: .max)
    return sessions[producer]!
  }

  private func fence(_ producer: ProducerId) {
    sessions[producer, default: 0] += 1
    for (id, transaction) in transactions where transaction.producer == producer && transaction.isCommit == nil {
      decide(id, isCommit: false)
    }
  }

  /// - Parameter knownTo: Whoever begins it.
  func begin(_ producer: ProducerId, session: Int, knownTo: ObjectIdentifier? = nil) throws(Refused) -> Int {
    guard sessions[producer] == session else { throw Refused(isFatal: true) }
    // Its client doesn't begin another.
    if transactions.values.contains(where: { $0.producer == producer && $0.isCommit == nil }) {
      throw Refused(isFatal: true)
    }
    if hasUndecided(producer.member) { breach = "one transaction begins before the end of the last is known" }
    nextTransaction += 1
    transactions[nextTransaction] = Transaction(producer: producer, knownTo: knownTo)
    if isCutOff(nextTransaction) { losePlanned() }
    return nextTransaction
  }

  /// - Returns: Its offset.
  func produce(
    _ entry: Entry, to partition: TopicPartition, in transaction: Int, of producer: ProducerId
  ) throws(Refused) -> Int64 {
    do throws(Refused) {
      try add(.log(partition), to: transaction)
    } catch {
      unreported.insert(producer)
      throw error
    }
    var entry = entry
    entry.status = .pending(transaction: transaction)
    append(entry, to: partition)
    transactions[transaction]!.records.append((partition, entry))
    if entry.isBlank { transactions[transaction]!.isAgain = true }
    return log(partition).end - 1
  }

  func sendOffsets(
    _ offsets: [TopicPartition: Offset], of group: SimulatedGroup.Membership, in transaction: Int
  ) throws(Refused) {
    try add(.group, to: transaction)
    guard self.group.knows(group) else { throw Refused(isFatal: false) }
    appendedOffsets += 1
    for (partition, offset) in offsets { transactions[transaction]!.offsets[partition] = (offset, appendedOffsets) }
  }

  /// Sends an offset that is nobody's.
  func sendBlankOffset(in transaction: Int) throws(Refused) {
    try add(.group, to: transaction)
    transactions[transaction]!.isAgain = true
  }

  /// A broker refuses this until the markers of the producer's last transaction are written, and its client asks again:
  /// here they are written at once.
  private func add(_ place: Place, to id: Int) throws(Refused) {
    guard let transaction = transactions[id], transaction.isCommit == nil else { throw Refused(isFatal: true) }
    finish(transaction.producer, before: id)
    transactions[id]!.places.insert(place)
  }

  /// Decides it. Its markers come later.
  func commit(_ id: Int) throws(Refused) { try end(id, isCommit: true) }
  func abort(_ id: Int) throws(Refused) { try end(id, isCommit: false) }

  private func end(_ id: Int, isCommit: Bool) throws(Refused) {
    guard let transaction = transactions[id], transaction.isCommit == nil else { throw Refused(isFatal: true) }
    decide(id, isCommit: isCommit)
  }

  private func decide(_ id: Int, isCommit: Bool) {
    transactions[id]!.isCommit = isCommit
    if let planned = plannedLoss, planned.transaction == id, plannedPlaces == nil {
      plannedPlaces = transactions[id]!.places.count
      if !planned.isFollowed { losePlanned() }
    }
    if lossyDecisions > 0, id <= begunAtCrash {
      lossyDecisions -= 1
      lose(id, oneIn: 2)
    }
    removeIfOver(id)
  }

  func removeIfOver(_ id: Int) {
    if transactions[id]?.isOver == true { transactions[id] = nil }
  }

  /// Something shows that it is committed, so it stays so. What it was built on was committed before.
  private func take(_ id: Int) {
    guard let taken = transactions[id], !taken.isTaken else { return }
    transactions[id]!.isTaken = true
    let partitions = Set(taken.offsets.keys)
    let earlier = transactions.filter {
      $0.key < id && $0.value.isCommit == true && !partitions.isDisjoint(with: $0.value.offsets.keys)
    }
    for id in earlier.keys.sorted() { take(id) }
    if !taken.isAgain { onCommit(transactions[id]!) }
  }

  private func finish(_ producer: ProducerId, before end: Int) {
    for (id, transaction) in transactions.sorted(by: { $0.key < $1.key })
    where transaction.producer == producer && id < end {
      for place in transaction.places.sorted(by: { "\($0)" < "\($1)" }) { writeMarker(of: id, in: place) }
    }
  }

  private func writeMarker(of id: Int, in place: Place) {
    let (producer, isCommit) = (transactions[id]!.producer, transactions[id]!.isCommit!)
    // What hangs there of the same producer ends with it.
    let hanging = transactions.filter { $0.value.producer == producer && $0.value.lost.contains(place) }
    for hanging in hanging.keys.sorted() { decideAgain(hanging, in: place, isCommit: isCommit) }
    if case .log(let partition) = place { log(partition).addMarker() }
    end(id, in: place, isCommit: isCommit)
  }

  func end(_ id: Int, in place: Place, isCommit: Bool) {
    if isCommit { take(id) }
    switch place {
    case .log(let partition):
      log(partition).end(id, isCommit: isCommit)
    case .group where isCommit:
      // Of two the one that was appended later counts, whichever marker comes first.
      offsets.merge(transactions[id]!.offsets) { $0.appended > $1.appended ? $0 : $1 }
    case .group:
      break
    }
    transactions[id]!.places.remove(place)
    transactions[id]!.lost.remove(place)
    removeIfOver(id)
  }

  private func decideAgain(_ id: Int, in place: Place, isCommit: Bool) {
    if transactions[id]!.isCommit! != isCommit {
      if isCommit { breach = "a transaction that was aborted is committed in \(place)" }
      if transactions[id]!.isTaken { breach = "a transaction that was committed is aborted in \(place)" }
      // Nobody has seen it.
      transactions[id]!.isCommit = isCommit
    }
    end(id, in: place, isCommit: isCommit)
  }

  /// Aborts transactions that have been open too long, and fences their producers.
  func timeOutTransactions(where isOld: (_ member: Int) -> Bool) {
    for (_, transaction) in transactions.sorted(by: { $0.key < $1.key })
    where transaction.isCommit == nil && isOld(transaction.producer.member) {
      fence(transaction.producer)
    }
  }

  /// A request of a client that has given it up; it may come any time.
  func deliverLate(_ request: @escaping () -> Void) { late.append(request) }

  /// Some of what is under way comes to its end, in any order.
  func progress(_ chance: inout Chance, oneIn share: Int) {
    late.removeAll { request in
      guard chance.one(in: share) else { return false }
      request()
      return true
    }
    let waiting = transactions.filter { $0.value.isCommit != nil && !isHeldUp($0.key) }.sorted { $0.key < $1.key }
      .flatMap { id, transaction in
        transaction.places.sorted { "\($0)" < "\($1)" }.map { (id, $0) }
      }
    for (id, place) in waiting where chance.one(in: share) { writeMarker(of: id, in: place) }
  }

  /// Whether a transaction may still change what is committed for the partition.
  func isUnstable(_ partition: TopicPartition) -> Bool {
    transactions.values.contains { $0.offsets[partition] != nil && $0.places.union($0.lost).contains(.group) }
  }

  func hasUndecided(_ member: Int, besides open: Int? = nil) -> Bool {
    !haveNamesakes.contains(member)
      && transactions.contains { $0.key != open && $0.value.producer.member == member && $0.value.isCommit == nil }
  }

  /// Notes that a restore asks for what is committed.
  ///
  /// - Parameter open: The member's own transaction that has nothing of these partitions.
  func noteRestore(by member: Int, besides open: Int?) {
    if hasUndecided(member, besides: open) {
      breach = "a restore begins before the member's own transactions have ended"
    }
  }
}

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
    var status: Status
  }

  struct Refused: Error, Equatable {
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

  /// Where a transaction's marker is to be written: a log that it wrote to, or that of the group's offsets.
  private enum Place: Hashable {
    case log(TopicPartition)
    case group
  }

  private struct Transaction {
    var producer: ProducerId
    /// Nil: undecided.
    var isCommit: Bool?
    /// Those that have no marker yet.
    var places: Set<Place> = []
    var offsets: [TopicPartition: (offset: Offset, appended: Int)] = [:]
  }

  private(set) var logs: [TopicPartition: [Entry]] = [:]
  /// With where in the log of the group's offsets each lies.
  private var offsets: [TopicPartition: (offset: Offset, appended: Int)] = [:]
  private var appendedOffsets = 0
  /// The first record that the input still has, as a restore learns it.
  private(set) var firstOffsets: [TopicPartition: Int64] = [:]
  private var transactions: [Int: Transaction] = [:]
  private var nextTransaction = 0
  /// A producer's current session; an older one is fenced.
  private var sessions: [ProducerId: Int] = [:]
  /// What was sent, and nobody waits for any more.
  private var late: [() -> Void] = []
  /// What no worker may ever do.
  private(set) var breach: String?
  /// Names that two workers have had at once: what one may not do, two may.
  var haveNamesakes: Set<Int> = []

  // MARK: Logs

  func append(_ entry: Entry, to partition: TopicPartition) {
    logs[partition, default: []].append(entry)
  }

  func committed(_ partition: TopicPartition) -> Offset? { offsets[partition]?.offset }

  func end(of partition: TopicPartition) -> Int64 { Int64(logs[partition]?.count ?? 0) }

  /// Readers of committed data see nothing from here on.
  func lastStableOffset(of partition: TopicPartition) -> Int64 {
    let log = logs[partition] ?? []
    let first = log.firstIndex { if case .pending = $0.status { true } else { false } }
    return Int64(first ?? log.count)
  }

  /// What a reader of committed data sees of a partition.
  func read(_ partition: TopicPartition, from offset: Int64, most: Int = .max) -> [(offset: Int64, entry: Entry)] {
    let stable = lastStableOffset(of: partition)
    guard offset < stable else { return [] }
    var found: [(Int64, Entry)] = []
    for at in offset..<stable {
      let entry = logs[partition]![Int(at)]
      switch entry.status {
      case .plain, .committed: found.append((at, entry))
      case .pending, .aborted, .marker: break
      }
      if found.count == most { break }
    }
    return found
  }

  /// Retention takes all of the input that has been processed.
  func deleteProcessed() {
    firstOffsets = offsets.mapValues(\.offset.offset)
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

  func begin(_ producer: ProducerId, session: Int) throws(Refused) -> Int {
    guard sessions[producer] == session else { throw Refused(isFatal: true) }
    // Its client doesn't begin another.
    if transactions.values.contains(where: { $0.producer == producer && $0.isCommit == nil }) {
      throw Refused(isFatal: true)
    }
    if hasUndecided(producer.member) { breach = "one transaction begins before the end of the last is known" }
    nextTransaction += 1
    transactions[nextTransaction] = Transaction(producer: producer)
    return nextTransaction
  }

  /// - Returns: Its offset.
  func produce(_ entry: Entry, to partition: TopicPartition, in transaction: Int) throws(Refused) -> Int64 {
    try add(.log(partition), to: transaction)
    var entry = entry
    entry.status = .pending(transaction: transaction)
    append(entry, to: partition)
    return end(of: partition) - 1
  }

  func sendOffsets(_ offsets: [TopicPartition: Offset], of group: Membership, in transaction: Int) throws(Refused) {
    try add(.group, to: transaction)
    guard group.generation == generation, holders[group.member]?.id == group.id else { throw Refused(isFatal: false) }
    appendedOffsets += 1
    for (partition, offset) in offsets { transactions[transaction]!.offsets[partition] = (offset, appendedOffsets) }
  }

  /// What is refused until the markers of the same producer's last transaction are written, its client asks for again.
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
    if transactions[id]!.places.isEmpty { transactions[id] = nil }
  }

  private func finish(_ producer: ProducerId, before end: Int) {
    for (id, transaction) in transactions where transaction.producer == producer && id < end {
      for place in transaction.places { writeMarker(of: id, in: place) }
    }
  }

  private func writeMarker(of id: Int, in place: Place) {
    let transaction = transactions[id]!
    switch place {
    case .log(let partition):
      var log = logs[partition]!
      for i in log.indices {
        if case .pending(id) = log[i].status { log[i].status = transaction.isCommit! ? .committed : .aborted }
      }
      log.append(Entry(key: nil, value: nil, timestampMs: 0, status: .marker))
      logs[partition] = log
    case .group where transaction.isCommit!:
      // Of two the one that was appended later counts, whichever marker comes first.
      offsets.merge(transaction.offsets) { $0.appended > $1.appended ? $0 : $1 }
    case .group:
      break
    }
    transactions[id]!.places.remove(place)
    if transactions[id]!.places.isEmpty { transactions[id] = nil }
  }

  /// Aborts what has been open too long and fences who began it.
  func timeOutTransactions(where isOld: (_ member: Int) -> Bool) {
    for transaction in transactions.values where transaction.isCommit == nil && isOld(transaction.producer.member) {
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
    let waiting = transactions.filter { $0.value.isCommit != nil }.sorted { $0.key < $1.key }
      .flatMap { id, transaction in
        transaction.places.sorted { "\($0)" < "\($1)" }.map { (id, $0) }
      }
    for (id, place) in waiting where chance.one(in: share) { writeMarker(of: id, in: place) }
  }

  /// Whether a transaction may still change what is committed for the partition.
  func isUnstable(_ partition: TopicPartition) -> Bool {
    transactions.values.contains { $0.offsets[partition] != nil && $0.places.contains(.group) }
  }

  func hasUndecided(_ member: Int) -> Bool {
    !haveNamesakes.contains(member)
      && transactions.values.contains { $0.producer.member == member && $0.isCommit == nil }
  }

  /// What a restore goes by is asked for.
  func noteRestore(by member: Int) {
    if hasUndecided(member) { breach = "a restore begins before the member's own transactions have ended" }
  }

  // MARK: The group

  /// Who a member is in the group, as it sends offsets.
  struct Membership {
    var member: Int
    /// Drawn at its join.
    var id: Int
    var generation: Int
  }

  /// Who has the place of a name.
  private struct Holder {
    var id: Int
    var heardMs: Int64
  }

  private(set) var generation = 0
  private var holders: [Int: Holder] = [:]
  /// Before the last join.
  private var earlierHolders: [Int: Holder] = [:]
  private var lastId = 0
  /// By member id, which process joined with it; Kafka doesn't tell.
  private(set) var processes: [Int: Int] = [:]
  private var coordinator: Int32 = 0
  private var nowMs: Int64 = 0
  private var joined: Set<Int> = []
  private var isRebalancing = false
  private var assignment: [Int: [TopicPartition]] = [:]
  private var notified: Set<Int> = []
  var groupPartitions: [TopicPartition] = []

  /// After so long a member that is not heard is dropped.
  static let sessionMs: Int64 = 2000

  enum GroupEvent { case nothing, revoked(isLost: Bool), assigned([TopicPartition]), fenced }

  /// Also in place of one that had its name.
  ///
  /// - Returns: Its id.
  @discardableResult
  func join(_ member: Int, process: Int) -> Int {
    lastId += 1
    processes[lastId] = process
    earlierHolders[member] = holders[member]
    holders[member] = Holder(id: lastId, heardMs: nowMs)
    assignment[member] = nil
    joined.insert(member)
    rebalance()
    return lastId
  }

  /// It leaves.
  func remove(_ member: Int, id: Int) {
    guard holders[member]?.id == id else { return }
    drop(member)
  }

  private func drop(_ member: Int) {
    guard holders.removeValue(forKey: member) != nil else { return }
    joined.remove(member)
    assignment[member] = nil
    rebalance()
  }

  /// Heartbeats come, or don't.
  ///
  /// - Parameter alive: The ids of those that send them.
  func hear(_ alive: Set<Int>, nowMs: Int64) {
    self.nowMs = nowMs
    for (member, holder) in holders {
      if alive.contains(holder.id) {
        holders[member]!.heardMs = nowMs
      } else if nowMs - holder.heardMs > Self.sessionMs {
        drop(member)
      }
    }
  }

  /// A session that is over sooner than others.
  func dropSilent(_ member: Int, alive: Set<Int>) {
    if let holder = holders[member], !alive.contains(holder.id) { drop(member) }
  }

  /// Another broker coordinates the group, and begins all sessions anew.
  ///
  /// - Parameter forgotten: It has not heard of this member's last join.
  func failOver(forgetting forgotten: Int?) {
    coordinator += 1
    for member in holders.keys { holders[member]!.heardMs = nowMs }
    guard let forgotten, var earlier = earlierHolders[forgotten], holders[forgotten] != nil else { return }
    earlier.heardMs = nowMs
    holders[forgotten] = earlier
  }

  /// As the coordinator describes the group.
  func place(of member: Int) -> PlaceClaim.Answer {
    .init(
      coordinator: coordinator,
      holder: holders[member].map { .init(id: "\($0.id)", instanceId: "\(member)", clientId: "simulated", host: "h") })
  }

  /// What the group tells the member when it asks next.
  func poll(_ member: Int, id: Int, hasPartitions: Bool) -> GroupEvent {
    guard let holder = holders[member] else { return .revoked(isLost: true) }
    guard holder.id == id else { return .fenced }
    if isRebalancing {
      if joined.contains(member) { return .nothing }
      if hasPartitions { return .revoked(isLost: false) }
      joined.insert(member)
      finishRebalance()
      return .nothing
    }
    guard !notified.contains(member) else { return .nothing }
    notified.insert(member)
    return .assigned(assignment[member] ?? [])
  }

  private func rebalance() {
    isRebalancing = true
    finishRebalance()
  }

  private func finishRebalance() {
    guard joined.isSuperset(of: holders.keys), !holders.isEmpty else { return }
    isRebalancing = false
    generation += 1
    notified = []
    joined = []
    assignment = [:]
    let order = holders.keys.sorted()
    for (i, partition) in groupPartitions.enumerated() {
      assignment[order[i % order.count], default: []].append(partition)
    }
  }
}

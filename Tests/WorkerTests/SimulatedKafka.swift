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

  private struct Transaction {
    var producer: Int
    var partitions: Set<TopicPartition> = []
    var offsets: [TopicPartition: Offset] = [:]
  }

  private(set) var logs: [TopicPartition: [Entry]] = [:]
  private(set) var committed: [TopicPartition: Offset] = [:]
  /// The first record that the input still has, as a restore learns it.
  private(set) var firstOffsets: [TopicPartition: Int64] = [:]
  private var transactions: [Int: Transaction] = [:]
  private var nextTransaction = 0
  /// A producer's current session; an older one is fenced.
  private var sessions: [Int: Int] = [:]

  // MARK: Logs

  func append(_ entry: Entry, to partition: TopicPartition) {
    logs[partition, default: []].append(entry)
  }

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
    firstOffsets = committed.mapValues(\.offset)
  }

  // MARK: Transactions

  /// A producer starts, or starts again: an older life of it is fenced, and its transaction aborted.
  func initTransactions(producer: Int) -> Int {
    sessions[producer, default: 0] += 1
    for (id, transaction) in transactions where transaction.producer == producer { end(id, isCommit: false) }
    return sessions[producer]!
  }

  func begin(producer: Int, session: Int) throws(Refused) -> Int {
    try checkSession(producer, session)
    nextTransaction += 1
    transactions[nextTransaction] = Transaction(producer: producer)
    return nextTransaction
  }

  func produce(_ entry: Entry, to partition: TopicPartition, in transaction: Int) throws(Refused) {
    guard transactions[transaction] != nil else { throw Refused(isFatal: true) }
    transactions[transaction]!.partitions.insert(partition)
    var entry = entry
    entry.status = .pending(transaction: transaction)
    append(entry, to: partition)
  }

  func sendOffsets(_ offsets: [TopicPartition: Offset], generation: Int, in transaction: Int) throws(Refused) {
    guard transactions[transaction] != nil else { throw Refused(isFatal: true) }
    guard generation == self.generation else { throw Refused(isFatal: false) }
    transactions[transaction]!.offsets.merge(offsets) { $1 }
  }

  func commit(_ transaction: Int) throws(Refused) {
    guard transactions[transaction] != nil else { throw Refused(isFatal: true) }
    end(transaction, isCommit: true)
  }

  func abort(_ transaction: Int) throws(Refused) {
    guard transactions[transaction] != nil else { throw Refused(isFatal: true) }
    end(transaction, isCommit: false)
  }

  /// Aborts what has been open too long and fences who began it.
  func timeOutTransactions(where isOld: (_ producer: Int) -> Bool) {
    for (id, transaction) in transactions where isOld(transaction.producer) {
      sessions[transaction.producer, default: 0] += 1
      end(id, isCommit: false)
    }
  }

  /// Whether an open transaction may still change what is committed for the partition.
  func isUnstable(_ partition: TopicPartition) -> Bool {
    transactions.values.contains { $0.offsets[partition] != nil }
  }

  private func checkSession(_ producer: Int, _ session: Int) throws(Refused) {
    guard sessions[producer] == session else { throw Refused(isFatal: true) }
  }

  private func end(_ id: Int, isCommit: Bool) {
    let transaction = transactions.removeValue(forKey: id)!
    for partition in transaction.partitions {
      var log = logs[partition]!
      for i in log.indices {
        if case .pending(id) = log[i].status { log[i].status = isCommit ? .committed : .aborted }
      }
      log.append(Entry(key: nil, value: nil, timestampMs: 0, status: .marker))
      logs[partition] = log
    }
    if isCommit { committed.merge(transaction.offsets) { $1 } }
  }

  // MARK: The group

  private(set) var generation = 0
  private var members: Set<Int> = []
  private var joined: Set<Int> = []
  private var isRebalancing = false
  private var assignment: [Int: [TopicPartition]] = [:]
  private var notified: Set<Int> = []
  var groupPartitions: [TopicPartition] = []

  enum GroupEvent { case nothing, revoked(isLost: Bool), assigned([TopicPartition]) }

  func join(_ member: Int) {
    members.insert(member)
    joined.insert(member)
    rebalance()
  }

  /// It leaves, or its session times out.
  func remove(_ member: Int) {
    guard members.remove(member) != nil else { return }
    joined.remove(member)
    assignment[member] = nil
    rebalance()
  }

  func isMember(_ member: Int) -> Bool { members.contains(member) }

  /// What the group tells the member when it asks next.
  func poll(_ member: Int, hasPartitions: Bool) -> GroupEvent {
    guard members.contains(member) else {
      if hasPartitions { return .revoked(isLost: true) }
      join(member)
      return .nothing
    }
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
    guard members.isSubset(of: joined), !members.isEmpty else { return }
    isRebalancing = false
    generation += 1
    notified = []
    joined = []
    assignment = [:]
    let order = members.sorted()
    for (i, partition) in groupPartitions.enumerated() {
      assignment[order[i % order.count], default: []].append(partition)
    }
  }
}

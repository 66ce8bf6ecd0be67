import Kafka
import Worker

/// Ends that get lost.
extension SimulatedKafka {
  /// Brokers are away for a moment. Of what is decided, and of what is decided while they come up, markers are lost.
  func crash(_ chance: inout Chance) {
    crashes += 1
    losses = Chance(seed: chance.next())
    (lossyDecisions, begunAtCrash) = (chance.below(6), nextTransaction)
    for (id, transaction) in transactions.sorted(by: { $0.key < $1.key }) where transaction.isCommit != nil {
      lose(id, oneIn: 2)
      removeIfOver(id)
    }
  }

  func stopLosing() { lossyDecisions = 0 }

  /// None of a producer whose next transaction has begun, but has no partition yet: if that one is aborted, it takes what
  /// was lost with it. None either of a name that two workers have had at once.
  func lose(_ id: Int, oneIn share: Int) {
    let producer = transactions[id]!.producer
    if haveNamesakes.contains(producer.member) { return }
    if transactions.contains(where: { $0.key > id && $0.value.producer == producer }) { return }
    for place in transactions[id]!.places.sorted(by: { "\($0)" < "\($1)" }) where losses.one(in: share) {
      lose(id, in: place)
    }
  }

  func lose(_ id: Int, in place: Place) {
    transactions[id]!.places.remove(place)
    // What was refused there left nothing.
    if place == .group, transactions[id]!.offsets.isEmpty { return }
    transactions[id]!.lost.insert(place)
  }

  /// The brokers crash, as planned.
  func losePlanned() {
    let (id, lost) = (plannedLoss!.transaction, plannedLoss!.lost)
    if let topic = plannedLoss!.leaderless {
      let partitions = partitions(of: topic)
      guard partitions.contains(where: { transactions[id]!.places.contains(.log($0)) }) else { return }
      leaderless = Set(partitions)
    }
    crashes += 1
    let places = transactions[id]!.places.sorted { "\($0)" < "\($1)" }
    for (i, place) in places.enumerated() {
      if lost >> i & 1 == 1 { lose(id, in: place) } else { plannedEnds.insert(place) }
    }
    removeIfOver(id)
  }

  /// Whether nothing of the transaction comes to a broker, since these crash as it begins.
  func isCutOff(_ id: Int) -> Bool { plannedLoss.map { $0.isFollowed && $0.transaction + 1 == id } ?? false }

  /// Whether its markers take until the next transaction begins.
  func isHeldUp(_ id: Int) -> Bool { isCutOff(id + 1) && nextTransaction == id }

  /// Nobody has ended these.
  var hangs: Bool { transactions.values.contains { !$0.lost.isEmpty } }

  /// An operator ends, as they were decided, transactions that hang and that nobody knows of any more.
  ///
  /// - Parameter living: Those that may still end their own.
  func endHanging(exceptOf living: Set<ObjectIdentifier>) {
    for (id, transaction) in transactions.sorted(by: { $0.key < $1.key })
    where !transaction.lost.isEmpty && !(transaction.knownTo.map(living.contains) ?? false) {
      for place in transaction.lost.sorted(by: { "\($0)" < "\($1)" }) {
        end(id, in: place, isCommit: transaction.isCommit!)
      }
    }
  }

  // MARK: Transactions of others

  private static let stranger = ProducerId(member: -1, turn: .first)

  /// Brokers are away for a while, and lose nothing. All takes its time afterwards.
  func blink(nowMs: Int64) {
    crashes += 1
    (backMs, foundMs, slowAnswers) = (nowMs + 3000, nowMs + 6000, 2)
  }

  /// Another program's transaction hangs in the partition from here on.
  func hang(in partition: TopicPartition) {
    nextTransaction += 1
    let entry = Entry(
      key: [0], value: [0], timestampMs: 0, status: .pending(transaction: nextTransaction))
    transactions[nextTransaction] = Transaction(
      producer: Self.stranger, isCommit: false, lost: [.log(partition)], records: [(partition, entry)])
    append(entry, to: partition)
  }

  private func isHeldByStranger(_ partition: TopicPartition) -> Bool {
    let log = log(partition)
    guard log.stable < log.end, case .pending(let id) = log.entries[Int(log.stable)].status else { return false }
    return transactions[id]?.producer == Self.stranger
  }

  /// Whether markers of the worker's transactions, or of any one's offsets, are still to come, or lost.
  func hasUnfinished(_ member: Int) -> Bool {
    transactions.values.contains { transaction in
      let places = transaction.places.union(transaction.lost)
      return transaction.producer.member == member ? !places.isEmpty : places.contains(.group)
    }
  }

  /// A producer decides its last offsets again, which were not pending when it asked for them.
  func willEndOffsetsAgain(_ producer: ProducerId) {
    if !hasUnfinished(producer.member) { breach = "offsets are decided again, and none is pending" }
  }

  /// A producer decides again what it left there, of which it saw that all has ended.
  func willEndAgain(_ producer: ProducerId, _ partitions: [TopicPartition]) {
    if hasUnfinished(producer.member) || unreported.contains(producer) { return }
    for partition in partitions where isHeldByStranger(partition) {
      breach = "a transaction is decided again because another's hangs in \(partition)"
    }
  }
}

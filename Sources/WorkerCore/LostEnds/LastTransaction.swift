package import KafkaNames

/// The last transaction of a producer: what it touched, and what its member knows of its end.
///
/// A broker may lose the markers that end a transaction. What it wrote to these partitions then hangs, and the next end of a
/// transaction with the same id there decides it, whichever way that goes. So what hangs is decided again, as it was
/// decided, before the producer's next transaction begins (``Settlement``).
package struct LastTransaction: Equatable, Sendable {
  package enum End: Equatable, Sendable { case committed, aborted, unknown }

  /// Later ones have higher numbers.
  package var number: Int
  package var turn: ProducerTurn
  /// With the first offset at which a record of it is known to be; nil: none is known.
  package var touched: [TopicPartition: Int64?]
  /// The offsets that were sent with it, or tried.
  package var offsets: [Member.Commit.Offset]
  package var end: End

  package init(
    number: Int, turn: ProducerTurn, touched: [TopicPartition: Int64?] = [:], offsets: [Member.Commit.Offset] = [],
    end: End
  ) {
    self.number = number
    self.turn = turn
    self.touched = touched
    self.offsets = offsets
    self.end = end
  }

  /// Its commit is asked for only when each of its records is known to be written, so without that it is aborted.
  package var isAborted: Bool { end == .aborted || end == .unknown && touched.values.contains { $0 == nil } }
}

/// What the broker shows of a transaction, once no coordinator has anything left to do for it.
package struct TransactionEvidence: Equatable, Sendable {
  package enum Offsets: Equatable, Sendable { case none, landed, missing, unclear, passed }

  /// What the group's offsets show: there were none; some are those of the transaction; older ones stand there still;
  /// another member's do, and which came first is not known; later ones stand in place of all.
  package var offsets: Offsets
  /// Whether nothing is pending for these offsets.
  package var isStable: Bool
  /// Partitions that committed readers have passed, and whether they saw its records.
  package var passed: [TopicPartition: Bool] = [:]
  /// Partitions that they have passed, and that a worker may not read.
  package var unread: Set<TopicPartition> = []
  /// Partitions in which they stand before its first record: another's transaction is open there, so nothing can be told
  /// of its own.
  package var held: Set<TopicPartition> = []
  /// Whether in all of these they have stood there for so long that no living member will end it.
  package var isHeldForGood = false
  /// Partitions of which no broker told.
  package var untold: Set<TopicPartition> = []
  /// Partitions of which none has told for so long that they hold nobody up.
  package var gone: Set<TopicPartition> = []

  package init(offsets: Offsets, isStable: Bool) {
    self.offsets = offsets
    self.isStable = isStable
  }

  /// - Parameter found: The group's offsets as they are decided, of some of the partitions.
  package static func offsets(
    of last: LastTransaction, found: [TopicPartition: CommittedOffset]
  ) -> Offsets {
    let each = last.offsets.map { Self.offset($0, found[$0.partition]) }
    // All of them have one end.
    return [.landed, .missing, .unclear, .passed].first(where: each.contains) ?? .none
  }

  private static func offset(_ sent: Member.Commit.Offset, _ found: CommittedOffset?) -> Offsets {
    guard let found, let offset = found.offset else { return .missing }
    if offset == sent.offset, found.metadata == sent.metadata { return .landed }
    if offset != sent.offset { return offset < sent.offset ? .missing : .passed }
    // Where only timers fired an offset stays the same. A member's later commits have higher numbers.
    guard let old = found.metadata.flatMap(CommitName.init(ofMetadata:)),
      let new = CommitName(ofMetadata: sent.metadata)
    else { return found.metadata == GroupBeginning.mark ? .missing : .unclear }
    guard old.member == new.member else { return .unclear }
    return old.number < new.number ? .missing : .passed
  }
}

extension LastTransaction {
  package enum Step: Equatable {
    /// Nothing of it hangs.
    case settled
    /// What is not known yet will show.
    case wait
    /// What hangs is to be decided once more.
    case again(partitions: [TopicPartition], inGroup: Bool, isCommit: Bool)
    /// Which way it was decided can't be known, or it is torn already: what hangs stays, for an operator to see.
    case leave
  }

  /// - Parameters:
  ///   - isFollowed: The producer's next transaction, which is aborted, may have got somewhere, so that a commit would take
  ///     what hangs of that one, too.
  ///   - isLate: Markers that are not lost have been written, and the group has taken them over.
  ///   - isOverdue: No transaction of others can hide a partition for so long.
  package func step(_ evidence: TransactionEvidence, isFollowed: Bool, isLate: Bool, isOverdue: Bool) -> Step {
    let isSeen = end == .committed || evidence.offsets == .landed || evidence.passed.values.contains(true)
    let isRefuted = isAborted || end == .unknown && evidence.passed.values.contains(false)
    if isSeen && isRefuted { return .leave }
    if !evidence.untold.isEmpty { return .wait }
    // In any order: `hidden` is sorted.
    let told = touched.keys.filter { !evidence.gone.contains($0) }
    let hidden = told.filter { evidence.passed[$0] == nil && !evidence.unread.contains($0) }.sorted()
    // Where our offsets are visible the pending ones are another producer's.
    let inGroup = !evidence.isStable && evidence.offsets != .landed
    // Where another's transaction hangs, nothing shows that something of this one does.
    if !inGroup, evidence.held.isSuperset(of: hidden) {
      return hidden.isEmpty || evidence.isHeldForGood ? .settled : .wait
    }
    if isSeen && isFollowed {
      // Of its offsets nothing is left to be seen, so they may go the way of the next one's.
      if hidden.isEmpty, evidence.offsets == .passed {
        return isLate ? .again(partitions: [], inGroup: true, isCommit: false) : .wait
      }
      return isOverdue ? .leave : .wait
    }
    if isSeen || isRefuted { return isLate ? .again(partitions: hidden, inGroup: inGroup, isCommit: isSeen) : .wait }
    guard isOverdue else { return .wait }
    guard evidence.offsets == .none || evidence.offsets == .missing else { return .leave }
    guard evidence.unread.isEmpty, evidence.gone.isEmpty else { return .leave }
    // Nobody has seen anything of it.
    return .again(partitions: hidden, inGroup: inGroup, isCommit: false)
  }
}

/// The last transactions with the ids of a member, as far as they may not be over.
package struct PastTransactions: Equatable, Sendable {
  /// Whether no other has used the ids since.
  package let isKnown: Bool
  /// The oldest first: of each producer the last one, and the one before while that may hang, too.
  package private(set) var all: [LastTransaction] = []

  package static let none = Self(isKnown: true)
  package static let unknown = Self(isKnown: false)

  /// The last one of a producer.
  package subscript(turn: ProducerTurn) -> LastTransaction? { all.last { $0.turn == turn } }

  package func isFollowed(_ transaction: LastTransaction) -> Bool {
    self[transaction.turn]?.number != transaction.number
  }

  package mutating func begin(_ turn: ProducerTurn) {
    precondition(isKnown, "nothing begins before the past is known")
    // Aborted, unless its commit is asked for.
    all.append(LastTransaction(number: (all.last?.number ?? 0) + 1, turn: turn, end: .aborted))
  }

  /// The last one of a producer.
  package mutating func change(_ turn: ProducerTurn, _ change: (inout LastTransaction) -> Void) {
    if let number = self[turn]?.number { self.change(number, change) }
  }

  package mutating func change(_ number: Int, _ change: (inout LastTransaction) -> Void) {
    if let i = all.firstIndex(where: { $0.number == number }) { change(&all[i]) }
  }

  /// All of its ends are written.
  package mutating func settled(_ number: Int) { all.removeAll { $0.number == number } }

  /// A broker has accepted the last one somewhere, so all ends of the one before are written, or lost.
  package mutating func accepted(_ turn: ProducerTurn) {
    guard let number = self[turn]?.number else { return }
    all.removeAll { $0.turn == turn && $0.number < number }
  }

  package mutating func touched(_ turn: ProducerTurn, _ touched: [TopicPartition: Int64?]) {
    change(turn) { $0.touched = touched }
    if touched.values.contains(where: { $0 != nil }) { return accepted(turn) }
    // Nothing of it went out.
    if let last = self[turn], touched.isEmpty, last.offsets.isEmpty { settled(last.number) }
  }
}

import Kafka
import Probes
import Synchronization

/// Remembers which of a worker's calls have worked, and which the broker refuses now; shared by its members.
///
/// A refusal before the first success is a wrong setting: the worker exits. A later one is retried.
final class Standing: Sendable {
  private struct State {
    var hasBeenReady = false
    /// With partitions, so with a producer, too.
    var hasWorked = false
    /// Commands, too.
    var hasCommitted = false
    var refusals: Set<Refusal> = []
    /// Members that have met state of a later version.
    var outdated: Set<Int> = []
  }

  private struct Refusal: Hashable {
    var member: Int
    var what: String
    /// Only a transaction that is committed shows that it is over.
    var isOfTransaction: Bool

    /// Brokers refuse credentials with many errors.
    init(member: Int, _ error: KafkaError, isOfTransaction: Bool) {
      self.member = member
      self.isOfTransaction = isOfTransaction && error.kind != .authentication
      what = error.kind == .authentication ? "authentication" : error.name
    }

    /// All members share one subject: the log tells a refusal once.
    var subject: String { "refused \(what)" }
  }

  private let state = Mutex(State())
  private let log: Log

  init(_ log: Log) { self.log = log }

  /// A member has all that the group gave it at work.
  func ready(_ member: Int, hasPartitions: Bool) {
    let wasLast = state.withLock { $0.outdated.remove(member) != nil && $0.outdated.isEmpty }
    if wasLast, log.over("outdated") { log.info("what is saved can be read again") }
    endRefusals(of: member, where: { !$0.isOfTransaction }) {
      $0.hasBeenReady = true
      if hasPartitions { $0.hasWorked = true }
    }
  }

  /// - Parameter withCommands: some were in it, or before; a line of the journal alone shows little.
  func committed(_ member: Int, withCommands: Bool) {
    endRefusals(of: member, where: { _ in true }) { $0.hasCommitted = $0.hasCommitted || withCommands }
  }

  /// Says that they are over, if there are any: the first that is let through says it for all that were refused the same.
  private func endRefusals(
    of member: Int, where isOver: (Refusal) -> Bool, noting change: (inout State) -> Void
  ) {
    let over = state.withLock { state in
      change(&state)
      guard !state.refusals.isEmpty else { return [Refusal]() }
      let over = state.refusals.filter { $0.member == member && isOver($0) }
      state.refusals.subtract(over)
      return Array(over)
    }
    let told = over.filter { log.over($0.subject) }
    if !told.isEmpty { log.info("the broker lets us go on") }
  }

  func isRefused(_ member: Int) -> Bool { state.withLock { $0.refusals.contains { $0.member == member } } }

  /// Whether it is worth trying again.
  func canWait(for error: KafkaError, isOfTransaction: Bool) -> Bool {
    state.withLock {
      switch error.kind {
      case .authorization: break
      case .authentication, .settings: return $0.hasBeenReady
      // The broker's trouble, or a client's, whatever has worked.
      case .unreachable, .unknownTopic, .fenced, .other: return true
      }
      // A right to write shows only when something is written.
      if isOfTransaction { return $0.hasCommitted }
      // Members without partitions make no producer, so that they are ready shows nothing of this right.
      return error.name == "TRANSACTIONAL_ID_AUTHORIZATION_FAILED" ? $0.hasWorked : $0.hasBeenReady
    }
  }

  /// A member has met what a later version wrote, and leaves that to others.
  func reportOutdated(_ member: Int, _ error: WorkerError) {
    state.withLock { _ = $0.outdated.insert(member) }
    log.once(
      "outdated", .error, "this version is too old for what is saved; trying again each minute",
      .member(member), .reason("\(error)"))
  }

  /// Says it once, until it is over.
  func refused(_ member: Int, _ error: KafkaError, isOfTransaction: Bool) {
    let refusal = Refusal(member: member, error, isOfTransaction: isOfTransaction)
    state.withLock { _ = $0.refusals.insert(refusal) }
    log.once(
      refusal.subject, .error, "the broker refuses us; trying again with new clients until it is mended",
      .member(member), .error(error))
  }
}

import Kafka
import Probes
import Synchronization

/// What of a worker has worked already, and what is refused it now; shared by its members.
///
/// What has never worked is set up wrongly, and ends the worker. What has is mended by somebody, sooner or later.
final class Standing: Sendable {
  private struct State {
    var hasBeenReady = false
    /// Commands, too.
    var hasCommitted = false
    var refusals: Set<Refusal> = []
  }

  private struct Refusal: Hashable {
    var member: Int
    var what: String
    /// Only a transaction that is committed shows that it is over.
    var isOfTransaction: Bool

    /// Who we say we are is refused in many ways.
    init(member: Int, _ error: KafkaError, isOfTransaction: Bool) {
      self.member = member
      self.isOfTransaction = isOfTransaction && error.kind != .authentication
      what = error.kind == .authentication ? "authentication" : error.name
    }

    var subject: String { "refused \(member) \(what)" }
  }

  private let state = Mutex(State())
  private let log: Log

  init(_ log: Log) { self.log = log }

  /// A member has all that the group gave it at work.
  func ready(_ member: Int) {
    if log.over("outdated \(member)") { log.info("what is saved can be read again", .member(member)) }
    endRefusals(of: member, where: { !$0.isOfTransaction }) { $0.hasBeenReady = true }
  }

  /// - Parameter withCommands: some were in it, or before; a line of the journal alone shows little.
  func committed(_ member: Int, withCommands: Bool) {
    endRefusals(of: member, where: { _ in true }) { $0.hasCommitted = $0.hasCommitted || withCommands }
  }

  /// Says that they are over, if there are any.
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
    guard !over.isEmpty else { return }
    for refusal in over { log.over(refusal.subject) }
    log.info("the broker lets us go on", .member(member))
  }

  func isRefused(_ member: Int) -> Bool { state.withLock { $0.refusals.contains { $0.member == member } } }

  /// Whether it is worth trying again.
  func canWait(for error: KafkaError, isOfTransaction: Bool) -> Bool {
    state.withLock {
      // A right to write shows only when something is written.
      isOfTransaction && error.kind == .authorization ? $0.hasCommitted : $0.hasBeenReady
    }
  }

  /// A member has met what a later version wrote, and leaves that to others.
  func reportOutdated(_ member: Int, _ error: WorkerError) {
    log.once(
      "outdated \(member)", .error, "this version is too old for what is saved; trying again each minute",
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

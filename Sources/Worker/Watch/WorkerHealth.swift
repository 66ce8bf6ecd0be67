import Kafka
import Platform
import Probes
import Synchronization

/// A worker's ``Health``, for its threads and its probes. The log names each trouble once, and says when it is over.
final class WorkerHealth: Sendable {
  private struct State {
    var health = Health()
    var hasBeenReady = false
    /// It has worked on partitions, so with a producer, too.
    var hasWorked = false
    /// It has committed commands, too.
    var hasCommitted = false
  }

  private let state = Mutex(State())
  private let log: Log

  init(_ registry: Metrics, _ log: Log) {
    self.log = log
    registry.gauge("flyscreen_ready", "1: all members work; 0: some don't.") { [weak self] in
      self?.unreadiness.isEmpty == true ? 1 : 0
    }
    for reason in Unreadiness.Reason.allCases {
      registry.gauge(
        "flyscreen_unready", "1 for each reason why it is not ready, 0 for others.", [("reason", reason.rawValue)]
      ) { [weak self] in self?.unreadiness.contains { $0.reason == reason } == true ? 1 : 0 }
    }
    registry.gauge("flyscreen_broker_reachable", "1: a broker answers; 0: none does.") { [weak self] in
      self?.read { $0.isReachable(nowMs: $1) } == true ? 1 : 0
    }
    for state in Health.State.allCases {
      registry.gauge("flyscreen_members", "Members of this worker, by state.", [("state", state.rawValue)]) {
        [weak self] in Double(self?.read { $0.count(state, nowMs: $1) } ?? 0)
      }
    }
  }

  private func read<R>(_ body: (Health, Int64) -> R) -> R {
    let nowMs = MonotonicClock.nowMs()
    return state.withLock { body($0.health, nowMs) }
  }

  /// The health is read and changed in one step.
  func change<R: Sendable>(_ body: (inout Health, Int64) -> R) -> R {
    let nowMs = MonotonicClock.nowMs()
    return state.withLock { body(&$0.health, nowMs) }
  }

  /// Empty: all members work.
  private var unreadiness: [Unreadiness] { read { $0.unreadiness(nowMs: $1) } }
  /// A line each; nil: all members work.
  var reasons: String? {
    let reasons = unreadiness
    return reasons.isEmpty ? nil : reasons.map(\.text).joined(separator: "\n")
  }
  /// Nil: they are alive.
  var unhealthiness: String? { read { $0.unhealthiness(nowMs: $1) } }
  var hasStuck: Bool { read { !$0.stuck(nowMs: $1).isEmpty } }

  /// Does what may not come back.
  func calling<R, E>(_ member: Int, _ body: () throws(E) -> R) throws(E) -> R {
    change { health, _ in health.setInCall(member, true) }
    defer { change { health, _ in health.setInCall(member, false) } }
    return try body()
  }

  // MARK: Successes

  /// The group has given the member its part.
  func joined(_ member: Int) {
    change { $0.answered(nowMs: $1) }
    end(.joined, of: member) { _ in }
  }

  /// The member has all that the group gave it at work.
  func ready(_ member: Int, hasPartitions: Bool) {
    end(hasPartitions ? .ready : .idle, of: member) {
      $0.hasBeenReady = true
      if hasPartitions { $0.hasWorked = true }
    }
  }

  /// - Parameter withCommands: some were in it, or before; a line of the journal alone shows little.
  func committed(_ member: Int, withCommands: Bool) {
    end(.commit, of: member) { $0.hasCommitted = $0.hasCommitted || withCommands }
  }

  private func end(_ proof: Health.Proof, of member: Int, noting success: (inout State) -> Void) {
    let over = state.withLock { state in
      success(&state)
      return state.health.worked(proof, of: member)
    }
    for trouble in over { logEnd(of: trouble) }
  }

  private func logEnd(of trouble: Trouble) {
    if let text = trouble.endText { log.info(text) }
  }

  // MARK: Brokers

  /// - Parameter isWork: Of what a member works with: the log says that the broker is back.
  func answered(isWork: Bool = true) {
    change { $0.answered(nowMs: $1) }
    if isWork, log.over("broker") { log.info("the broker is back") }
  }

  /// Logged once until it is over.
  func unanswered(_ servers: String, _ error: KafkaError) {
    let isAway = change { health, nowMs in
      health.unanswered(nowMs: nowMs)
      return health.isAway(nowMs: nowMs)
    }
    guard isAway else { return }
    log.once("broker", .warning, "no broker can be reached; waiting for one", .broker(servers), .error(error))
  }

  // MARK: Obstacles

  /// Whether it is worth trying again. A refusal before the first success is a wrong setting: the worker exits.
  func canWait(for error: KafkaError, isOfTransaction: Bool) -> Bool {
    state.withLock {
      switch error.kind {
      case .authorization: break
      case .authentication, .settings: return $0.hasBeenReady || $0.hasCommitted
      // The broker's trouble, or a client's, whatever has worked.
      case .unreachable, .unknownTopic, .fenced, .other: return true
      }
      // A right to write shows only when something is written. Committed commands show all rights.
      if isOfTransaction || $0.hasCommitted { return $0.hasCommitted }
      // Members without partitions make no producer, so that they are ready shows nothing of this right.
      return error.name == "TRANSACTIONAL_ID_AUTHORIZATION_FAILED" ? $0.hasWorked : $0.hasBeenReady
    }
  }

  func isRefused(_ member: Int) -> Bool { read { health, _ in health.has(.refused, of: member) } }

  func refused(_ member: Int, _ error: KafkaError, isOfTransaction: Bool, pauseMs: Int64) {
    let isOfCredentials = error.kind == .authentication
    let proof: Health.Proof =
      isOfCredentials || error.name == "GROUP_AUTHORIZATION_FAILED" ? .joined : isOfTransaction ? .commit : .ready
    change { $0.answered(nowMs: $1) }
    let told = Unreadiness(.refused, "the broker refuses us (asked again after \(pauseMs / 1000) s): \(error)")
    // Brokers refuse credentials with many errors.
    raise(
      .refused(isOfCredentials ? "authentication" : error.name), told, of: member, until: proof, pauseMs: pauseMs
    ) {
      $0.error(
        "the broker refuses us; trying again with new clients until it is mended", .member(member), .error(error))
    }
  }

  /// A member has met what a later version wrote, and leaves that to others.
  func outdated(_ member: Int, _ error: WorkerError, pauseMs: Int64) {
    raise(.outdated, Unreadiness(.outdated, "\(error)"), of: member, pauseMs: pauseMs) {
      $0.error(
        "this version is too old for what is saved; trying again each minute", .member(member), .reason("\(error)"))
    }
  }

  /// A broker answers, and something does not work all the same.
  func failing(_ member: Int, _ what: String, _ error: KafkaError, _ trouble: Trouble) {
    raise(trouble, Unreadiness(.failing, "\(what): \(error)"), of: member) {
      $0.warning(what, .member(member), .error(error))
    }
  }

  /// - Parameters:
  ///   - told: The reason that `/readyz` gives; nil: none.
  ///   - write: Writes a line to the log when the trouble begins.
  func raise(
    _ trouble: Trouble, _ told: Unreadiness?, of member: Int = Health.worker, until proof: Health.Proof = .ready,
    pauseMs: Int64 = 0, _ write: (Log) -> Void = { _ in }
  ) {
    if change({ $0.raise(trouble, told, of: member, until: proof, pauseMs: pauseMs, nowMs: $1) }) { write(log) }
  }

  func end(_ trouble: Trouble, of member: Int = Health.worker) {
    if change({ health, _ in health.end(trouble, of: member) }) { logEnd(of: trouble) }
  }
}

import Kafka
import Platform
import Probes
import Recovery
import Synchronization

/// A place in the group: one member after another has it. Where waiting may mend what ended one, the next begins anew,
/// with new clients.
final class MemberSeat: Sendable {
  /// Set once nobody has it any more.
  let ended = StopSignal()
  private let context: MemberContext
  private let stopping: StopSignal
  private let failed: @Sendable (any Error) -> Void
  private let holder: Mutex<(tenure: Tenure, handOvers: Int)>

  /// Between two looks whether what is there can be read again.
  private static let outdatedMs: Int64 = 60_000
  /// Between two looks who has the member's place.
  private static let askMs: Int64 = 500
  /// A thread that is left in librdkafka stays there until the end of the process.
  private static let mostHandOvers = 8

  /// - Parameter failed: gets what waiting does not mend.
  init(_ context: MemberContext, stopping: StopSignal, failed: @escaping @Sendable (any Error) -> Void) {
    self.context = context
    self.stopping = stopping
    self.failed = failed
    holder = Mutex((context.tenure, 0))
    start(context)
  }

  var number: Int { context.number }

  /// Gives the place of a member that hangs in librdkafka to another. That one joins the group as one that came after a
  /// crash; what the first had begun is fenced.
  func handOver() {
    let next = Tenure()
    let isGiven = holder.withLock { holder in
      guard holder.handOvers < Self.mostHandOvers else { return false }
      holder.tenure.end()
      holder = (next, holder.handOvers + 1)
      return true
    }
    guard isGiven else { return }
    endTurns()
    context.metrics.handOvers.add()
    context.log.warning("a member hangs in a call to the broker; another takes its place", .member(number))
    var context = context
    context.tenure = next
    start(context)
  }

  private func start(_ context: MemberContext) {
    _ = SystemThread { [self] in
      do {
        try work(context)
      } catch {
        if !context.tenure.isOver { failed(error) }
      }
      guard !context.tenure.isOver else { return }
      endTurns()
      ended.set()
    }
  }

  private func work(_ context: MemberContext) throws {
    var backOff = RetryWait()
    // The first member takes the place without asking: whoever had it ends.
    var loss: PlaceLost?
    while !stopping.isSet, !context.tenure.isOver {
      do {
        if let loss {
          guard try claimPlace(after: loss, context) else { return }
        }
        loss = nil
        try MemberLoop(context, stopping: stopping).run()
      } catch let lost as PlaceLost {
        loss = lost
      } catch {
        if context.tenure.isOver { return }
        try wait(for: error, &backOff)
      }
    }
  }

  /// Waits until the next member may join.
  ///
  /// - Returns: Whether it may; false: it is to stop.
  /// - Throws: ``WorkerError/replaced(id:)``, ``WorkerError/refused(_:isOfTransaction:)``.
  private func claimPlace(after loss: PlaceLost, _ context: MemberContext) throws(WorkerError) -> Bool {
    endTurns()
    var claim = PlaceClaim(ownId: loss.memberId, sessionMs: context.plan.properties.sessionMs)
    var place = GroupPlace(context)
    var isTold = false
    while !stopping.isSet, !context.tenure.isOver {
      let answer = try place.ask()
      switch claim.decide(answer, nowMs: MonotonicClock.nowMs()) {
      case .join:
        if isTold { context.log.info("joining the group again with new clients", .member(number)) }
        return true
      case .end:
        throw .replaced(id: context.plan.name)
      case .wait:
        if !isTold, let answer {
          isTold = true
          context.log.warning(
            "the group has given the place of a member to another client; waiting until the group drops that one",
            .member(number), .reason(answer.holder?.id ?? "nobody has it now"))
        }
        let name = context.name
        let why =
          isTold
          ? "member \(name) has lost its place in the group; it joins again once nobody has it"
          : "the group's coordinator does not tell who has the place of member \(name)"
        context.health.note(
          Unreadiness(.replaced, why), of: number, subject: "replaced", pauseMs: Self.askMs)
        stopping.wait(ms: Self.askMs)
      }
    }
    return false
  }

  private func wait(for error: any Error, _ backOff: inout RetryWait) throws {
    let (reason, isOfTransaction): (KafkaError, Bool)
    switch error {
    case WorkerError.refused(let why, let whose): (reason, isOfTransaction) = (why, whose)
    case let error as KafkaError: (reason, isOfTransaction) = (error, false)
    case RestoreError.newer(let what): return restAsOutdated(.newer("a changelog has \(what)"))
    case let error as WorkerError:
      guard case .newer = error else { throw error }
      return restAsOutdated(error)
    default: throw error
    }
    guard context.health.canWait(for: reason, isOfTransaction: isOfTransaction) else { throw error }
    if !context.health.isRefused(number) { backOff.reset() }
    let pauseMs = backOff.next()
    context.health.refused(number, reason, isOfTransaction: isOfTransaction, pauseMs: pauseMs)
    rest(ms: pauseMs)
  }

  private func restAsOutdated(_ error: WorkerError) {
    context.health.outdated(number, error, pauseMs: Self.outdatedMs)
    rest(ms: Self.outdatedMs)
  }

  private func rest(ms: Int64) {
    endTurns()
    stopping.wait(ms: ms)
  }

  private func endTurns() { context.health.change { health, _ in health.endedTurns(number) } }
}

/// Whether a member still has its place.
final class Tenure: Sendable {
  private let over = Atomic(false)

  var isOver: Bool { over.load(ordering: .acquiring) }
  func end() { over.store(true, ordering: .releasing) }
}

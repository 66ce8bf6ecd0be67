import Kafka
package import Platform
import Probes
import Recovery

/// One member after another in a place of the group. If a member ends by an error that waiting may mend, the next one
/// begins anew, with new clients.
///
/// It is made of steps, so that a thread can run it as well as a simulation.
package struct MemberLife<Clients: MemberClients>: ~Copyable {
  /// Asks who has the place of a member that lost it.
  private struct Claim: ~Copyable {
    var claim: PlaceClaim
    var place: GroupPlace<Clients>
    var isTold = false

    init(_ context: MemberContext<Clients>) {
      claim = PlaceClaim(ownIds: context.memberIds.all, sessionMs: context.plan.properties.sessionMs)
      place = GroupPlace(context)
    }
  }

  private let context: MemberContext<Clients>
  private let stopping: StopSignal
  private var backOff = RetryWait()
  /// The member at work. If there is none, and no claim either, the next one begins: the first member takes the place
  /// without asking, and its former holder ends.
  private var loop: MemberLoop<Clients>?
  private var claim: Claim?
  /// The transactions of the last member.
  private var past: PastTransactions

  /// The time between two looks whether the saved state can be read again.
  private static var outdatedMs: Int64 { 60_000 }
  /// The time between two looks who has the member's place.
  private static var askMs: Int64 { 500 }

  package init(_ context: MemberContext<Clients>, stopping: StopSignal) {
    self.context = context
    self.stopping = stopping
    past = context.hasPredecessor ? .unknown : .none
  }

  /// Has one member after another at work until the last has ended.
  static func run(_ context: MemberContext<Clients>, stopping: StopSignal) throws {
    var life = MemberLife(context, stopping: stopping)
    while let waitMs = try life.step() {
      if waitMs > 0 { stopping.wait(ms: waitMs) }
    }
  }

  /// Shows the member that is at work, if there is one.
  package mutating func withMember<R>(_ look: (borrowing Member) -> R) -> R? {
    loop?.withMember(look)
  }

  /// Whether the last transactions with the member's ids are known here.
  package mutating func knowsPast() -> Bool { loop?.past.isKnown ?? past.isKnown }

  /// Does what is next.
  ///
  /// - Returns: The time to wait before the next step, in milliseconds; nil: it has ended, since it was told to.
  /// - Throws: ``WorkerError`` for what waiting does not mend.
  package mutating func step() throws -> Int64? {
    let (stopping, tenure) = (stopping, context.tenure)
    guard !stopping.isSet, !tenure.isOver else {
      if !tenure.isOver { loop?.finish() }
      loop.take()?.close()
      return nil
    }
    do {
      if claim != nil {
        let waitMs = try claimPlace()
        if waitMs > 0 { return waitMs }
        claim = nil
      }
      if loop == nil { loop = try MemberLoop(context, past: past, stopping: stopping) }
      try loop!.turn()
      return 0
    } catch is PlaceLost {
      closeLoop()
      claim = Claim(context)
      endTurns()
      return 0
    } catch {
      closeLoop()
      if tenure.isOver { return nil }
      if claim != nil { claim = Claim(context) }
      return try restMs(for: error)
    }
  }

  private mutating func closeLoop() {
    if let past = loop.take()?.close() { self.past = past }
  }

  /// - Returns: The time until it is to be asked again; 0: the next member may join.
  /// - Throws: ``WorkerError/replaced(id:)``, ``WorkerError/refused(_:isOfTransaction:)``.
  private mutating func claimPlace() throws(WorkerError) -> Int64 {
    let answer = try claim!.place.ask()
    switch claim!.claim.decide(answer, nowMs: context.clients.monotonicMs()) {
    case .join:
      if claim!.isTold { context.log.info("joining the group again with new clients", .member(context.number)) }
      return 0
    case .end:
      throw .replaced(id: context.plan.name)
    case .wait:
      if !claim!.isTold, let answer {
        claim!.isTold = true
        // It may have used our transactional ids.
        past = .unknown
        context.log.warning(
          "the group has given the place of a member to another client; waiting until the group drops that one",
          .member(context.number), .reason(answer.holder?.id ?? "nobody has it now"))
      }
      let name = context.name
      let why =
        claim!.isTold
        ? "member \(name) has lost its place in the group; it joins again once nobody has it"
        : "the group's coordinator does not tell who has the place of member \(name)"
      context.health.raise(.fenced, Unreadiness(.replaced, why), of: context.number, pauseMs: Self.askMs)
      return Self.askMs
    }
  }

  /// The pause before the next member begins.
  private mutating func restMs(for error: any Error) throws -> Int64 {
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
    let (health, number) = (context.health, context.number)
    guard health.canWait(for: reason, isOfTransaction: isOfTransaction) else { throw error }
    if !health.isRefused(number) { backOff.reset() }
    let pauseMs = backOff.next()
    health.refused(number, reason, isOfTransaction: isOfTransaction, pauseMs: pauseMs)
    endTurns()
    return pauseMs
  }

  private func restAsOutdated(_ error: WorkerError) -> Int64 {
    context.health.outdated(context.number, error, pauseMs: Self.outdatedMs)
    endTurns()
    return Self.outdatedMs
  }

  private func endTurns() { context.health.change { health, _ in health.endedTurns(context.number) } }
}

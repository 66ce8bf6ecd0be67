package import Platform
import Probes
import Synchronization

/// A place in the group, on a thread: one member after another has it (``MemberLife``).
package final class MemberSeat<Clients: MemberClients>: Sendable {
  private struct Holder {
    var context: MemberContext<Clients>
    /// Threads whose place was given to another, and that have not come back from librdkafka.
    var hanging = 0
  }

  /// Set once nobody has it any more.
  package let ended = StopSignal()
  private let context: MemberContext<Clients>
  private let newClients: @Sendable () -> Clients
  private let work: @Sendable (MemberContext<Clients>) throws -> Void
  private let failed: @Sendable (any Error) -> Void
  private let holder: Mutex<Holder>

  /// A thread that hangs may never come back, and keeps its clients.
  private static var mostHanging: Int { 8 }

  /// - Parameters:
  ///   - newClients: makes those of the member that takes the place of one that hangs.
  ///   - failed: gets what waiting does not mend.
  ///   - work: runs one member after another, until the end or until another has the place.
  package init(
    _ context: MemberContext<Clients>, newClients: @escaping @Sendable () -> Clients,
    failed: @escaping @Sendable (any Error) -> Void,
    work: @escaping @Sendable (MemberContext<Clients>) throws -> Void
  ) {
    self.context = context
    self.newClients = newClients
    self.failed = failed
    self.work = work
    holder = Mutex(Holder(context: context))
    start(context)
  }

  var number: Int { context.number }

  /// Gives the place of a member that hangs in librdkafka to another. That one joins the group as one that came after a
  /// crash; what the first had begun is fenced.
  ///
  /// - Returns: Whether it has; not so where too many hang.
  @discardableResult package func handOver() -> Bool {
    let next: MemberContext<Clients>? = holder.withLock { holder in
      guard holder.hanging < Self.mostHanging else { return nil }
      holder.hanging += 1
      holder.context = holder.context.handedOver(newClients())
      return holder.context
    }
    guard let next else { return false }
    endTurns()
    context.metrics.handOvers.add()
    context.log.warning("a member hangs in a call to the broker; another takes its place", .member(number))
    start(next)
    return true
  }

  private func start(_ context: MemberContext<Clients>) {
    _ = SystemThread { [self] in
      do { try work(context) } catch {
        if !context.tenure.isOver { failed(error) }
      }
      if context.tenure.isOver {
        holder.withLock { $0.hanging -= 1 }
      } else {
        endTurns()
        ended.set()
      }
    }
  }

  private func endTurns() { context.health.change { health, _ in health.endedTurns(number) } }
}

/// Whether a member still has its place.
final class Tenure: Sendable {
  private let over = Atomic(false)

  var isOver: Bool { over.load(ordering: .acquiring) }
  func end() { over.store(true, ordering: .releasing) }
}

import Platform
import Probes
import Synchronization

/// A place in the group, on a thread: one member after another has it (``MemberLife``).
final class MemberSeat: Sendable {
  /// Set once nobody has it any more.
  let ended = StopSignal()
  private let context: MemberContext<BrokerClients>
  private let stopping: StopSignal
  private let failed: @Sendable (any Error) -> Void
  private let holder: Mutex<(context: MemberContext<BrokerClients>, handOvers: Int)>

  /// A thread that is left in librdkafka stays there until the end of the process.
  private static let mostHandOvers = 8

  /// - Parameter failed: gets what waiting does not mend.
  init(
    _ context: MemberContext<BrokerClients>, stopping: StopSignal, failed: @escaping @Sendable (any Error) -> Void
  ) {
    self.context = context
    self.stopping = stopping
    self.failed = failed
    holder = Mutex((context, 0))
    start(context)
  }

  var number: Int { context.number }

  /// Gives the place of a member that hangs in librdkafka to another. That one joins the group as one that came after a
  /// crash; what the first had begun is fenced.
  func handOver() {
    let next: MemberContext<BrokerClients>? = holder.withLock { holder in
      guard holder.handOvers < Self.mostHandOvers else { return nil }
      holder = (holder.context.handedOver(BrokerClients()), holder.handOvers + 1)
      return holder.context
    }
    guard let next else { return }
    endTurns()
    context.metrics.handOvers.add()
    context.log.warning("a member hangs in a call to the broker; another takes its place", .member(number))
    start(next)
  }

  private func start(_ context: MemberContext<BrokerClients>) {
    _ = SystemThread { [self] in
      do {
        var life = MemberLife(context, stopping: stopping)
        while let waitMs = try life.step() {
          if waitMs > 0 { stopping.wait(ms: waitMs) }
        }
      } catch {
        if !context.tenure.isOver { failed(error) }
      }
      guard !context.tenure.isOver else { return }
      endTurns()
      ended.set()
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

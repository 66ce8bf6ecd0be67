import Kafka
import Platform
import Settings

/// Sees to members that don't come back from librdkafka: says why, and gives the place of one that is lost to another.
struct StuckMembers {
  private let plan: WorkerPlan
  private let seats: [MemberSeat]
  private let context: MemberContext
  private var isReported = false
  private var nextLookMs: Int64 = 0
  /// Since when a new client has been let in.
  private var letInSinceMs: Int64?

  private static let timeoutMs: Int32 = 2000
  /// Between two new clients.
  private static let everyMs: Int64 = 2000
  /// By then one that was waiting would have come back, too.
  private static let settleMs: Int64 = 3000

  init(_ plan: WorkerPlan, _ seats: [MemberSeat], _ context: MemberContext) {
    self.plan = plan
    self.seats = seats
    self.context = context
  }

  mutating func look(isStopping: Bool) {
    let watch = context.metrics.states.watch
    guard watch.isStuck(nowMs: MonotonicClock.nowMs()) else {
      if isReported { report(nil) }
      isReported = false
      letInSinceMs = nil
      return
    }
    guard !isStopping, MonotonicClock.nowMs() >= nextLookMs else { return }
    let trouble = trouble()
    let nowMs = MonotonicClock.nowMs()
    nextLookMs = nowMs + Self.everyMs
    if let trouble {
      letInSinceMs = nil
      if trouble.kind == .unreachable { context.reportUnreachable(trouble) }
      isReported = true
      return report(trouble)
    }
    report(nil)
    let since = letInSinceMs ?? nowMs
    letInSinceMs = since
    guard nowMs - since >= Self.settleMs else { return }
    for member in watch.lost(nowMs: nowMs) { seats[member].handOver() }
  }

  /// The error that a new client gets; nil: it gets an answer.
  private func trouble() -> KafkaError? {
    do throws(KafkaError) {
      let admin = try Admin(properties: plan.properties, clientId: plan.clientId(seats.count), log: plan.clientLog)
      _ = try admin.partitionCount(of: plan.topics.commands, timeoutMs: Self.timeoutMs)
      return nil
    } catch {
      return error
    }
  }

  private func report(_ trouble: KafkaError?) {
    context.metrics.states.watch.setExplained(trouble != nil)
    let isRefusal = trouble.map { $0.isRefusal || $0.kind == .settings } ?? false
    context.metrics.states.setResting(
      seats.count,
      because: isRefusal ? trouble.map { Unreadiness(reason: .refused, text: "the broker refuses us: \($0)") } : nil)
    guard isRefusal, let trouble else { return }
    for member in seats.map(\.number) { context.standing.refused(member, trouble, isOfTransaction: true) }
  }
}

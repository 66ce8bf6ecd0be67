import Kafka
import Platform
import Settings

/// Asks a new client why members don't come back from librdkafka, and gives the place of one that is lost to another.
struct StuckMembers {
  private let plan: WorkerPlan
  private let seats: [MemberSeat<BrokerClients>]
  private let context: MemberContext<BrokerClients>
  private var nextLookMs: Int64 = 0

  private static let timeoutMs: Int32 = 2000
  /// The time between two new clients.
  private static let everyMs: Int64 = 2000

  init(_ plan: WorkerPlan, _ seats: [MemberSeat<BrokerClients>], _ context: MemberContext<BrokerClients>) {
    self.plan = plan
    self.seats = seats
    self.context = context
  }

  mutating func look(isStopping: Bool) {
    let health = context.health
    guard health.hasStuck else {
      _ = health.change { $0.tried(isLetIn: nil, nowMs: $1) }
      return
    }
    guard !isStopping, MonotonicClock.nowMs() >= nextLookMs else { return }
    let trouble = trouble()
    nextLookMs = MonotonicClock.nowMs() + Self.everyMs
    if let trouble {
      if trouble.kind == .unreachable { context.reportUnreachable(trouble) }
      if trouble.isRefusal || trouble.kind == .settings {
        for member in seats.map(\.number) {
          health.refused(member, trouble, isOfTransaction: true, pauseMs: Self.everyMs)
        }
      }
    }
    for member in health.change({ $0.tried(isLetIn: trouble == nil, nowMs: $1) }) { seats[member].handOver() }
  }

  /// The error that a new client gets; nil: it gets an answer.
  private func trouble() -> KafkaError? {
    do throws(KafkaError) {
      let admin = try Admin(properties: plan.properties, clientId: plan.clientId(seats.count), log: plan.clientLog)
      _ = try admin.partitionCount(of: plan.topics.commands, timeoutMs: Self.timeoutMs)
      context.health.answered(isWork: false)
      return nil
    } catch {
      return error
    }
  }
}

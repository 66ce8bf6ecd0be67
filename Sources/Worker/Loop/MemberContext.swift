import Kafka
package import Probes
import Synchronization

/// Values that the parts of a member's shell share.
package struct MemberContext<Clients: MemberClients>: Sendable {
  private(set) var clients: Clients
  let plan: WorkerPlan
  let number: Int
  let log: Log
  let metrics: WorkerMetrics
  /// Whether another may have used the member's transactional ids before.
  private(set) var hasPredecessor: Bool
  /// The tenure of the member that has the place.
  var tenure = Tenure()

  package init(
    _ clients: Clients, plan: WorkerPlan, number: Int, log: Log, metrics: WorkerMetrics
  ) {
    self.clients = clients
    self.plan = plan
    self.number = number
    hasPredecessor = plan.isNamed
    self.log = log
    self.metrics = metrics
  }

  /// The ids of all members that have had the place, among them those that hang.
  let memberIds = MemberIds()

  /// Gives the place to another member, which has clients of its own; this member has it no more.
  package func handedOver(_ clients: Clients) -> Self {
    var next = self
    next.clients = clients
    next.tenure = Tenure()
    next.hasPredecessor = true
    tenure.end()
    return next
  }

  package var name: String { "\(plan.name)-\(number)" }
  func transactionalId(_ turn: ProducerTurn) -> String { turn.transactionalId(ofMember: name, group: plan.group) }
  /// Another for each producer of the worker's members.
  func producerNumber(_ turn: ProducerTurn) -> Int { number * ProducerTurn.allCases.count + turn.rawValue }
  var clientId: String { plan.clientId(number) }

  /// The error that ends a member: `error` with the name of the thing that lacks a right.
  func refused(_ error: KafkaError, isOfTransaction: Bool = false) -> WorkerError {
    var named = error
    switch error.name {
    case "GROUP_AUTHORIZATION_FAILED": named.message = "group \(plan.group): \(error.message)"
    case "TRANSACTIONAL_ID_AUTHORIZATION_FAILED":
      let ids = ProducerTurn.allCases.map(transactionalId).joined(separator: " or ")
      named.message = "transactional id \(ids): \(error.message)"
    case "INVALID_SESSION_TIMEOUT":
      named.message = """
        kafka.session.timeout.ms (\(plan.properties.sessionMs)) is not between the broker's group.min.session.timeout.ms and \
        group.max.session.timeout.ms
        """
    case "INVALID_TRANSACTION_TIMEOUT":
      named.message = "kafka.transaction.timeout.ms is more than the broker's transaction.max.timeout.ms"
    default: break
    }
    return .refused(named, isOfTransaction: isOfTransaction)
  }

  var health: WorkerHealth { metrics.health }
  func reportUnreachable(_ error: KafkaError) { health.unanswered(plan.servers, error) }
}

/// The ids that the group has given the members of a place.
final class MemberIds: Sendable {
  private let ids = Mutex<Set<String>>([])

  var all: Set<String> { ids.withLock { $0 } }
  func note(_ id: String?) { if let id { ids.withLock { _ = $0.insert(id) } } }
}

/// Time limits of calls, in milliseconds.
enum CallLimit {
  /// The limit of a call for which a rebalance or the end of the process may have to wait.
  static let callMs: Int32 = 1000
  /// A transaction's end may take as long as the broker would leave it open.
  static let endMs: Int32 = 5000
  /// Longer than brokers take to hear that a topic has grown: who tells of fewer partitions then is believed.
  static let staleMs: Int64 = 10_000
}

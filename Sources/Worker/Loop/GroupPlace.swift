import Kafka
import Probes

/// A named member's place in its group, as the coordinator tells of it. Its calls block.
struct GroupPlace<Clients: MemberClients>: ~Copyable {
  private let context: MemberContext<Clients>
  private var admin: Clients.Admin?

  private static var timeoutMs: Int32 { 2000 }

  init(_ context: MemberContext<Clients>) { self.context = context }

  /// Nil: no answer came.
  ///
  /// - Throws: ``WorkerError/refused(_:isOfTransaction:)``.
  mutating func ask() throws(WorkerError) -> PlaceClaim.Answer? {
    let plan = context.plan
    do throws(KafkaError) {
      if admin == nil { admin = try context.clients.admin(context) }
      let group = try admin!.describeGroup(plan.group, timeoutMs: Self.timeoutMs)
      context.health.answered(isWork: false)
      context.health.end(.coordinatorSilent, of: context.number)
      return .init(coordinator: group.coordinator, holder: group.members.first { $0.instanceId == context.name })
    } catch {
      // Another client may have another password, and other connections.
      admin = nil
      switch error.kind {
      case .authentication, .authorization: throw context.refused(error)
      case .unreachable: if !error.isAnswered { context.reportUnreachable(error) }
      case .unknownTopic, .fenced, .settings, .other:
        context.health.failing(
          context.number, "the group's members can't be asked for; asking again", error,
          .coordinatorSilent)
      }
      return nil
    }
  }
}

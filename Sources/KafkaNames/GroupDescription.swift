/// The members of a consumer group, as its coordinator tells of them.
package struct GroupDescription: Equatable, Sendable {
  package struct Member: Equatable, Sendable {
    /// Given by the coordinator with each join.
    package var id: String
    /// Nil: a dynamic member.
    package var instanceId: String?
    /// The client's id. A static member has this and the host of the first process that had its place.
    package var clientId: String
    /// The address that it joined from.
    package var host: String

    package init(id: String, instanceId: String?, clientId: String, host: String) {
      self.id = id
      self.instanceId = instanceId
      self.clientId = clientId
      self.host = host
    }
  }

  /// The broker that answered: its node id, -1 if unknown.
  package var coordinator: Int32
  package var members: [Member]

  package init(coordinator: Int32, members: [Member]) {
    self.coordinator = coordinator
    self.members = members
  }
}

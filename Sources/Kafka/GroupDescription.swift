import CRdKafka

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

  init(_ description: OpaquePointer) {
    let node = rd_kafka_ConsumerGroupDescription_coordinator(description)
    coordinator = node.map { Int32(clamping: rd_kafka_Node_id($0)) } ?? -1
    let count = rd_kafka_ConsumerGroupDescription_member_count(description)
    members = (0..<count).compactMap { i in
      guard let member = rd_kafka_ConsumerGroupDescription_member(description, i) else { return nil }
      return Member(
        id: Self.text(rd_kafka_MemberDescription_consumer_id(member)) ?? "",
        instanceId: Self.text(rd_kafka_MemberDescription_group_instance_id(member)),
        clientId: Self.text(rd_kafka_MemberDescription_client_id(member)) ?? "",
        host: Self.text(rd_kafka_MemberDescription_host(member)) ?? "")
    }
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    guard let pointer, pointer.pointee != 0 else { return nil }
    return String(cString: pointer)
  }
}

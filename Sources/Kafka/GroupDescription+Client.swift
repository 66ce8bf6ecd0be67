import CRdKafka

extension GroupDescription {
  init(_ description: OpaquePointer) {
    let node = rd_kafka_ConsumerGroupDescription_coordinator(description)
    let coordinator = node.map { Int32(clamping: rd_kafka_Node_id($0)) } ?? -1
    let count = rd_kafka_ConsumerGroupDescription_member_count(description)
    let members: [Member] = (0..<count).compactMap { i in
      guard let member = rd_kafka_ConsumerGroupDescription_member(description, i) else { return nil }
      return Member(
        id: Self.text(rd_kafka_MemberDescription_consumer_id(member)) ?? "",
        instanceId: Self.text(rd_kafka_MemberDescription_group_instance_id(member)),
        clientId: Self.text(rd_kafka_MemberDescription_client_id(member)) ?? "",
        host: Self.text(rd_kafka_MemberDescription_host(member)) ?? "")
    }
    self.init(coordinator: coordinator, members: members)
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    guard let pointer, pointer.pointee != 0 else { return nil }
    return String(cString: pointer)
  }
}

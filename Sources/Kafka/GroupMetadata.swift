import CRdKafka

/// A consumer's identity in its group at this moment. Ask anew with each transaction: it changes with every rebalance,
/// and offsets sent with an old one are refused, which is the point.
package struct GroupMetadata: ~Copyable {
  let handle: OpaquePointer

  init(owning handle: OpaquePointer) { self.handle = handle }

  /// The group, whoever asks: offsets that are sent with it are taken in any generation.
  package init(anyoneOf group: String) { handle = rd_kafka_consumer_group_metadata_new(group) }

  deinit { rd_kafka_consumer_group_metadata_destroy(handle) }
}

/// Gives a consumer's identity in its group.
package struct GroupMembership {
  private let client: Client

  init(_ client: Client) { self.client = client }

  package func metadata() -> GroupMetadata {
    GroupMetadata(owning: rd_kafka_consumer_group_metadata(client.handle))
  }
}

/// The partition of a record, without a `String`: the place of its topic among those that the client was
/// given, and the partition. A record is led to its task by comparing or indexing with it.
package struct PartitionKey: Hashable, Comparable, Sendable {
  package let bits: UInt64

  @inlinable package init(topic ordinal: Int, partition: Int32) {
    bits = UInt64(UInt32(ordinal)) << 32 | UInt64(UInt32(bitPattern: partition))
  }

  /// The place of the topic in the client's list of topics.
  @inlinable package var topicOrdinal: Int { Int(bits >> 32) }
  @inlinable package var partition: Int32 { Int32(truncatingIfNeeded: bits) }

  @inlinable package static func < (a: PartitionKey, b: PartitionKey) -> Bool { a.bits < b.bits }
}

/// The offset at which reading begins.
package enum StartOffset: Hashable, Sendable {
  case at(Int64)
  case earliest
  case latest
}

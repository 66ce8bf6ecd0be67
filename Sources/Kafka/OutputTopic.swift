import CRdKafka

/// A topic that a producer writes to, its metadata loaded.
package final class OutputTopic {
  package let name: String
  package let partitionCount: Int
  let client: Client
  let handle: OpaquePointer
  /// Per partition the highest offset that the broker reported for a record of ours, -1 before the first.
  private let delivered: UnsafeMutablePointer<Int64>

  init(_ client: Client, _ name: String, timeoutMs: Int32) throws(KafkaError) {
    self.client = client
    self.name = name
    handle = try client.topic(name)
    partitionCount = try client.partitionCount(of: name, timeoutMs: timeoutMs)
    delivered = client.inbox.slots(partitionCount)
  }

  /// The highest offset at which the broker has a record of ours; `nil` before the first delivery report.
  package func delivered(_ partition: Int32) -> Int64? {
    let offset = slot(partition).pointee
    return offset >= 0 ? offset : nil
  }

  /// The slot for the offsets of a partition's delivery reports. A partition that isn't there is a broken invariant
  /// (2.0.2 would crash on it, too).
  func slot(_ partition: Int32) -> UnsafeMutablePointer<Int64> {
    precondition(partition >= 0 && partition < partitionCount, "\(name) has no partition \(partition)")
    return delivered + Int(partition)
  }
}

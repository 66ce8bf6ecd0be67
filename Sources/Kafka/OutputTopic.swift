import CRdKafka

/// A topic that a producer writes to, its metadata loaded.
package final class OutputTopic {
  package let name: String
  package let partitionCount: Int
  let client: Client
  let handle: OpaquePointer
  /// Per partition the highest offset that the broker reported for a record of ours, and beside it the first one of the
  /// last transaction there; -1: it has reported none.
  private let delivered: UnsafeMutablePointer<Int64>
  /// Per partition the count of transactions that had ended when it was last written to.
  private var lastSent: [Int]

  init(_ client: Client, _ name: String, timeoutMs: Int32) throws(KafkaError) {
    self.client = client
    self.name = name
    handle = try client.topic(name)
    partitionCount = try client.partitionCount(of: name, timeoutMs: timeoutMs)
    delivered = client.inbox.slots(2 * partitionCount)
    lastSent = Array(repeating: -1, count: partitionCount)
  }

  /// The highest offset at which the broker has a record of ours; `nil` before the first delivery report.
  package func delivered(_ partition: Int32) -> Int64? {
    let offset = slot(partition).pointee
    return offset >= 0 ? offset : nil
  }

  /// A record goes out to the partition, in a transaction after so many that have ended.
  func noteSent(_ partition: Int32, ended: Int) {
    let i = Int(partition)
    if lastSent[i] != ended { (lastSent[i], slot(partition)[1]) = (ended, -1) }
  }

  /// The partitions that a transaction wrote to, each with the first offset that the broker told of; nil: it has told none.
  ///
  /// - Parameter ended: The count of transactions that had ended when it began.
  func touched(after ended: Int) -> [(partition: Int32, offset: Int64?)] {
    lastSent.indices.filter { lastSent[$0] == ended }.map { i in
      let first = slot(Int32(i))[1]
      return (Int32(i), first >= 0 ? first : nil)
    }
  }

  /// The slot for the offsets of a partition's delivery reports. A partition that isn't there is a broken invariant
  /// (2.0.2 would crash on it, too).
  func slot(_ partition: Int32) -> UnsafeMutablePointer<Int64> {
    precondition(partition >= 0 && partition < partitionCount, "\(name) has no partition \(partition)")
    return delivered + 2 * Int(partition)
  }
}

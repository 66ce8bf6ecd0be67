/// The feed's progress with the partitions of the commands topic, and which are to be read again. It reads nothing
/// itself.
package struct TopicProgress {
  /// Partitions that are still read back, and up to where: the end that they had when reading them began. One that is
  /// busy may never be read to the end that it has then.
  private var ends: [Int32: Int64]
  /// Partitions that are read no more, until they are read anew.
  private var lost: Set<Int32> = []
  /// The topic was there before, and is gone.
  package private(set) var isTopicGone = false

  /// - Parameter ends: of each partition that is served, after its last record.
  package init(ends: [Int32: Int64]) { self.ends = ends }

  /// Nil: every partition has been read to the end that it had when reading it began.
  package var unreadiness: String? {
    if isTopicGone { return "waiting for the commands topic, which is gone" }
    let left = lost.union(ends.keys).count
    return left == 0 ? nil : "reading back commands: \(left) partitions to go"
  }

  package var hasLost: Bool { !lost.isEmpty }

  /// Whether a record came while the partition was read, and did not lie there before.
  package func isLive(_ partition: Int32, _ offset: Int64) -> Bool { offset >= ends[partition] ?? 0 }

  /// A partition has been read to this offset.
  package mutating func advance(_ partition: Int32, to offset: Int64) {
    if let end = ends[partition], offset >= end { ends[partition] = nil }
  }

  package mutating func reachEnd(of partition: Int32) { ends[partition] = nil }

  /// The next records of a partition are gone.
  package mutating func lose(_ partition: Int32) { lost.insert(partition) }

  /// - Parameter partitions: all that are served.
  package mutating func loseTopic(_ partitions: [Int32]) {
    isTopicGone = true
    lost.formUnion(partitions)
  }

  /// The partitions to read again.
  package struct Restart: Sendable {
    /// Ascending.
    package let partitions: [Int32]
    /// The log is another one: what is still said of the old one is no news.
    package let isAnotherLog: Bool
  }

  /// Decides what to read again. If the next records are gone, retention was faster than we were. Else the log is
  /// another one, since the topic was made anew; and then other partitions may have been filled to where we are, and
  /// tell nothing.
  ///
  /// - Parameters:
  ///   - readTo: the next offset that would be read, of each partition that is served.
  ///   - lows: the first that is there, of each of them.
  package func restart(readTo: [Int32: Int64], lows: [Int32: Int64]) -> Restart {
    let isAnotherLog = lost.contains { readTo[$0]! >= lows[$0]! }
    return Restart(partitions: isAnotherLog ? readTo.keys.sorted() : lost.sorted(), isAnotherLog: isAnotherLog)
  }

  /// Partitions are read anew, all that were lost among them.
  ///
  /// - Parameter ends: of each, after its last record.
  package mutating func begin(ends: [Int32: Int64]) {
    self.ends.merge(ends) { $1 }
    lost = []
    isTopicGone = false
  }
}

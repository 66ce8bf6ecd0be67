/// The feed's progress with the partitions of the commands topic, and which are to be read again. It reads nothing
/// itself.
package struct TopicProgress {
  /// Partitions that are still read back, and up to where: the end that they had when reading them began. One that is
  /// busy may never be read to the end that it has then.
  private var ends: [Int32: Int64]
  /// Partitions that are read no more for now, each since when, by the monotonic clock.
  private var lost: [Int32: Int64] = [:]
  /// The time at which the topic was last seen to have grown, by the monotonic clock; nil: never.
  private var grownAtMs: Int64?
  /// The topic was there before, and is gone.
  package private(set) var isTopicGone = false

  /// Milliseconds after which a partition that is shorter than what was read of it is another one. A broker that was
  /// frozen takes itself for the leader until it hears better, which is a matter of a second.
  package static let patienceMs: Int64 = 5000

  /// - Parameter ends: of each partition that is served, after its last record.
  package init(ends: [Int32: Int64]) { self.ends = ends }

  /// Nil: every partition has been read to the end that it had when reading it began.
  package var unreadiness: String? {
    if isTopicGone { return "waiting for the commands topic, which is gone" }
    let left = Set(lost.keys).union(ends.keys).count
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

  /// A broker says that the log doesn't have the next record of a partition.
  package mutating func lose(_ partition: Int32, nowMs: Int64) { lost[partition] = lost[partition] ?? nowMs }

  /// - Parameter partitions: all that are served.
  package mutating func loseTopic(_ partitions: [Int32], nowMs: Int64) {
    isTopicGone = true
    for partition in partitions { lose(partition, nowMs: nowMs) }
  }

  package mutating func grow(nowMs: Int64) { grownAtMs = nowMs }

  /// Whether a broker that tells of fewer partitions is to be believed: it may not have heard yet that the topic has
  /// grown.
  package func believesFewer(nowMs: Int64) -> Bool { grownAtMs.map { nowMs - $0 >= Self.patienceMs } ?? true }

  /// What a partition's log says of the place to which it was read.
  package enum Finding: Sendable {
    /// The last record that was read is still there, or nothing was read.
    case same
    /// Another one is there.
    case another
    /// It ends before. Either the topic was made anew, or a broker answered that leads it no more.
    case shorter
    /// It begins after: retention was faster than we were.
    case overtaken
    /// It has the place; no record is known by which to tell more.
    case unknown
    /// No broker told in time.
    case untold
  }

  /// The partitions to read on.
  package struct Restart: Equatable, Sendable {
    /// Those to be read again from their beginning, ascending.
    package let again: [Int32]
    /// Those to be read from where they were read to, ascending.
    package let goingOn: [Int32]
    /// The log is another one: what is still said of the old one is no news.
    package let isAnotherLog: Bool

    package init(again: [Int32] = [], goingOn: [Int32] = [], isAnotherLog: Bool = false) {
      self.again = again
      self.goingOn = goingOn
      self.isAnotherLog = isAnotherLog
    }
  }

  /// Decides what is to be read on, and how. In a topic that was made anew other partitions may have been filled to
  /// where we are, and tell nothing: all are read again.
  ///
  /// - Parameter findings: of each partition that is served.
  package func restart(_ findings: [Int32: Finding], nowMs: Int64) -> Restart {
    let isAnotherLog =
      findings.values.contains(.another)
      || lost.contains { findings[$0] == .shorter && (isTopicGone || nowMs - $1 >= Self.patienceMs) }
    if isAnotherLog { return Restart(again: findings.keys.sorted(), isAnotherLog: true) }
    let partitions = lost.keys.sorted()
    return Restart(
      again: partitions.filter { findings[$0] == .overtaken || findings[$0] == .unknown },
      goingOn: partitions.filter { findings[$0] == .same })
  }

  /// Partitions are read on.
  ///
  /// - Parameter ends: of those that are read again, after their last records.
  package mutating func begin(_ restart: Restart, ends: [Int32: Int64]) {
    self.ends.merge(ends) { $1 }
    for partition in restart.again + restart.goingOn { lost[partition] = nil }
    isTopicGone = false
  }
}

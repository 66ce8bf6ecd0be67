package import KafkaNames

/// A reason for which a worker or one of its members doesn't work as it should: `/readyz` tells it while it lasts, the log
/// once when it begins.
package enum Trouble: Hashable, Sendable {
  /// A broker refuses our credentials, or a right, by the error of this name.
  case refused(String)
  /// A later version wrote what a restore needs.
  case outdated
  /// Another client has the member's static membership.
  case fenced
  /// The group's coordinator doesn't tell who has the member's static membership.
  case coordinatorSilent
  /// The coordinator of the group is away.
  case coordinatorAway
  /// A broker answers with the error of this name.
  case broker(String)
  case transactionFailed
  /// No broker tells of the topics.
  case topicsUnknown
  case topicGone(String)
  /// An input has more partitions than its helper topics.
  case helpersBehind(input: String)
  /// The producers know of fewer partitions of an input's helper topics than there were.
  case helpersShrunk
  /// A broker tells of fewer partitions than there were, by metadata that is stale.
  case staleMetadata
  /// A log ends before the group's offset.
  case cutShort(TopicPartition)
  /// No broker leads a log that the partition's restore needs.
  case leaderless(TopicPartition)
  /// A log of the partition has records that can't be read.
  case unreadable(TopicPartition)
  /// No broker leads partitions of the member's last transactions.
  case leaderlessTransactions
  /// Something set the group back.
  case setBack(commit: String)
  case restoreFails
  /// A restore takes long.
  case restoreSlow
  /// A restore waits for a transaction that hangs.
  case restoreHangs
  /// The log no longer has the position that was to be read next.
  case outOfRange

  /// Whether members that meet it meet the same, which the log tells once for all of them.
  var isShared: Bool {
    switch self {
    case .fenced, .coordinatorSilent, .helpersShrunk, .leaderlessTransactions, .restoreSlow, .restoreHangs, .outOfRange,
      .transactionFailed:
      false
    case .refused, .outdated, .coordinatorAway, .broker, .topicsUnknown, .topicGone, .helpersBehind, .staleMetadata,
      .cutShort, .leaderless, .unreadable, .setBack, .restoreFails:
      true
    }
  }

  /// The line of the log that tells of its end; nil: a line about what works again tells it anyway.
  package var endText: String? {
    switch self {
    case .refused: "the broker accepts our credentials and rights again"
    case .outdated: "the saved state can be read again"
    case .helpersBehind(let input): "the helper topics of \(input) have as many partitions as it has"
    case .helpersShrunk: "all helper topics have their partitions"
    case .unreadable(let partition): "\(partition) can be read again"
    case .fenced, .coordinatorSilent, .coordinatorAway, .broker, .transactionFailed, .topicsUnknown, .topicGone,
      .staleMetadata, .cutShort, .leaderless, .leaderlessTransactions, .setBack, .restoreFails, .restoreSlow,
      .restoreHangs, .outOfRange:
      nil
    }
  }
}

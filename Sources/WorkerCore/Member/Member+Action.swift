package import KafkaNames
package import Recovery

extension Member {
  /// The caller's tasks, in order. ``RestoreEvent`` has the answers.
  package enum Action: Equatable {
    /// The group's consumer reads just these, from these offsets.
    case read([TopicPartition: Int64])
    /// The group gets all partitions back.
    case giveUp
    /// Ask for the committed offsets.
    case fetchCommitted([TopicPartition], round: Int)
    /// The same, a little later: no broker can tell of these yet.
    case fetchLater([TopicPartition], round: Int)
    /// Producers that know the topics as they are now take the place of those that there are.
    case makeProducersAnew
    /// Commit where the group begins in a topic.
    case begin(GroupBeginning)
    /// Read changelogs and journals from there to their ends.
    case readLogs([LogsToRead], round: Int)
    /// Read these parts of the input, of some partitions with the records' headers.
    case replayInput([TopicPartition: Range<Int64>], withHeaders: Set<TopicPartition>, round: Int)
    /// The partitions that are being read for a restore are needed no more.
    case stopRestoring
    case report(Notice)
  }

  package struct LogsToRead: Equatable {
    package var partition: TopicPartition
    /// Nil: only the end is wanted.
    package var changelogFrom: Int64?
    package var journalFrom: Int64?

    package init(partition: TopicPartition, changelogFrom: Int64?, journalFrom: Int64?) {
      self.partition = partition
      self.changelogFrom = changelogFrom
      self.journalFrom = journalFrom
    }
  }

  package struct Committed {
    package var partition: TopicPartition
    /// Nil: nothing was ever committed.
    package var offset: Int64?
    package var metadata: String?
    /// The first record that the input still has.
    package var firstOffset: Int64
    /// The offset after the last record that the input has.
    package var end: Int64
    /// The offset that workers had reached at least, if something else than a worker committed; nil: nothing tells.
    package var reachedOffset: Int64?

    /// Something else than a worker committed, as a tool that sets offsets, or one that mirrors a cluster.
    package var isForeign: Bool { offset != nil && metadata?.isEmpty != false }

    package init(
      partition: TopicPartition, offset: Int64?, metadata: String?, firstOffset: Int64, end: Int64 = .max
    ) {
      self.partition = partition
      self.offset = offset
      let isWorkers = offset.map { CommitMetadata.isWorkers(metadata, at: $0) } ?? true
      self.metadata = isWorkers ? metadata : nil
      self.firstOffset = firstOffset
      self.end = end
    }
  }

  /// Something else than a worker committed an offset that lies before one that the group's workers had reached.
  package struct SetBack: Equatable, Sendable {
    package var partition: TopicPartition
    /// The offset that workers had reached at least.
    package var from: Int64
    package var to: Int64

    package init(partition: TopicPartition, from: Int64, to: Int64) {
      self.partition = partition
      self.from = from
      self.to = to
    }

    /// The name of the commit in `worker.rewind`.
    package var commit: String { "\(partition.topic)/\(partition.partition)@\(to)" }

    package var text: String {
      "something set the group back in \(partition.topic) partition \(partition.partition) from \(from) to \(to): it rests,"
        + " since \(from - to) records would be shown once more; if that is meant, set worker.rewind to \(commit)"
    }
  }

  package struct LogEnds {
    package var partition: TopicPartition
    package var changelogEnd: Int64
    package var journalEnd: Int64

    package init(partition: TopicPartition, changelogEnd: Int64, journalEnd: Int64) {
      self.partition = partition
      self.changelogEnd = changelogEnd
      self.journalEnd = journalEnd
    }
  }

  /// The offsets of a transaction.
  package struct Commit: Equatable {
    package var offsets: [Offset]

    package init(offsets: [Offset]) { self.offsets = offsets }

    package struct Offset: Equatable {
      package var partition: TopicPartition
      package var offset: Int64
      package var metadata: String

      package init(partition: TopicPartition, offset: Int64, metadata: String) {
        self.partition = partition
        self.offset = offset
        self.metadata = metadata
      }
    }
  }

  /// News for the operator.
  package enum Notice: Equatable {
    /// Offsets were committed by something else: the rooms restart there, with nothing on their screens.
    case restarted(TopicPartition, offset: Int64)
    /// The log ends before the group's offset: it has lost its last records, or a broker doesn't know of them yet.
    case cutShort(TopicPartition, offset: Int64, end: Int64)
    /// The partition's restore waits.
    case heldUp(TopicPartition, Obstacle)
    /// Something else committed an offset before the one that was reached: the partition rests.
    case setBack(SetBack)
    /// Something else committed an offset beyond the one that was reached: the records in between are passed over.
    case skipped(TopicPartition, from: Int64, to: Int64)
    /// A member has committed when the topic had more partitions than it is said to have now.
    case stale(topic: String, partitions: Int32, were: Int32)
    /// Records that were never read are gone.
    case lost(TopicPartition, from: Int64, to: Int64)
    /// Rooms may differ from what they were: of what a restore needs this is damaged, or, if it is nothing, a part of
    /// the log is gone.
    case inexact(TopicPartition, damages: [Damage])
    /// The group's offset was committed under other rules: rooms begin anew there.
    case otherRules(TopicPartition, rules: Int64, offset: Int64)
    case restored([TopicPartition], rooms: Int)
    /// They go on with other settings than the last member had, which are in force from here.
    case settingsChanged([TopicPartition], changes: [String])
  }
}

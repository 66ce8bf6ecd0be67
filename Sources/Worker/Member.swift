package import Kafka
package import Recovery
package import Settings

/// A member of the consumer group: its partitions' tasks, and what has to be done next. Pure: what happens comes in as
/// calls, with the time; what is to be done comes out as actions and in the outbox.
package struct Member: ~Copyable {
  package enum Action: Equatable {
    /// The group's consumer reads just these, from these offsets.
    case read([TopicPartition: Int64])
    /// The group gets all partitions back.
    case giveUp
    /// Ask for the committed offsets. Answer: ``Member/committedFetched(_:round:nowMs:)``.
    case fetchCommitted([TopicPartition], round: Int)
    /// Read changelogs and journals from there to their ends. Answers: ``Member/found(_:room:checkpoint:at:)``,
    /// ``Member/found(_:journalLine:at:)``, at last ``Member/logsRead(ends:round:nowMs:)``.
    case readLogs([LogsToRead], round: Int)
    /// Read these parts of the input. Answers: ``Member/replay(_:of:)``, at last ``Member/inputReplayed(round:)``.
    case replayInput([TopicPartition: Range<Int64>], round: Int)
    case stopRestoring
  }

  package struct LogsToRead: Equatable {
    package var partition: TopicPartition
    /// Nil: only the end is wanted.
    package var changelogFrom: Int64?
    package var journalFrom: Int64?
  }

  package struct Committed {
    package var partition: TopicPartition
    /// Nil: nothing was ever committed.
    package var offset: Int64?
    package var metadata: String?
    /// The first record that the input still has.
    package var firstOffset: Int64

    package init(partition: TopicPartition, offset: Int64?, metadata: String?, firstOffset: Int64) {
      self.partition = partition
      self.offset = offset
      self.metadata = metadata
      self.firstOffset = firstOffset
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

  /// What goes into a transaction with its offsets.
  package struct Commit: Equatable {
    package var offsets: [Offset]

    package struct Offset: Equatable {
      package var partition: TopicPartition
      package var offset: Int64
      package var metadata: String
    }
  }

  /// What the operator should know of.
  package enum Notice: Equatable {
    /// Offsets were committed by something else: the rooms begin anew there.
    case beganAnew(TopicPartition, offset: Int64)
    /// Records that were never read are gone.
    case lost(TopicPartition, from: Int64, to: Int64)
    /// A part of the log that a restore needs is gone, so rooms may differ from what they were.
    case inexact(TopicPartition)
    case restored([TopicPartition], rooms: Int)
  }

  package var scratch = TaskScratch()
  package private(set) var notices: [Notice] = []
  package private(set) var assignment = AssignmentStateMachine()
  private let name: String
  private var commits = 0
  private let layout: TopicLayout
  private let settings: LogSettings
  private let checkpointMs: Int64
  private let hashSeed: UInt64
  private var tasks: [TopicPartition: PartitionTask] = [:]
  /// The same, by place in `topics.input` and partition.
  private var table: [[PartitionTask?]]
  private var lastCommitted: [TopicPartition: Commit.Offset] = [:]
  /// Being restored.
  private var fresh: [TopicPartition: PartitionRecovery] = [:]
  private var replays: [TopicPartition: Range<Int64>] = [:]
  /// What tasks counted that are no more.
  private var past = PartitionTask.Counts()

  /// - Parameter name: No other member, at no time, has it; ASCII.
  package init(name: String, layout: TopicLayout, settings: LogSettings, checkpointMs: Int64, hashSeed: UInt64) {
    self.name = name
    self.layout = layout
    self.settings = settings
    self.checkpointMs = checkpointMs
    self.hashSeed = hashSeed
    table = layout.input.map { Array(repeating: nil, count: Int(layout.inputPartitions[$0] ?? 0)) }
  }

  package mutating func takeNotices() -> [Notice] {
    defer { notices = [] }
    return notices
  }

  /// A task that works, for tests and metrics.
  package func task(_ partition: TopicPartition) -> PartitionTask? { tasks[partition] }
  package func forEachTask(_ body: (PartitionTask) -> Void) { for (_, task) in tasks { body(task) } }
  /// What happened since the member began, whatever became of the partitions: only ever more.
  package var counts: PartitionTask.Counts { tasks.values.reduce(into: past) { $0.add($1.counts) } }
}

// MARK: - Assignment and restore

extension Member {
  package mutating func assigned(_ partitions: [TopicPartition]) -> [Action] {
    carryOut(assignment.assigned(partitions))
  }

  /// - Throws: ``WorkerError`` for what waiting does not mend.
  package mutating func committedFetched(_ committed: [Committed], round: Int) throws(WorkerError) -> [Action] {
    guard round == assignment.round else { return [] }
    var unchanged: [TopicPartition] = []
    for found in committed {
      let partition = found.partition
      if tasks[partition] != nil, let last = lastCommitted[partition], last.offset == found.offset,
        last.metadata == found.metadata
      {
        unchanged.append(partition)
      } else {
        try makeTask(found)
      }
    }
    return carryOut(assignment.committedFetched(unchanged: unchanged, round: round))
  }

  private mutating func makeTask(_ found: Committed) throws(WorkerError) {
    let partition = found.partition
    let count = layout.inputPartitions[partition.topic] ?? 0
    guard partition.partition < count else {
      throw .partitionCountChanged(topic: partition.topic, was: count, is: partition.partition + 1)
    }
    let offset = found.offset ?? found.firstOffset
    var origin = PartitionRecovery.Origin.nothing(before: offset)
    if let text = found.metadata, !text.isEmpty {
      let parsed: CommitMetadata
      do { parsed = try CommitMetadata(text: text) } catch { throw .metadata(text) }
      guard parsed.partitions == count else {
        throw .partitionCountChanged(topic: partition.topic, was: parsed.partitions, is: count)
      }
      origin = .commit(Savepoint(offset: offset, metadata: parsed))
    } else if let offset = found.offset {
      notices.append(.beganAnew(partition, offset: offset))
    }
    if let offset = found.offset, offset < found.firstOffset {
      notices.append(.lost(partition, from: offset, to: found.firstOffset))
    }
    fresh[partition] = PartitionRecovery(
      from: origin, to: offset, firstOffset: found.firstOffset, checkpointMs: checkpointMs, hashSeed: hashSeed)
  }

  package mutating func found(
    _ partition: TopicPartition, room: UnsafeRawBufferPointer, checkpoint: UnsafeRawBufferPointer, at offset: Int64
  ) throws(RestoreError) {
    try fresh[partition]?.found(room: room, checkpoint: checkpoint, at: offset)
  }

  package mutating func found(_ partition: TopicPartition, journalLine: UnsafeRawBufferPointer, at offset: Int64)
    throws(RestoreError)
  {
    try fresh[partition]?.found(journalLine: journalLine, at: offset)
  }

  package mutating func logsRead(ends: [LogEnds], round: Int, nowMs: Int64) throws(RestoreError) -> [Action] {
    guard round == assignment.round else { return [] }
    replays = [:]
    for end in ends {
      guard let recovery = fresh[end.partition] else { continue }
      replays[end.partition] = try recovery.logsRead(
        journalEnd: end.journalEnd, changelogEnd: end.changelogEnd, nowMs: nowMs)
    }
    let actions = assignment.logsRead(replaying: Array(replays.keys), round: round)
    return finish(actions)
  }

  package mutating func replay(_ record: InputRecord, of partition: TopicPartition) {
    fresh[partition]?.replay(record, decoder: &scratch.decoder, batch: &scratch.batch)
  }

  package mutating func inputReplayed(round: Int) -> [Action] {
    guard round == assignment.round else { return [] }
    return finish(assignment.inputReplayed(round: round))
  }

  private mutating func finish(_ actions: [AssignmentStateMachine.Action]) -> [Action] {
    for case .run(let partitions) in actions {
      var rooms = 0
      for partition in partitions {
        guard let recovery = fresh.removeValue(forKey: partition) else { continue }
        let task = PartitionTask(
          partition, topic: Int32(layout.input.firstIndex(of: partition.topic)!),
          rooms: recovery.finish(batch: &scratch.batch), firstOffset: recovery.firstOffset, layout: layout)
        if !recovery.isExact { notices.append(.inexact(partition)) }
        if let origin = recovery.origin {
          lastCommitted[partition] = Commit.Offset(
            partition: partition, offset: origin.offset, metadata: origin.metadata.text)
        }
        tasks[partition] = task
        rooms += task.roomCount
      }
      notices.append(.restored(partitions, rooms: rooms))
    }
    return carryOut(actions)
  }

  package mutating func revoked(isLost: Bool) -> [Action] {
    carryOut(assignment.revoked(isLost: isLost))
  }

  /// A transaction failed: everything goes back to what is committed.
  package mutating func rolledBack() -> [Action] {
    scratch.outbox.removeAll()
    return carryOut(assignment.rolledBack())
  }

  private mutating func carryOut(_ steps: [AssignmentStateMachine.Action]) -> [Action] {
    var actions: [Action] = []
    for step in steps {
      switch step {
      case .read(let partitions):
        var positions: [TopicPartition: Int64] = [:]
        for partition in partitions {
          positions[partition] = tasks[partition]?.position
          // What came meanwhile is not known; whoever reads tells the end anew.
          tasks[partition]?.isAtEnd = false
        }
        actions.append(.read(positions))
      case .giveUp:
        actions.append(.giveUp)
      case .forget(let partitions):
        for partition in partitions {
          if let task = tasks.removeValue(forKey: partition) { past.add(task.counts) }
          lastCommitted[partition] = nil
        }
      case .fetchCommitted(let partitions, let round):
        actions.append(.fetchCommitted(partitions, round: round))
      case .readLogs(let partitions, let round):
        let reads = partitions.map {
          LogsToRead(partition: $0, changelogFrom: fresh[$0]?.changelogFrom, journalFrom: fresh[$0]?.journalFrom)
        }
        actions.append(.readLogs(reads, round: round))
      case .replayInput(_, let round):
        actions.append(.replayInput(replays, round: round))
      case .stopRestoring:
        fresh = [:]
        replays = [:]
        actions.append(.stopRestoring)
      case .run(let partitions):
        for partition in partitions { tasks[partition]?.adopt(settings, scratch: &scratch) }
      }
    }
    fillTable()
    return actions
  }

  private mutating func fillTable() {
    for topic in table.indices {
      for partition in table[topic].indices {
        let name = TopicPartition(layout.input[topic], Int32(partition))
        table[topic][partition] = assignment.isRunning(name) ? tasks[name] : nil
      }
    }
  }
}

// MARK: - Work

extension Member {
  /// The task of a partition that works; nil: it isn't ours any more, or not yet.
  package func runningTask(topic: Int, partition: Int32) -> PartitionTask? {
    guard table.indices.contains(topic), table[topic].indices.contains(Int(partition)) else { return nil }
    return table[topic][Int(partition)]
  }

  /// Whether something waits to be committed.
  package func hasWork(nowMs: Int64) -> Bool {
    for (partition, task) in tasks where task.hasWork(nowMs: nowMs) && assignment.isRunning(partition) { return true }
    return false
  }

  /// Fires what is due on idle partitions.
  package mutating func fireIdleTimers(nowMs: Int64) {
    for (partition, task) in tasks where assignment.isRunning(partition) {
      task.fireIdleTimers(nowMs: nowMs, scratch: &scratch)
    }
  }

  /// When, by the wall clock, the next timer of an idle partition is due; `.max`: none is.
  package var nextIdleDeadline: Int64 {
    var least = Int64.max
    for (partition, task) in tasks where task.isAtEnd && assignment.isRunning(partition) {
      if task.nextDeadline < .max - task.graceMs { least = min(least, task.nextDeadline + task.graceMs) }
    }
    return least
  }

  /// The offsets of all partitions that the transaction touches, also those in which only timers fired: it is by them
  /// that Kafka refuses a member that has been replaced.
  package mutating func prepareCommit(nowMs: Int64) -> Commit {
    var commit = Commit(offsets: [])
    commits += 1
    for (partition, task) in tasks where task.hasWork(nowMs: nowMs) && assignment.isRunning(partition) {
      let prepared = task.prepareCommit("\(name)#\(commits)", nowMs: nowMs, scratch: &scratch)
      commit.offsets.append(
        Commit.Offset(partition: partition, offset: prepared.offset, metadata: prepared.metadata.text))
    }
    return commit
  }

  /// - Parameter written: The last offsets that the producer knows to be written in the partition's changelog and
  ///   journal.
  package mutating func committed(
    _ commit: Commit, written: (TopicPartition) -> (changelog: Int64?, journal: Int64?)
  ) {
    for offset in commit.offsets {
      lastCommitted[offset.partition] = offset
      let last = written(offset.partition)
      tasks[offset.partition]?.committed(
        journalNext: last.journal.map { $0 + 1 }, changelogNext: last.changelog.map { $0 + 1 })
    }
  }
}

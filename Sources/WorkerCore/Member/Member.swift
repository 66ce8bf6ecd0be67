package import KafkaNames
internal import Recovery
package import Settings

/// A member of the consumer group: what it knows of its partitions, and what has to be done next.
///
/// Each partition is in one of the phases of ``PartitionState``. One that the group takes and gives back goes on from
/// memory if what is committed is what this member committed last. Any other is restored in three steps: what was
/// committed with its offset; its part of changelog and journal; its part of the input. Partitions that are restored
/// together take each step together, and those that could stay run meanwhile.
///
/// Pure: what happens comes in as calls, with the time; what is to be done comes out as actions, and in the outbox. An
/// answer carries the round of its question: whatever gives up what was asked for begins another round, so one that
/// comes late is ignored.
package struct Member: ~Copyable {
  package var scratch = TaskScratch()
  /// The records of the transaction that is open, or of the next one.
  package var outbox = Outbox()
  package private(set) var round = 0
  private(set) var layout: TopicLayout
  let settings: LogSettings
  let checkpointMs: Int64
  let hashSeed: UInt64
  let manyMarks: Int
  /// Setting `worker.rewind`.
  private let rewind: [String]
  private let name: String
  private var commits = 0
  private(set) var states: [TopicPartition: PartitionState] = [:]
  /// The tasks that work, by place in `topics.input` and partition.
  private(set) var running: [[PartitionTask?]]
  /// Whether the group has given it its part, which may be nothing, and not taken it back.
  private var hasPart = false
  /// The first records that were left of logs of which some were lost, as far as that was told.
  var lostTo: [TopicPartition: Int64] = [:]
  /// Counts of tasks that are gone.
  private var retired = PartitionTask.Counts()

  /// - Parameter name: No other member, at no time, has it; ASCII.
  package init(
    name: String, layout: TopicLayout, settings: LogSettings, checkpointMs: Int64, hashSeed: UInt64,
    rewind: [String] = [], manyMarks: Int = RestorableRooms.manyMarks
  ) {
    self.name = name
    self.layout = layout
    self.settings = settings
    self.checkpointMs = checkpointMs
    self.hashSeed = hashSeed
    self.manyMarks = manyMarks
    self.rewind = rewind
    running = layout.input.map { Array(repeating: nil, count: Int(layout.inputPartitions[$0] ?? 0)) }
  }

  /// Input topics have more partitions now, or places for more. A room that moves to another partition begins anew
  /// there; nothing is ended for it where it was.
  package mutating func grow(to layout: TopicLayout) {
    self.layout = layout
    for (topic, name) in layout.input.enumerated() {
      let more = Int(layout.inputPartitions[name] ?? 0) - running[topic].count
      if more > 0 { running[topic] += Array(repeating: nil, count: more) }
    }
    for task in tasks { task.inputPartitions = layout.inputPartitions[task.partition.topic] ?? task.inputPartitions }
  }

  /// Partitions in a phase, in order.
  func partitions(where isWanted: (PartitionState) -> Bool) -> [TopicPartition] {
    states.filter { isWanted($0.value) }.map(\.key).sorted()
  }

  /// All partitions that it has a state of, in order.
  var partitions: [TopicPartition] { states.keys.sorted() }

  /// The one way from a phase to another.
  mutating func move(_ partition: TopicPartition, to state: PartitionState?) {
    let task = state?.memory?.task
    if let old = states[partition]?.memory?.task, old !== task { retired.add(old.counts) }
    states[partition] = state
    guard let topic = layout.input.firstIndex(of: partition.topic),
      running[topic].indices.contains(Int(partition.partition))
    else { return }
    running[topic][Int(partition.partition)] = state?.running
  }
}

// MARK: - What the group gives and takes

extension Member {
  /// The group gave these, all that the member has now.
  package mutating func assigned(_ partitions: [TopicPartition]) -> [Action] {
    round += 1
    hasPart = true
    for partition in self.partitions where !partitions.contains(partition) { move(partition, to: nil) }
    for partition in partitions { move(partition, to: .fetching(states[partition]?.memory)) }
    // Reading nothing at first completes the group's protocol; another rebalance can come at any time from here on.
    return [.read([:])] + fetchCommitted(partitions)
  }

  /// The group takes all back. With `isLost` somebody else may have them already.
  package mutating func revoked(isLost: Bool) -> [Action] {
    round += 1
    hasPart = false
    for partition in partitions {
      switch states[partition]! {
      case .running(let memory) where !isLost: move(partition, to: .parked(memory))
      case .parked where !isLost: break
      case .parked, .fetching, .readingLogs, .replaying, .restored, .running, .resting: move(partition, to: nil)
      }
    }
    return [.stopRestoring, .giveUp]
  }

  /// A transaction failed, so memory differs from what is committed. The partitions are still ours.
  package mutating func rolledBack() -> [Action] {
    outbox.removeAll()
    round += 1
    for partition in partitions { move(partition, to: states[partition]!.isParked ? nil : .fetching(nil)) }
    let ours = partitions
    return [.stopRestoring] + (ours.isEmpty ? [] : [.read([:])] + fetchCommitted(ours))
  }

  /// A restore failed, and begins anew. What works goes on.
  mutating func restoreFailed() -> [Action] {
    round += 1
    let interrupted = partitions { $0.isRestoring }
    for partition in interrupted where states[partition]!.phase != .fetching { move(partition, to: .fetching(nil)) }
    return [.stopRestoring] + fetchCommitted(interrupted)
  }

  private func fetchCommitted(_ partitions: [TopicPartition]) -> [Action] {
    partitions.isEmpty ? [] : [.fetchCommitted(partitions.sorted(), round: round)]
  }
}

// MARK: - Work

extension Member {
  /// The task of a partition that works; nil: it isn't ours any more, or not yet.
  package func runningTask(topic: Int, partition: Int32) -> PartitionTask? {
    guard running.indices.contains(topic), running[topic].indices.contains(Int(partition)) else { return nil }
    return running[topic][Int(partition)]
  }

  private var runningTasks: some Sequence<PartitionTask> { running.lazy.joined().compactMap { $0 } }

  /// Whether something waits to be committed.
  package func hasWork(nowMs: Int64) -> Bool {
    runningTasks.contains { $0.hasWork(nowMs: nowMs) }
  }

  /// Fires what is due on idle partitions.
  package mutating func fireIdleTimers(nowMs: Int64) {
    for task in runningTasks { task.fireIdleTimers(nowMs: nowMs, scratch: &scratch, to: &outbox) }
  }

  /// When, by the wall clock, the next timer of an idle partition is due; `.max`: none is.
  package var nextIdleDeadline: Int64 {
    var least = Int64.max
    for task in runningTasks where task.isAtEnd && task.nextDeadline < .max - task.graceMs {
      least = min(least, task.nextDeadline + task.graceMs)
    }
    return least
  }

  /// The offsets of all partitions that the transaction touches, also those in which only timers fired: it is by them
  /// that Kafka refuses a member that has been replaced.
  package mutating func prepareCommit(nowMs: Int64) -> Commit {
    var commit = Commit(offsets: [])
    commits += 1
    for task in runningTasks where task.hasWork(nowMs: nowMs) {
      let prepared = task.prepareCommit("\(name)#\(commits)", nowMs: nowMs, scratch: &scratch, to: &outbox)
      commit.offsets.append(
        Commit.Offset(partition: task.partition, offset: prepared.offset, metadata: prepared.metadata.text))
    }
    return commit
  }

  /// - Parameters:
  ///   - handled: Gets what is through: an input, when records of it were produced, and how many.
  ///   - written: The last offsets that the producer knows to be written in the partition's changelog and journal.
  package mutating func committed(
    _ commit: Commit, handled: (String, Int64, Int64) -> Void = { _, _, _ in },
    written: (TopicPartition) -> (changelog: Int64?, journal: Int64?)
  ) {
    for offset in commit.offsets {
      guard case .running(var memory) = states[offset.partition] else { continue }
      memory.lastCommitted = offset
      states[offset.partition] = .running(memory)
      let last = written(offset.partition)
      memory.task.pendingTimes.take { handled(offset.partition.topic, $0, $1) }
      memory.task.committed(journalNext: last.journal.map { $0 + 1 }, changelogNext: last.changelog.map { $0 + 1 })
    }
  }
}

// MARK: - How it stands

extension Member {
  /// Whether everything that the group gave is at work; false until the group has given its part, which may be nothing.
  package var isSettled: Bool { hasPart && !isRestoring }
  package var isRestoring: Bool { states.values.contains { $0.isRestoring } }

  /// The phase of a partition; metrics use these names.
  package enum Phase: String, CaseIterable, Sendable {
    case parked, fetching
    case readingLogs = "reading_logs"
    case replaying, restored, running, resting
  }

  /// Whether there is, or will be, something to commit.
  package var hasPartitions: Bool { states.values.contains { $0.phase != .parked } }

  /// The partitions that a tool set back, in order.
  package var resting: [SetBack] { partitions.compactMap { states[$0]?.resting } }

  /// Whether the operator means it that a tool set a partition back.
  func isMeant(_ setBack: SetBack) -> Bool {
    rewind.contains("follow") || rewind.contains(setBack.commit)
  }

  package var phases: [TopicPartition: Phase] { states.mapValues(\.phase) }
  /// Whether the group has given it its part, which may be nothing.
  package var isAssigned: Bool { hasPart }

  /// The task of a partition that works or may go on from memory; for tests and metrics.
  package func task(_ partition: TopicPartition) -> PartitionTask? { states[partition]?.memory?.task }
  // In any order: what they count is added up.
  package var tasks: [PartitionTask] { states.values.compactMap { $0.memory?.task } }
  /// Counts since the member began, over all partitions that it ever had; they never fall.
  package var counts: PartitionTask.Counts {
    tasks.reduce(into: retired) { $0.add($1.counts) }
  }
}

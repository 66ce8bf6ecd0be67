internal import KafkaNames
internal import Recovery
internal import Settings

/// The steps of a restore, as far as they have answers.
extension Member {
  /// Takes the committed offsets of some partitions.
  ///
  /// - Throws: ``WorkerError`` for what waiting does not mend.
  mutating func committedFetched(_ committed: [Committed]) throws(WorkerError) -> [Action] {
    var reads: [LogsToRead] = []
    var notices: [Notice] = []
    var later: [TopicPartition] = []
    for found in committed {
      guard case .fetching(let memory) = states[found.partition] else { continue }
      let metadata = try Self.metadata(found.metadata ?? "")
      let count = layout.inputPartitions[found.partition.topic] ?? 0
      if let metadata, metadata.partitions > count {
        later.append(found.partition)
        notices.append(.stale(topic: found.partition.topic, partitions: count, were: metadata.partitions))
        continue
      }
      if let offset = found.offset, offset > found.end {
        later.append(found.partition)
        notices.append(.cutShort(found.partition, offset: offset, end: found.end))
        continue
      }
      if found.isForeign, let reached = found.reachedOffset, found.offset! < reached {
        let setBack = SetBack(partition: found.partition, from: reached, to: found.offset!)
        if !isMeant(setBack) {
          move(found.partition, to: .resting(setBack))
          notices.append(.setBack(setBack))
          continue
        }
      }
      if let memory, let last = memory.lastCommitted, last.offset == found.offset, last.metadata == found.metadata {
        move(found.partition, to: .running(memory))
      } else {
        let recovery = makeRecovery(found, metadata, &notices)
        move(found.partition, to: .readingLogs(recovery))
        reads.append(
          LogsToRead(
            partition: found.partition, changelogFrom: recovery.changelogFrom, journalFrom: recovery.journalFrom))
      }
    }
    let kept = partitions { $0.running != nil }
    var actions: [Action] = []
    if !kept.isEmpty {
      adoptSettings(kept)
      actions.append(readRunning())
    }
    if !reads.isEmpty { actions.append(.readLogs(reads.sorted { $0.partition < $1.partition }, round: round)) }
    if !later.isEmpty { actions.append(.fetchLater(later.sorted(), round: round)) }
    return actions + notices.map { .report($0) }
  }

  private mutating func makeRecovery(
    _ found: Committed, _ metadata: CommitMetadata?, _ notices: inout [Notice]
  ) -> PartitionRecovery {
    let partition = found.partition
    let offset = found.offset ?? found.firstOffset
    let settings = self.settings.of(partition.topic)
    var origin = PartitionRecovery.Origin.nothing(before: offset, settings)
    if let metadata, metadata.restorePoint.settings.rules < LogRules.current {
      // The state of that time means nothing now. Time goes on from where it was.
      origin = .nothing(before: offset, settings, clock: metadata.clock, lastOffset: metadata.lastOffset)
      notices.append(.otherRules(partition, rules: metadata.restorePoint.settings.rules, offset: offset))
    } else if let metadata {
      origin = .commit(Savepoint(offset: offset, metadata: metadata))
    } else if found.metadata?.isEmpty == false, found.metadata != GroupBeginning.mark {
      notices.append(.inexact(partition, damages: [.commit(offset: offset)]))
    } else if let offset = found.offset, found.metadata != GroupBeginning.mark {
      if let reached = found.reachedOffset, reached < offset {
        notices.append(.skipped(partition, from: reached, to: offset))
      }
      notices.append(.restarted(partition, offset: offset))
    }
    if let offset = found.offset.map({ max($0, lostTo[partition] ?? 0) }), offset < found.firstOffset {
      notices.append(.lost(partition, from: offset, to: found.firstOffset))
      lostTo[partition] = found.firstOffset
    }
    return PartitionRecovery(
      of: "\(partition.topic)/\(partition.partition)", from: origin, to: offset, firstOffset: found.firstOffset,
      checkpointMs: checkpointMs, hashSeed: hashSeed, manyMarks: manyMarks)
  }

  /// Nil: there is none, where the group began, or it is damaged and tells nothing.
  private static func metadata(_ text: String) throws(WorkerError) -> CommitMetadata? {
    if text.isEmpty || text == GroupBeginning.mark { return nil }
    do throws(RestoreError) { return try CommitMetadata(text: text) } catch {
      if error == .damagedMetadata { return nil }
      if case .newer(let what) = error { throw .newer("the group's offset has \(what)") }
      throw .metadata(text)
    }
  }

  /// These partitions wait, and the others go on.
  mutating func setAside(_ obstacles: [TopicPartition: Obstacle]) -> [Action] {
    let waiting = obstacles.keys.filter { states[$0]?.isRestoring == true }.sorted()
    for partition in waiting where states[partition]!.phase != .fetching { move(partition, to: .fetching(nil)) }
    if waiting.isEmpty { return [] }
    return [.fetchLater(waiting, round: round)] + waiting.map { .report(.heldUp($0, obstacles[$0]!)) }
  }

  /// Changelog and journal of all have been read.
  mutating func logsRead(_ ends: [LogEnds], nowMs: Int64) throws(RestoreError) -> [Action] {
    var ranges: [TopicPartition: Range<Int64>] = [:]
    var withHeaders: Set<TopicPartition> = []
    for end in ends {
      guard let recovery = states[end.partition]?.readingLogs else { continue }
      let range = try recovery.logsRead(journalEnd: end.journalEnd, changelogEnd: end.changelogEnd, nowMs: nowMs)
      ranges[end.partition] = range
      if recovery.readsHeaders { withHeaders.insert(end.partition) }
      move(end.partition, to: range == nil ? .restored(recovery) : .replaying(recovery))
    }
    return ranges.isEmpty ? finishRestore() : [.replayInput(ranges, withHeaders: withHeaders, round: round)]
  }

  mutating func inputReplayed() -> [Action] {
    for partition in partitions {
      if let recovery = states[partition]?.replaying { move(partition, to: .restored(recovery)) }
    }
    return finishRestore()
  }

  private mutating func finishRestore() -> [Action] {
    let restored = partitions { $0.restored != nil }
    var rooms = 0
    var notices: [Notice] = []
    var changed: [[String]: [TopicPartition]] = [:]
    for partition in restored {
      guard let recovery = states[partition]?.restored else { continue }
      let task = PartitionTask(
        partition, topic: Int32(layout.input.firstIndex(of: partition.topic)!),
        rooms: recovery.finish(batch: &scratch.replayed), layout: layout)
      // Or who restores it next would count once more what is lost.
      if recovery.passesOver { task.isTouched = true }
      if !recovery.isExact { notices.append(.inexact(partition, damages: recovery.damages)) }
      if recovery.origin == nil {
        task.tellSettings(to: &outbox)
      } else if task.settings != settings.of(partition.topic) {
        changed[task.settings.changes(to: settings.of(partition.topic)), default: []].append(partition)
      }
      let origin = recovery.origin.map {
        Commit.Offset(partition: partition, offset: $0.offset, metadata: $0.metadata.text)
      }
      move(partition, to: .running(.init(task: task, lastCommitted: origin)))
      rooms += task.roomCount
    }
    adoptSettings(restored)
    if !restored.isEmpty { notices.append(.restored(restored, rooms: rooms)) }
    for (changes, partitions) in changed.sorted(by: { $0.value[0] < $1.value[0] }) {
      notices.append(.settingsChanged(partitions, changes: changes))
    }
    return [.stopRestoring, readRunning()] + notices.map { .report($0) }
  }

  /// Lets the partitions work from here on.
  private mutating func adoptSettings(_ partitions: [TopicPartition]) {
    for partition in partitions { states[partition]?.running?.adopt(settings.of(partition.topic), to: &outbox) }
  }

  private func readRunning() -> Action {
    var positions: [TopicPartition: Int64] = [:]
    for partition in partitions {
      guard let task = states[partition]?.running else { continue }
      positions[partition] = task.nextOffset
      // Records may have come meanwhile; the reader reports the end anew.
      task.isAtEnd = false
    }
    return .read(positions)
  }
}

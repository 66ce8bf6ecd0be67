import Kafka
import KafkaProbes
import Probes
import Settings

/// The news of restores, in words and as metrics.
extension MemberContext {
  /// About what is damaged in one partition.
  private var mostLines: Int { 20 }

  /// A trouble that holds up some partitions and no others, until the next look.
  func raise(_ trouble: Trouble, _ text: String, _ fields: LogField...) {
    health.raise(
      trouble, Unreadiness(.failing, text), of: number, until: .whole, pauseMs: RestorePause.waitingMs
    ) { $0.write(.warning, text, [.member(number)] + fields) }
  }

  /// The partition stands still, since a batch of one of its logs, or of itself, can't be read.
  func reportUnreadable(_ log: TopicPartition, of partition: TopicPartition, _ error: KafkaError) {
    let text = "\(log) can't be read: the rooms of \(partition) wait, and others go on"
    health.raise(
      .unreadable(partition), Unreadiness(.unreadable, "\(text) (\(error))"), of: number, until: .read,
      pauseMs: RestorePause.waitingMs
    ) { $0.error(text, .member(number), .topic(log.topic), .partition(log.partition), .error(error)) }
  }

  /// Batches that were not unpacked, and that are committed as such.
  func report(passed: [(partition: TopicPartition, batch: PassedBatch)]) {
    for (partition, batch) in passed.prefix(mostLines) {
      log.warning(
        "a batch was passed over: \(batch)", .topic(partition.topic), .partition(partition.partition),
        .offset(batch.first), .records(batch.records))
    }
    if passed.count > mostLines {
      log.warning("and more batches were passed over", .member(number), .records(Int64(passed.count - mostLines)))
    }
  }

  /// - Parameter restoreMs: The time since the restore began.
  func report(_ notice: Member.Notice, restoreMs: Int64) {
    switch notice {
    case .stale(let topic, let partitions, let were):
      let text =
        "\(topic) had \(were) partitions when its rooms were last saved, and the broker tells of \(partitions): asking again;"
        + " if it was made anew with fewer, use another kafka.group.id"
      raise(.staleMetadata, text, .topic(topic))
    case .cutShort(let partition, let offset, let end):
      let commit = Member.SetBack(partition: partition, from: offset, to: end).commit
      let text =
        "\(partition) ends at \(end), before the group's offset \(offset): asking again; if its last records are lost, stop the"
        + " workers, set the group's offset to \(end) and worker.rewind to \(commit)"
      raise(.cutShort(partition), text, .topic(partition.topic), .partition(partition.partition))
    case .heldUp(let partition, let obstacle):
      let log = obstacle.log
      if let error = obstacle.error { return reportUnreadable(log, of: partition, error) }
      let text = "no broker leads \(log): the rooms of \(partition) wait for one, and others go on"
      raise(.leaderless(partition), text, .topic(log.topic), .partition(log.partition))
    case .setBack(let setBack):
      let partition = setBack.partition
      log.once(
        "set back \(setBack.commit)", .error,
        "something set the group back, so a partition rests; set worker.rewind to go on there, or set the group forward",
        .topic(partition.topic), .partition(partition.partition), .offset(setBack.to),
        .records(setBack.from - setBack.to))
    case .skipped(let partition, let from, let to):
      log.warning(
        "something set the group forward: up to so many records are skipped", .topic(partition.topic),
        .partition(partition.partition), .offset(to), .records(to - from))
    case .restarted(let partition, let offset):
      log.warning(
        "the group's offset was set by something else: rooms begin anew there", .topic(partition.topic),
        .partition(partition.partition), .offset(offset))
      metrics.restarted.add()
    case .otherRules(let partition, let rules, let offset):
      log.warning(
        "the group's offset was committed under rules \(rules), and this program has rules \(LogRules.current): rooms begin"
          + " anew there", .topic(partition.topic), .partition(partition.partition), .offset(offset))
      metrics.restarted.add()
    case .lost(let partition, let from, let to):
      log.error(
        "records were deleted before they were read: keep the topic longer, or run more workers",
        .topic(partition.topic), .partition(partition.partition), .offset(from), .records(to - from))
      metrics.lostRecords.add(to - from)
    case .inexact(let partition, let damages):
      if damages.isEmpty {
        log.error(
          "a part of the log that tells how rooms stood is gone, so they may differ from what was shown",
          .topic(partition.topic), .partition(partition.partition))
      }
      for damage in damages.prefix(mostLines) {
        log.error("\(damage)", .topic(partition.topic), .partition(partition.partition))
      }
      if damages.count > mostLines {
        log.error(
          "more damaged records, not listed", .topic(partition.topic), .partition(partition.partition),
          .records(Int64(damages.count - mostLines)))
      }
      metrics.inexactRestores.add()
    case .settingsChanged(let partitions, let changes):
      log.warning(
        "partitions go on with other settings than the last worker had; if nobody changed them, workers of this group differ",
        .member(number), .partitions(partitions.map(\.description).joined(separator: " ")),
        .changes(changes.joined(separator: ", ")))
    case .restored(let partitions, let rooms):
      for trouble in [.restoreFails, .restoreSlow, .restoreHangs, .staleMetadata]
        + partitions.flatMap({ [.cutShort($0), .leaderless($0), .unreadable($0)] as [Trouble] })
      {
        health.end(trouble, of: number)
      }
      log.info(
        "restored", .member(number), .partitions(partitions.map(\.description).joined(separator: " ")),
        .rooms(rooms), .tookMs(restoreMs))
      metrics.restores.observe(Double(restoreMs) / 1000)
    }
  }
}

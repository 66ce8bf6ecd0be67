internal import KafkaNames
package import Recovery

extension PartitionTask {
  /// Whether something happened since the last commit, or the changelog has waited too long for a room, or has one that
  /// grows old.
  package func hasWork(nowMs: Int64) -> Bool { isTouched || rooms.isOverdue(nowMs: nowMs) }

  /// Makes the commit of the partition's offset; its checkpoints are in the outbox.
  package func prepareCommit(
    _ commit: String, nowMs: Int64, scratch: inout TaskScratch, to outbox: inout Outbox
  ) -> Savepoint {
    scratch.due.removeAll(keepingCapacity: true)
    rooms.takeDue(nowMs: nowMs, into: &scratch.due)
    for slot in scratch.due { writeCheckpoint(of: slot, nowMs: nowMs, to: &outbox) }
    rooms.writeMarks {
      outbox.append(.changelog, topic: topic, partition: partition.partition, key: nil, value: $0)
    }
    let prepared = Savepoint(
      offset: nextOffset, metadata: rooms.metadata(for: commit, partitions: inputPartitions))
    if rooms.takeSavepoint() { write(prepared, to: &outbox) }
    return prepared
  }

  private func writeCheckpoint(of slot: Int32, nowMs: Int64, to outbox: inout Outbox) {
    counts.checkpoints += 1
    rooms.writeCheckpoint(of: slot, nowMs: nowMs) { key, value in
      outbox.append(.changelog, topic: topic, partition: partition.partition, key: key, value: value)
    }
  }

  private func write(_ savepoint: Savepoint, to outbox: inout Outbox) {
    var text = savepoint.text
    text.withUTF8 {
      outbox.append(
        .changelog, topic: topic, partition: partition.partition, key: nil, value: UnsafeRawBufferPointer($0))
    }
  }

  /// The transaction is through.
  ///
  /// - Parameters:
  ///   - journalNext: The offset after the last of this partition's journal that the producer knows to be written, if
  ///     it has written any; `changelogNext` likewise.
  package func committed(journalNext: Int64?, changelogNext: Int64?) {
    isTouched = false
    rooms.committed(journalNext: journalNext, changelogNext: changelogNext)
  }
}

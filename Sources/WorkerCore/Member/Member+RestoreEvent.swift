package import KafkaNames
package import Recovery
package import Wire

extension Member {
  /// A piece of news for a restore: the answer to an ``Action``, or a part of it.
  package enum RestoreEvent {
    /// The partitions that topics have now.
    case topics(TopicLayout)
    /// The producers know of fewer partitions than topics have.
    case producersOutdated
    /// The group has committed nothing in a topic, and this member decides where it begins.
    case begins(GroupBeginning)
    /// The answer to ``Action/fetchCommitted(_:round:)``.
    case committed([Committed])
    /// Partitions that can't be restored for now.
    case heldUp([TopicPartition: Obstacle])
    /// - Parameters:
    ///   - of: The partition that is restored.
    ///   - in: The log that has the record.
    case record(Record, of: TopicPartition, in: TopicPartition, offset: Int64)
    /// Changelog and journal of all these have been read.
    case logsRead([LogEnds])
    /// All parts of the input have been read.
    case inputReplayed
    /// The restore can't go on.
    case failed
  }

  /// What holds up the restore of a partition: its input, its changelog or its journal can't be read.
  package struct Obstacle: Equatable {
    package var log: TopicPartition
    /// Nil: no broker leads it.
    package var error: KafkaError?

    package init(log: TopicPartition, error: KafkaError? = nil) {
      self.log = log
      self.error = error
    }
  }

  /// A record of a log that a restore reads. Its bytes are views.
  package enum Record {
    case state(room: UnsafeRawBufferPointer, UnsafeRawBufferPointer)
    /// A record of the changelog without a key.
    case savepoint(UnsafeRawBufferPointer)
    case journalLine(UnsafeRawBufferPointer)
    /// - Parameter headers: The record's, where the mapping reads some.
    case input(InputRecord, headers: [RecordHeader])
  }

  /// Takes one piece of news. An answer to an older round's question is ignored.
  ///
  /// - Returns: What is to be done, in order.
  /// - Throws: ``WorkerError``, `RestoreError`, for what waiting does not mend.
  package mutating func handle(_ event: RestoreEvent, round: Int, nowMs: Int64) throws -> [Action] {
    guard round == self.round else { return [] }
    switch event {
    case .topics(let layout):
      grow(to: layout)
      return []
    case .producersOutdated:
      return [.makeProducersAnew]
    case .begins(let begin):
      return [.begin(begin)]
    case .committed(let committed):
      return try committedFetched(committed)
    case .heldUp(let obstacles):
      return setAside(obstacles)
    case .record(let record, let partition, let log, let offset):
      do throws(RestoreError) { try take(record, of: partition, at: offset) } catch {
        // All else that can't be read is passed over as damage.
        throw WorkerError.newer("\(log) offset \(offset): \(error)")
      }
      return []
    case .logsRead(let ends):
      return try logsRead(ends, nowMs: nowMs)
    case .inputReplayed:
      return inputReplayed()
    case .failed:
      return restoreFailed()
    }
  }

  private mutating func take(_ record: Record, of partition: TopicPartition, at offset: Int64) throws(RestoreError) {
    switch record {
    case .state(let room, let checkpoint):
      try states[partition]?.readingLogs?.found(room: room, checkpoint: checkpoint, at: offset)
    case .savepoint(let savepoint):
      states[partition]?.readingLogs?.found(savepoint: savepoint)
    case .journalLine(let line):
      try states[partition]?.readingLogs?.found(journalLine: line, at: offset)
    case .input(let record, let headers):
      states[partition]?.replaying?.replay(
        record, headers: headers, decoder: &scratch.decoder, batch: &scratch.replayed)
    }
  }
}

import JSON
package import KafkaNames
package import Recovery
package import RoomEngine
package import RoomModel
package import Settings
package import Wire

/// Works on one input partition: its rooms and their commands. Pure: it reads no clock and does no IO.
///
/// One thread works on it. Overlapping access to values that change with each record is not checked each time:
/// it took a twentieth of what a record costs.
package final class PartitionTask {
  package let partition: TopicPartition
  /// Its topic's place among `topics.input`.
  package let topic: Int32
  /// Whether the partition has been read to its end, as far as is known.
  @exclusivity(unchecked) package internal(set) var isAtEnd = false
  /// Whether something happened since the last commit.
  @exclusivity(unchecked) package internal(set) var isTouched = false
  @exclusivity(unchecked) package internal(set) var counts = Counts()
  /// The times of the records since the last commit.
  @exclusivity(unchecked) var pendingTimes = PendingTimes()

  /// The room with the most commands.
  @exclusivity(unchecked) package internal(set) var loudest = LoudestRoom()

  let rooms: RestorableRooms
  var inputPartitions: Int32
  private let encoder: CommandEncoder
  private let commandPartitions: Int32
  private let resultPartitions: Int32

  /// - Parameter rooms: Those of a ``PartitionRecovery`` that is finished.
  package init(_ partition: TopicPartition, topic: Int32, rooms: RestorableRooms, layout: TopicLayout) {
    self.partition = partition
    self.topic = topic
    self.rooms = rooms
    inputPartitions = layout.inputPartitions[partition.topic] ?? 0
    commandPartitions = layout.commandPartitions
    resultPartitions = layout.resultPartitions
    encoder = CommandEncoder(topic: partition.topic, partition: partition.partition, format: layout.format)
  }

  /// The next record to be read.
  package var nextOffset: Int64 { rooms.nextOffset }

  package var roomCount: Int { rooms.engine.roomCount }

  /// Ids of events that are remembered, in all rooms.
  package var eventIdCount: Int { rooms.engine.eventIdCount }
  package var liveRoomCount: Int { rooms.engine.liveRoomCount }
  /// The queued items of all rooms. It looks at every room, so it is to be asked for only now and then.
  package var queued: QueuedItems { rooms.engine.queued }
  package var clock: LogTime { rooms.engine.clock }
  /// Least deadline of all timers; `.max`: none.
  package var nextDeadline: LogTime { rooms.engine.nextDeadline }
  package var graceMs: Milliseconds { rooms.settings.graceMs }
  /// The settings in force.
  package var settings: LogSettings { rooms.settings }
}

// MARK: - Going on with the log

extension PartitionTask {
  /// Puts `settings` in force from here, if they are not.
  package func adopt(_ settings: LogSettings, to outbox: inout Outbox) {
    guard settings != rooms.settings else { return }
    rooms.change(to: settings)
    tellSettings(to: &outbox)
  }

  /// Writes those in force to the journal: where the group begins nothing else tells them.
  package func tellSettings(to outbox: inout Outbox) {
    write(.settings(settings), to: &outbox)
  }

  /// The next record of the log. Its commands and results are in the outbox.
  ///
  /// - Parameter headers: The record's, where the mapping reads some.
  /// - Returns: Why it is a dead letter, if it is one.
  package func process(
    _ record: InputRecord, headers: [RecordHeader] = [], scratch: inout TaskScratch, to outbox: inout Outbox
  ) -> NotUnderstood? {
    guard record.offset >= nextOffset else { return nil }
    count(record)
    var failure: NotUnderstood?
    do throws(NotUnderstood) {
      let event = try scratch.decoder.decode(
        key: record.key, value: record.value, contentType: record.contentType, keyRule: rooms.keyRule,
        mapping: rooms.mapping, headers: headers)
      if scratch.decoder.shape > 0 { count(.mapped, scratch.decoder.shape) }
      if case .duplicate = rooms.apply(record, event, into: &scratch.batch) { counts.duplicates += 1 }
    } catch {
      _ = rooms.apply(record, nil, into: &scratch.batch)
      if error.reason == .passedOver {
        count(.ignored, scratch.decoder.shape)
      } else {
        if error.reason == .noShape || scratch.decoder.shape > 0 { count(.refused, scratch.decoder.shape) }
        counts.deadLetters += 1
        failure = error
      }
    }
    if !scratch.batch.isEmpty { publish(&scratch.batch, to: &outbox) }
    return failure
  }

  /// The record stands for a batch that was not unpacked. The journal tells that, for readers who would unpack it.
  ///
  /// - Returns: Why the batch is a dead letter; nil: it was passed over before.
  package func pass(
    _ batch: PassedBatch, _ record: InputRecord, scratch: inout TaskScratch, to outbox: inout Outbox
  ) -> NotUnderstood? {
    guard batch.last >= nextOffset else { return nil }
    count(record)
    counts.deadLetters += 1
    write(.passed(through: record.offset, at: record.timestampMs), to: &outbox)
    _ = rooms.apply(record, nil, into: &scratch.batch)
    publish(&scratch.batch, to: &outbox)
    return NotUnderstood(.batchTooLarge, batch.description)
  }

  @inline(__always) private func count(_ record: InputRecord) {
    isAtEnd = false
    isTouched = true
    counts.records += 1
    pendingTimes.add(record.timestampMs)
  }

  /// Of those that are read as the project's own events nothing is counted.
  private func count(_ mapped: Counts.Mapped, _ shape: Int) {
    if shape > 0 || mapped != .mapped { counts.count(at: Counts.place(topic: topic, shape: shape, mapped)) }
  }

  /// Sends a record that was not understood to the dead letters, as it came, if it has no more bytes than `limit`.
  package func sendToDeadLetters(
    _ record: InputRecord, headers: Outbox.Headers, reason: NotUnderstood, limit: Int = .max,
    to outbox: inout Outbox
  ) {
    var letter = DeadLetter(
      key: record.key, value: record.value, headers: headers,
      notes: [
        ("flyscreen-error", Array(reason.description.utf8)),
        ("flyscreen-topic", Array(partition.topic.utf8)),
        ("flyscreen-partition", Array(String(partition.partition).utf8)),
        ("flyscreen-offset", Array(String(record.offset).utf8)),
      ])
    letter.cut(to: limit)
    outbox.append(
      .deadLetters, topic: topic, partition: partition.partition, key: letter.key, value: letter.value,
      headers: letter.headers + letter.notes)
  }

  /// The partition was read to its end, which lies at `offset`.
  package func reachedEnd(at offset: Int64) {
    if offset >= nextOffset { isAtEnd = true }
  }

  /// There are records that can't be read: its timers wait for these, and it is behind.
  package func stopsShort() { isAtEnd = false }

  /// Fires what is due on an idle log, the wall clock standing at `nowMs`.
  package func fireIdleTimers(nowMs: Int64, scratch: inout TaskScratch, to outbox: inout Outbox) {
    guard isAtEnd, nextDeadline <= nowMs - graceMs,
      let fired = rooms.engine.fireTimers(through: nowMs - graceMs, into: &scratch.batch)
    else { return }
    isTouched = true
    counts.timersFired += 1
    publish(&scratch.batch, to: &outbox)
    write(.firedTo(fired), to: &outbox)
  }

  private func publish(_ batch: inout CommandBatch, to outbox: inout Outbox) {
    var room = Text.empty
    var hash: UInt32 = 0
    for command in batch.commands {
      // A room's commands come one after the other, with one copy of its id.
      if command.roomId.start != room.start {
        room = command.roomId
        hash = Murmur2.hash(room.bytes)
      }
      loudest.count(room, hash: hash, atMs: command.atMs)
      counts.commands[Int(command.body.kind.rawValue)] += 1
      if case .skipped(let skipped) = command.body { counts.add(skipped) }
      let record = encoder.encodeRecord(command, into: &outbox.bytes)
      outbox.append(
        .commands, topic: topic, partition: Murmur2.partition(hash: hash, partitions: commandPartitions), record)
    }
    for result in batch.results {
      counts.results[Int(result.outcome.rawValue)] += 1
      let keyStart = outbox.bytes.count
      outbox.bytes.append(result.userId)
      let valueStart = outbox.bytes.count
      encoder.encode(result, into: &outbox.bytes)
      outbox.append(
        .results, topic: topic, partition: Murmur2.partition(key: result.userId.bytes, partitions: resultPartitions),
        keyStart: keyStart, valueStart: valueStart)
    }
    batch.removeAll()
  }

  private func write(_ what: JournalLine.What, to outbox: inout Outbox) {
    isTouched = true
    var line = JournalLine(offset: nextOffset, what: what).json
    line.withUTF8 {
      outbox.append(
        .journal, topic: topic, partition: partition.partition, key: nil, value: UnsafeRawBufferPointer($0))
    }
  }
}

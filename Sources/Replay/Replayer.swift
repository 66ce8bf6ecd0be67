package import JSON
import RoomEngine
package import RoomModel
package import RoomScreen
package import Settings
import Wire

/// Runs a log through the engine: lines in, commands out. It reads and writes nothing else.
package struct Replayer: ~Copyable {
  /// The commands so far, one a line (STAGES.md, section 10), for the caller to take away. Those of one room are in
  /// their order.
  package var output = ByteBuffer()
  /// The results of grabs so far, one a line, in the order of the log.
  package var results = ByteBuffer()
  package private(set) var summary = ReplaySummary()
  /// The one of the two that there is.
  let kept: Kept

  private let settings: LogSettings
  private let room: ID?
  private let hashSeed: UInt64
  private var decoder = EventDecoder()
  /// The event of the last record, if it was understood; its texts are good until the next.
  private(set) var lastEvent: RoomEvent?
  /// The commands of the last step.
  var batch = CommandBatch()
  /// Settings that no room has of its own, whatever the log says. To be said before anything is played.
  var overruled: Set<RoomSetting> = []
  /// The partitions, in the order in which they first came.
  private var partitions: [PartitionReplay] = []

  /// The output of a replay beside its summary.
  package enum Kept: Sendable { case commands, results, all, nothing }

  /// - Parameters:
  ///   - settings: those in force before the first line.
  ///   - room: if given, only its commands come out; the records of the others count all the same.
  ///   - kept: what comes out.
  ///   - hashSeed: anything. Nothing that comes out depends on it.
  package init(settings: LogSettings, room: ID? = nil, keeping kept: Kept = .all, hashSeed: UInt64) {
    self.settings = settings
    self.room = room
    self.kept = kept
    self.hashSeed = hashSeed
  }

  /// Plays one line.
  package mutating func play(_ line: LogLine) throws(BrokenLog) {
    print(try step(line))
  }

  /// The same, and the commands that come of it are left in `batch`.
  mutating func step(_ line: LogLine) throws(BrokenLog) -> PartitionReplay {
    let partition = partition(line.topic, line.partition)
    switch line.content {
    case .record(let record): try apply(record, in: partition)
    case .firedTo(let time, let clock):
      _ = partition.engine.fireTimers(through: time, into: &batch)
      if let clock { partition.engine.advanceClock(to: clock) }
    case .settings(let settings): partition.change(to: settings)
    case .state(let state): try partition.begin(with: state)
    case .doubt: break
    }
    return partition
  }

  /// Fires every timer with a deadline up to then, that one included.
  package mutating func fire(to time: LogTime) {
    for index in partitions.indices { fire(inPartition: index, to: time) }
  }

  /// The same in one partition, by the order in which they first came.
  mutating func fire(inPartition index: Int, to time: LogTime) {
    _ = partitions[index].engine.fireTimers(through: time, into: &batch)
    print(partitions[index])
  }

  mutating func eachPartition(_ body: (inout Replayer, PartitionReplay) -> Void) {
    for partition in partitions { body(&self, partition) }
  }

  private mutating func apply(_ record: LogRecord, in partition: PartitionReplay) throws(BrokenLog) {
    try partition.check(offset: record.offset)
    summary.countRecord(at: record.timestampMs)
    let event = event(of: record, in: partition)
    lastEvent = event
    let applied = partition.engine.apply(
      offset: record.offset, timestampMs: record.timestampMs, event: event, into: &batch)
    if applied == .duplicate { summary.duplicates += 1 }
    if let event { summary.rooms.insert(ID(event.roomId)) }
  }

  /// Nil, and counted, if it can't be understood.
  private mutating func event(of record: LogRecord, in partition: PartitionReplay) -> RoomEvent? {
    do {
      return try decoder.decode(record, keyRule: partition.keyRule, mapping: partition.mapping)
    } catch {
      if error.reason == .passedOver { summary.passedOver += 1 } else { summary.notUnderstood.count(error.reason) }
      return nil
    }
  }

  private mutating func print(_ partition: PartitionReplay) {
    summary.swallowedGifts = batch.counts.swallowedGifts
    for command in batch.commands where isAskedFor(command.roomId) {
      summary.commands.count(command.body.kind)
      guard kept == .commands || kept == .all else { continue }
      partition.encoder.encode(command, into: &output)
      output.append(UInt8(ascii: "\n"))
    }
    for result in batch.results where isAskedFor(result.roomId) {
      summary.results.count(result.outcome)
      guard kept == .results || kept == .all else { continue }
      partition.encoder.encode(result, into: &results)
      results.append(UInt8(ascii: "\n"))
    }
    batch.removeAll()
  }

  /// Whether it was there when a partition began, or an event of it was understood since.
  func knows(_ room: ID) -> Bool {
    summary.rooms.contains(room)
      || partitions.contains { partition in !room.withText { partition.engine.picture(of: $0).isEmpty } }
  }

  func isAskedFor(_ roomId: Text) -> Bool { room.map { $0 == roomId } ?? true }

  private mutating func partition(_ topic: Text, _ number: Int32) -> PartitionReplay {
    for partition in partitions where partition.isOf(topic, number) { return partition }
    let new = PartitionReplay(topic: topic.description, number: number, settings: settings, hashSeed: hashSeed)
    new.engine.overrule(overruled)
    partitions.append(new)
    summary.partitions += 1
    return new
  }
}

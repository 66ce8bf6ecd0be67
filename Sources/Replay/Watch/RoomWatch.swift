import JSON
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Wire

/// Replays a log so that one room is seen step by step: a timer at a time, a record at a time. The other rooms go by
/// as in every replay; a room of that name in another partition is watched too.
struct RoomWatch<Observer: RoomObserver>: ~Copyable {
  var observer: Observer
  /// The partitions, in the order in which they first came.
  private(set) var partitions: [PartitionReplay] = []
  /// That of the last line.
  private var current: PartitionReplay?

  /// Partitions whose rooms may have stood otherwise where the log begins, or later on, and in a line why.
  private(set) var doubts: [(partition: PartitionReplay, why: String)] = []

  /// Whether an event of the room was understood, or something of it was there where a partition began.
  private(set) var isRoomKnown = false

  private let settings: LogSettings
  private let hashSeed: UInt64
  let room: ByteBuffer
  private var decoder = EventDecoder()
  /// Commands and results of the step, of all rooms, and the decisions of this one.
  var batch = CommandBatch()

  /// - Parameter settings: the settings in force before the first line.
  init(room: ID, settings: LogSettings, hashSeed: UInt64, observer: Observer) {
    var name = ByteBuffer(capacity: 256)
    name.append(string: room.string)
    self.room = name
    self.settings = settings
    self.hashSeed = hashSeed
    self.observer = observer
    batch.listening = .toRoom(self.room.text)
  }

  mutating func play(_ line: LogLine) throws(BrokenLog) {
    let partition = partition(line.topic, line.partition)
    current = partition
    switch line.content {
    case .record(let record):
      try partition.check(offset: record.offset)
      play(record, in: partition)
    case .firedTo(let time, let clock):
      partition.noteRules()
      fire(partition, to: time)
      if let clock { partition.engine.advanceClock(to: clock) }
    case .settings(let settings):
      partition.change(to: settings)
      report(.settings(settings), at: partition.engine.clock, before: nil, in: partition)
    case .state(let state):
      try partition.begin(with: state)
      if let why = state.warning { note(why, of: partition) }
      let picture = partition.engine.picture(of: room.text)
      if !picture.isEmpty { isRoomKnown = true }
      partition.holders = Holders(picture, at: partition.engine.clock)
      observer.observeBeginning(picture, of: partition)
    case .doubt(let why): note(why, of: partition)
    }
  }

  private mutating func note(_ doubt: String, of partition: PartitionReplay) {
    doubts.append((partition, doubt))
    observer.observeDoubt(doubt, of: partition)
  }

  /// Plays a record of the last line's partition, without a line of its own. False: it is the first there, so `play`
  /// must have it.
  ///
  /// - Parameter isOther: it is surely no event of the room.
  mutating func take(_ record: StoredRecord, isOther: Bool) -> Bool {
    guard let partition = current, partition.firstOffset != nil, record.offset > partition.engine.lastOffset else {
      return false
    }
    partition.noteRules()
    // A mapping may find the room anywhere.
    if isOther, partition.mapping == nil {
      passOther(record.offset, record.timestampMs, in: partition)
    } else {
      play(record, in: partition)
    }
    return true
  }

  /// Fires every timer with a deadline up to then, that one included.
  mutating func fire(to time: LogTime) {
    for partition in partitions { fire(partition, to: time) }
  }

  private mutating func fire(_ partition: PartitionReplay, to time: LogTime) {
    if let last = step(partition, through: time) { partition.engine.advanceClock(to: last) }
    _ = partition.engine.fireTimers(through: time, into: &batch)
    batch.removeAll()
  }

  /// The room's timers, one after the other. Returns the last deadline.
  private mutating func step(_ partition: PartitionReplay, through time: LogTime) -> LogTime? {
    var last: LogTime?
    while let timer = partition.engine.nextTimer(of: room.text, through: time) {
      let before = pictureBefore(partition.engine.lastOffset, in: partition)
      partition.engine.fireNextTimer(of: room.text, into: &batch)
      last = timer.deadline
      report(.timer(timer), at: timer.deadline, before: before, in: partition)
    }
    return last
  }

  private mutating func play(_ record: LogRecord, in partition: PartitionReplay) {
    do throws(NotUnderstood) {
      let event = try decoder.decode(record, keyRule: partition.keyRule, mapping: partition.mapping)
      play(event, record.offset, record.timestampMs, record, in: partition)
    } catch {
      playDeadLetter(record, error, in: partition)
    }
  }

  /// The same of one that lies in its partition, which becomes no line where nothing needs it.
  private mutating func play(_ record: StoredRecord, in partition: PartitionReplay) {
    do throws(NotUnderstood) {
      let event = try decoder.decode(
        key: record.key, value: record.value, contentType: record.contentType, keyRule: partition.keyRule,
        mapping: partition.mapping, headers: partition.mapping?.readsHeaders ?? false ? record.headers : [])
      play(event, record.offset, record.timestampMs, record.logged, in: partition)
    } catch {
      playDeadLetter(record.logged, error, in: partition)
    }
  }

  private mutating func playDeadLetter(
    _ record: LogRecord, _ reason: NotUnderstood, in partition: PartitionReplay
  ) {
    passOther(record.offset, record.timestampMs, in: partition)
    // What a mapping has ignored is no dead letter.
    if reason.reason != .passedOver { observer.observeDeadLetter(record, reason, in: partition) }
  }

  private mutating func play(
    _ event: RoomEvent, _ offset: Int64, _ timestampMs: LogTime, _ record: @autoclosure () -> LogRecord,
    in partition: PartitionReplay
  ) {
    guard event.roomId == room.text else {
      observer.observe(elsewhere: event, record(), in: partition)
      return playOther(offset, timestampMs, event, in: partition)
    }
    isRoomKnown = true
    if observer.isCounting {
      observer.count(event)
      return passOther(offset, timestampMs, in: partition)
    }
    guard observer.wantsSteps(to: event) else {
      pass(offset, timestampMs, event, in: partition)
      return observer.note(passed: event)
    }
    let at = partition.engine.time(ofRecordAt: timestampMs)
    _ = step(partition, through: at)
    let before = pictureBefore(offset, in: partition)
    let arrival = arrive(event, record(), in: partition)
    var seen = SeenRecord(name: partition.name(ofRecord: offset), offset: offset, timestampMs: timestampMs)
    if decoder.shape > 0, observer.wantsMessage(of: event), let mapping = partition.mapping {
      let record = record()
      seen.message = ForeignMessage(record, record.mapped(by: mapping))
    }
    report(.event(event, seen, arrival), at: at, before: before, in: partition)
  }

  /// Plays an event of another room, after the room's timers before it.
  private mutating func playOther(
    _ offset: Int64, _ timestampMs: LogTime, _ event: RoomEvent, in partition: PartitionReplay
  ) {
    guard observer.wantsSteps else { return pass(offset, timestampMs, event, in: partition) }
    _ = step(partition, through: partition.engine.time(ofRecordAt: timestampMs))
    _ = partition.engine.apply(offset: offset, timestampMs: timestampMs, event: event, into: &batch)
    batch.removeAll()
  }

  /// Passes a record that is no event of the room, after the room's timers before it.
  @inline(__always) private mutating func passOther(
    _ offset: Int64, _ timestampMs: LogTime, in partition: PartitionReplay
  ) {
    if partition.engine.passQuietly(offset: offset, timestampMs: timestampMs) { return }
    if observer.wantsSteps {
      _ = step(partition, through: partition.engine.time(ofRecordAt: timestampMs))
      partition.engine.pass(offset: offset, timestampMs: timestampMs, into: &batch)
    } else {
      partition.engine.pass(offset: offset, timestampMs: timestampMs, into: &batch)
      learn(in: partition)
    }
    batch.removeAll()
  }

  /// Plays an event at once with the timers before it.
  private mutating func pass(
    _ offset: Int64, _ timestampMs: LogTime, _ event: RoomEvent, in partition: PartitionReplay
  ) {
    _ = partition.engine.apply(offset: offset, timestampMs: timestampMs, event: event, into: &batch)
    learn(in: partition)
    batch.removeAll()
  }

  /// Learns from what came of records that were played without their steps.
  private func learn(in partition: PartitionReplay) {
    let commands = batch.commands.filter { $0.roomId == room.text }
    partition.holders.learn(commands, hiddenBy: .hold, in: partition)
    partition.holders.forget(after: commands)
    partition.spans.learn(batch.decisions, at: partition.engine.clock)
  }

  private func pictureBefore(_ offset: Int64, in partition: PartitionReplay) -> RoomPicture? {
    observer.wantsPicture(at: offset, in: partition)
      ? partition.engine.picture(of: room.text) : nil
  }

  private mutating func report(
    _ cause: RoomStep.Cause, at time: LogTime, before: RoomPicture?, in partition: PartitionReplay
  ) {
    let commands = batch.commands.filter { $0.roomId == room.text }
    let step = RoomStep(
      at: time, cause: cause, before: before, commands: commands, decisions: Array(batch.decisions),
      spans: partition.spans)
    partition.holders.learn(commands, hiddenBy: step.hideCause, in: partition)
    partition.holders.learn(step.skips, at: time)
    observer.observe(step, in: partition)
    partition.holders.forget(after: commands)
    partition.spans.learn(batch.decisions, at: time)
    batch.removeAll()
  }

  private mutating func partition(_ topic: Text, _ number: Int32) -> PartitionReplay {
    for partition in partitions where partition.isOf(topic, number) { return partition }
    let new = PartitionReplay(topic: topic.description, number: number, settings: settings, hashSeed: hashSeed)
    partitions.append(new)
    return new
  }
}

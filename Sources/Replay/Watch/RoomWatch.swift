import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Wire

/// Replays a log so that one room is seen step by step: a timer at a time, a record at a time. The other rooms go by
/// as in every replay; a room of that name in another partition is watched too.
struct RoomWatch<Observer: RoomObserver>: ~Copyable {
  var observer: Observer
  /// In the order in which they first came.
  private(set) var partitions: [PartitionReplay] = []

  /// Partitions whose rooms may have stood otherwise where the log begins, and in a line why.
  private(set) var doubts: [(partition: PartitionReplay, why: String)] = []

  /// Whether an event of the room was understood, or something of it was there where a partition began.
  private(set) var isRoomKnown = false

  private let settings: LogSettings
  private let hashSeed: UInt64
  private let room: ByteBuffer
  private var decoder = EventDecoder()
  private var batch = CommandBatch()

  /// - Parameter settings: those in force before the first line.
  init(room: ID, settings: LogSettings, hashSeed: UInt64, observer: Observer) {
    var name = ByteBuffer(capacity: 256)
    name.append(string: room.string)
    self.room = name
    self.settings = settings
    self.hashSeed = hashSeed
    self.observer = observer
    batch.keepsSkips = true
  }

  mutating func play(_ line: LogLine) throws(BrokenLog) {
    let partition = partition(line.topic, line.partition)
    switch line.content {
    case .record(let record):
      try partition.check(offset: record.offset)
      play(record, in: partition)
    case .firedTo(let time, let clock):
      partition.checkIdle()
      fire(partition, to: time)
      if let clock { partition.engine.advanceClock(to: clock) }
    case .settings(let settings):
      partition.change(to: settings)
      report(.settings(settings), at: partition.engine.clock, before: nil, in: partition)
    case .state(let state):
      try partition.begin(with: state)
      if let why = state.warning {
        doubts.append((partition, why))
        observer.observeDoubt(why, of: partition)
      }
      let picture = partition.engine.picture(of: room.text)
      if !picture.isEmpty { isRoomKnown = true }
      observer.observeBeginning(picture, of: partition)
    }
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
    let at = partition.engine.time(ofRecordAt: record.timestampMs)
    _ = step(partition, through: at)
    let event: RoomEvent
    do throws(NotUnderstood) {
      event = try decoder.decode(record, keyRule: partition.keyRule)
    } catch {
      _ = apply(record, nil, in: partition)
      batch.removeAll()
      observer.observeDeadLetter(record, error, in: partition)
      return
    }
    guard event.roomId == room.text else {
      observer.observe(elsewhere: event, record, in: partition)
      _ = apply(record, event, in: partition)
      batch.removeAll()
      return
    }
    isRoomKnown = true
    let before = pictureBefore(record.offset, in: partition)
    let arrival = arrive(event, record, in: partition)
    let seen = SeenRecord(
      name: partition.name(ofRecord: record.offset), offset: record.offset, timestampMs: record.timestampMs)
    report(.event(event, seen, arrival), at: at, before: before, in: partition)
  }

  private mutating func apply(
    _ record: LogRecord, _ event: RoomEvent?, in partition: PartitionReplay
  ) -> PartitionLog.Applied {
    partition.engine.apply(offset: record.offset, timestampMs: record.timestampMs, event: event, into: &batch)
  }

  private mutating func arrive(
    _ event: RoomEvent, _ record: LogRecord, in partition: PartitionReplay
  ) -> Arrival {
    let isKnown = partition.engine.knows(room.text, record: record.offset)
    if case .rainGrab = event.body {
    } else if let arrival = arriveTakenBack(event, record, isKnown, in: partition) {
      return arrival
    }
    switch event.body {
    case .retract(let retract):
      let before = partition.engine.picture(of: room.text)
      let applied = apply(record, event, in: partition)
      if applied == .duplicate { return .duplicate }
      return isKnown ? .known : Arrival(of: retract, before, partitionName: partition.name)
    case .roomSettings:
      let before = partition.engine.picture(of: room.text).own
      let applied = apply(record, event, in: partition)
      if applied == .duplicate { return .duplicate }
      return isKnown ? .known : .roomSettings(before: before)
    case .roomEnd:
      let before = partition.engine.picture(of: room.text)
      let applied = apply(record, event, in: partition)
      if applied == .duplicate { return .duplicate }
      return isKnown ? .known : Arrival(endOf: before)
    case .spot(let spot):
      let at = partition.engine.time(ofRecordAt: record.timestampMs)
      let before = partition.engine.spot(of: room.text, id: spot.spotId, at: at)
      let applied = apply(record, event, in: partition)
      if applied == .duplicate { return .duplicate }
      return isKnown
        ? .known : .spot(before: before, after: partition.engine.spot(of: room.text, id: spot.spotId, at: at))
    case .gift(let gift):
      let before = GiftMoment(gift, of: room.text, in: partition.engine)
      let applied = apply(record, event, in: partition)
      if applied == .duplicate { return .duplicate }
      return isKnown
        ? .known : before.arrival(of: gift, offset: record.offset, in: room.text, partition.engine, batch.skips)
    case .wish(let wish):
      let before = partition.engine.wish(of: room.text, id: wish.wishId)
      let at = partition.engine.time(ofRecordAt: record.timestampMs)
      let equal = before == nil ? partition.engine.wish(of: room.text, equalTo: wish, at: at) : nil
      let applied = apply(record, event, in: partition)
      if applied == .duplicate { return .duplicate }
      if !isKnown, let equal {
        let after = equal.wishId.withText { partition.engine.wish(of: room.text, id: $0) }
        return .equalWish(before: equal, after: after)
      }
      return isKnown ? .known : .wish(before: before, after: partition.engine.wish(of: room.text, id: wish.wishId))
    case .wishLike(let like):
      let before = partition.engine.wish(of: room.text, id: like.wishId)
      let applied = apply(record, event, in: partition)
      if applied == .duplicate { return .duplicate }
      return isKnown ? .known : .like(before: before, after: partition.engine.wish(of: room.text, id: like.wishId))
    case .tap(let tap):
      let before = partition.engine.nextTapIsLikeUntil(of: room.text, user: tap.userId)
      let at = partition.engine.time(ofRecordAt: record.timestampMs)
      let applied = apply(record, event, in: partition)
      if applied == .duplicate { return .duplicate }
      return isKnown ? .known : .tap(isLike: before.map { at < $0 } ?? false, before: before)
    case .rainStart(let start):
      let before = partition.engine.rain(of: room.text, id: start.rainId)
      let running = partition.engine.picture(of: room.text).rains.count
      let limit = partition.engine.settings(of: room.text).rain.limit
      let applied = apply(record, event, in: partition)
      if applied == .duplicate { return .duplicate }
      return isKnown
        ? .known
        : .rainStart(
          before: before, after: partition.engine.rain(of: room.text, id: start.rainId), isFull: running >= limit)
    case .rainGrab(let grab):
      let packet = partition.engine.packet(grab.packet, ofRain: grab.rainId, in: room.text)
      let applied = apply(record, event, in: partition)
      if applied == .duplicate { return .duplicate }
      guard !isKnown, let result = batch.results.first else { return .known }
      return .rainGrab(
        GrabMoment(
          rain: partition.engine.rain(of: room.text, id: grab.rainId), packet: packet, outcome: result.outcome,
          coins: result.coins))
    }
  }

  /// Nil: it was not taken back before it came.
  private mutating func arriveTakenBack(
    _ event: RoomEvent, _ record: LogRecord, _ isKnown: Bool, in partition: PartitionReplay
  ) -> Arrival? {
    let at = partition.engine.time(ofRecordAt: record.timestampMs)
    let isMuted = event.body.user.map { partition.engine.isMuted($0, in: room.text, at: at) } ?? false
    let isTakenBack = partition.engine.isTakenBack(event.body, in: room.text, at: at)
    guard isMuted || isTakenBack else { return nil }
    let applied = apply(record, event, in: partition)
    if applied == .duplicate { return .duplicate }
    if isKnown { return .known }
    let skips = batch.skips.filter { $0.roomId == room.text && $0.reason == .retracted }
    return .takenBack(units: skips.reduce(0) { $0 &+ $1.units })
  }

  private func pictureBefore(_ offset: Int64, in partition: PartitionReplay) -> RoomPicture? {
    observer.wantsPicture(at: offset, in: partition)
      ? partition.engine.picture(of: room.text) : nil
  }

  private mutating func report(
    _ cause: RoomStep.Cause, at time: LogTime, before: RoomPicture?, in partition: PartitionReplay
  ) {
    let commands = batch.commands.filter { $0.roomId == room.text }
    let skips = batch.skips.filter { $0.roomId == room.text }
    observer.observe(
      RoomStep(at: time, cause: cause, before: before, commands: commands, skips: skips), in: partition)
    batch.removeAll()
  }

  private mutating func partition(_ topic: Text, _ number: Int32) -> PartitionReplay {
    for partition in partitions where partition.isOf(topic, number) { return partition }
    let new = PartitionReplay(topic: topic.description, number: number, settings: settings, hashSeed: hashSeed)
    partitions.append(new)
    return new
  }
}

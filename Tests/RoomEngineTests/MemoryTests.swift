import RoomEngine
import RoomModel
import TestSupport
import Testing

/// Things that a room no longer remembers take no memory.
struct MemoryTests {
  private func crowd(_ log: inout PartitionLog, rooms: Int, from start: LogTime, offset: Int64) {
    var batch = CommandBatch()
    var offset = offset
    for i in 0..<rooms {
      let at = start + Int64(i) * 50
      let room = "room \(offset)"
      for event in [
        RoomEvent.gift("u\(i)", "g\(i % 9)", count: 3, streak: "s\(i)", id: "e\(offset)", room: room),
        .wish("u\(i)", "w\(i)", id: "f\(offset)", room: room),
        .like("v\(i)", "w\(i)", id: "g\(offset)", room: room),
        .like("v\(i)", "nothing", room: "empty \(offset)"),
      ] {
        offset += 1
        _ = log.apply(offset: offset, timestampMs: at, event: event, into: &batch)
      }
      batch.removeAll()
    }
  }

  @Test func aLogOfEverNewRoomsTakesNoMoreThanThoseOfTheLastWhile() {
    var settings = EngineSettings()
    settings.gift.streakMs = 5000
    settings.dedupe.windowMs = 5000
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    crowd(&log, rooms: 2000, from: 0, offset: 0)
    let bytes = log.byteCount
    #expect(log.roomCount < 300)
    crowd(&log, rooms: 8000, from: 1_000_000, offset: 1_000_000)
    #expect(log.roomCount < 300)
    #expect(log.byteCount < bytes * 3 / 2)
  }

  /// Tables have a place for each room up to the highest: what came with many rooms goes with them.
  @Test func afterManyRoomsAFewTakeWhatTheyTookBefore() {
    var settings = EngineSettings()
    settings.gift.streakMs = 5000
    settings.dedupe.windowMs = 5000
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    func gift(in room: String, at: LogTime) {
      _ = log.apply(
        offset: log.lastOffset + 1, timestampMs: at, event: .gift("u", "g", streak: "s", id: "e", room: room),
        into: &batch)
      batch.removeAll()
    }
    for room in 0..<100 { gift(in: "first-\(room)", at: 0) }
    let before = log.byteCount
    for room in 0..<20_000 { gift(in: "many-\(room)", at: 100) }
    #expect(log.byteCount > 50 * before)
    // A room at a time, so that at each moment somebody is there.
    for room in 0..<100 { gift(in: "between-\(room)", at: 10_000 + LogTime(room) * 1000) }
    for room in 0..<100 { gift(in: "last-\(room)", at: 200_000) }
    #expect(log.roomCount <= 110)
    #expect(log.byteCount < before * 13 / 10)
  }

  /// Of a room on whose screen nothing is any more only the streaks of four users are remembered.
  @Test func `a quiet room takes no more than a kilobyte`() throws {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: true, log: "in/0")
    var batch = CommandBatch()
    let count = 1000
    for room in 0..<count {
      for user in 0..<4 {
        _ = log.apply(
          offset: Int64(room * 4 + user), timestampMs: Int64(room),
          event: .gift("100000\(user)", "gift-7", streak: "streak-100000\(user)", room: "quiet-room-\(room)"),
          into: &batch)
      }
      batch.removeAll()
    }
    while log.nextDeadline < .max {
      _ = log.fireTimers(through: log.nextDeadline, into: &batch)
      batch.removeAll()
    }
    var rooms: [PartitionLog.RoomHandle] = []
    log.takeChangedRooms(into: &rooms)
    #expect(log.roomCount == count)
    #expect(log.byteCount / count <= 1024)

    var restored = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: true, log: "in/0")
    restored.resume(clock: log.clock, lastOffset: log.lastOffset, settings: log.settings, settingsEpoch: 0)
    for room in rooms {
      var state: [UInt8] = []
      log.writeState(of: room, into: &state)
      try state.withUnsafeBytes { _ = try restored.install(room: log.roomId(room), state: $0) }
    }
    #expect(restored.roomCount == count)
    #expect(restored.byteCount / count <= 1024)
  }

  private static let wide: [(String, String)] = [
    ("gift.lanes", "4"), ("gift.tickMs", "200"), ("gift.tiers", "1:1,2:2,3:3,4:4"), ("wish.tracks", "5"),
    ("like.paceMs", "100"),
  ]

  private func set(_ values: [(String, String)], rooms: Range<Int>, _ log: inout PartitionLog) {
    var batch = CommandBatch()
    for room in rooms {
      _ = log.apply(
        offset: log.lastOffset + 1, timestampMs: log.clock, event: .own(values, forMs: 1000, room: "room-\(room)"),
        into: &batch)
    }
  }

  @Test func equalSettingsOfRoomsAreKeptOnce() throws {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    _ = log.apply(offset: 0, timestampMs: 0, event: nil, into: &batch)
    set(Self.wide, rooms: 0..<1000, &log)
    #expect(log.byteCount / 1000 < 1024)
    // Each room has the settings that it asked for, also if others have different ones.
    set([("gift.lanes", "4")], rooms: 1000..<1001, &log)
    #expect(log.settings(of: Text("room-7")).wish.tracks == 5)
    #expect(log.settings(of: Text("room-1000")).wish.tracks == 3)
    // The rooms' settings lie over other settings of the worker, too, and are again kept once.
    var settings = EngineSettings()
    settings.gift.lanes = 3
    settings.wish.em = 20
    log.change(to: settings)
    #expect(log.settings(of: Text("room-7")).gift.lanes == 4)
    #expect(log.settings(of: Text("room-7")).wish.em == 20)
    #expect(log.byteCount / 1000 < 1024)
    // Nothing is left of the settings once their time is over.
    _ = log.fireTimers(through: 1000, into: &batch)
    #expect(log.roomCount == 0)
    for lanes in 1...64 { set([("gift.lanes", "\(lanes)")], rooms: lanes..<lanes + 1, &log) }
    #expect(log.byteCount < 200_000)
    for _ in 0..<10 {
      _ = log.fireTimers(through: log.clock + 1000, into: &batch)
      for lanes in 1...64 {
        set([("gift.lanes", "\(lanes)"), ("gift.tickMs", "\(10 + log.lastOffset)")], rooms: lanes..<lanes + 1, &log)
      }
    }
    #expect(log.byteCount < 200_000, "settings that no room has any more are not kept")
  }

  @Test func inTheEndNothingIsLeft() {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    crowd(&log, rooms: 1000, from: 0, offset: 0)
    #expect(log.roomCount == 1000)
    for i in 0..<300 {
      _ = log.apply(offset: 1_000_000 + Int64(i), timestampMs: 1_000_000_000, event: nil, into: &batch)
    }
    #expect(log.roomCount == 0)
    #expect(log.byteCount < 1000)
  }

  /// 100,000 grabs by 20,000 users: while packets fall, and when all is over.
  @Test func aGreatRainTakesLittleAndThenNothing() throws {
    var settings = EngineSettings()
    settings.rain.rememberMs = 60_000
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: true, log: "in/0")
    var batch = CommandBatch()
    var rooms: [PartitionLog.RoomHandle] = []
    var most = (bytes: 0, state: 0)
    _ = log.apply(offset: 0, timestampMs: 0, event: .rain("storm", durationMs: 25_000), into: &batch)
    log.takeChangedRooms(into: &rooms)
    let users = (0..<20_000).map { Text("user-\($0 * 7919)") }
    for grab in 0..<100_000 {
      let at = 1000 + LogTime(grab) / 4
      let event = RoomEvent(
        eventId: .empty, roomId: Text("r1"),
        body: .rainGrab(
          RainGrab(
            rainId: Text("storm"), packet: max(0, at / 250 - 1 - Int64(grab % 8)), userId: users[grab * 31 % 20_000])))
      _ = log.apply(offset: 1 + Int64(grab), timestampMs: at, event: event, into: &batch)
      batch.removeAll()
      guard grab.isMultiple(of: 5000) else { continue }
      var state: [UInt8] = []
      log.writeState(of: try #require(rooms.first), into: &state)
      most = (max(most.bytes, log.byteCount), max(most.state, state.count))
    }
    #expect(most.bytes < 4_000_000)
    #expect(most.state < 1_000_000)
    #expect(most.state > 100_000, "all users have opened something")
    _ = log.fireTimers(through: 100_000, into: &batch)
    log.release(try #require(rooms.first))
    #expect(log.byteCount < 10_000)
  }

  @Test func aRoomThatSomebodyHoldsStaysUntilItIsReleased() throws {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: true, log: "in/0")
    var batch = CommandBatch()
    var rooms: [PartitionLog.RoomHandle] = []
    _ = log.apply(offset: 0, timestampMs: 0, event: .gift("ann"), into: &batch)
    log.takeChangedRooms(into: &rooms)
    let room = try #require(rooms.first)
    #expect(rooms.count == 1)
    #expect(log.hasState(room) == true)
    #expect(log.roomId(room) == Text("r1"))

    log.release(room)
    #expect(log.roomCount == 1, "it has state")
    _ = log.fireTimers(through: 10_000, into: &batch)
    #expect(log.roomCount == 1, "it has changed since")
    rooms.removeAll()
    log.takeChangedRooms(into: &rooms)
    #expect(rooms == [room])
    #expect(log.hasState(room) == false)
    log.release(room)
    #expect(log.roomCount == 0)
  }

  @Test func aRoomThatForgetsByItselfCountsAsChanged() throws {
    var settings = EngineSettings()
    settings.gift.streakMs = 100_000
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: true, log: "in/0")
    var batch = CommandBatch()
    var rooms: [PartitionLog.RoomHandle] = []
    _ = log.apply(offset: 0, timestampMs: 0, event: .gift("ann", streak: "s"), into: &batch)
    _ = log.fireTimers(through: 99_999, into: &batch)
    log.takeChangedRooms(into: &rooms)
    let before = try #require(rooms.first)
    #expect(log.hasState(before) == true)
    rooms.removeAll()
    _ = log.apply(offset: 1, timestampMs: 100_000, event: nil, into: &batch)
    log.takeChangedRooms(into: &rooms)
    let after = try #require(rooms.first)
    #expect(log.hasState(after) == false)
  }

  /// Long ids: a streak counts some 1100 bytes. Ten at a time end together.
  @Test func `a room's streaks are bounded, and those that end first are forgotten`() throws {
    func log() -> PartitionLog {
      PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: true, log: "in/0")
    }
    var first = log()
    var batch = CommandBatch()
    let (long, count) = (String(repeating: "x", count: 256), 32_000)
    func gift(_ number: Int, count: Int64) -> RoomEvent {
      let user = String(long.dropLast(5)) + String(100_000 + number).dropFirst()
      return .gift(user, long, count: count, to: long, streak: long)
    }
    for number in 0..<count {
      _ = first.apply(
        offset: Int64(number), timestampMs: Int64(number / 10), event: gift(number, count: 1), into: &batch)
      batch.removeAll()
    }
    #expect(first.byteCount < 60 << 20)
    _ = first.fireTimers(through: 300_000, into: &batch)
    batch.removeAll()
    var states: [String: [UInt8]] = [:]
    first.writeChanged(into: &states)
    var second = log()
    second.resume(clock: first.clock, lastOffset: first.lastOffset, settings: first.settings, settingsEpoch: 0)
    try second.install(states)
    /// Whether the streak's first gift is still known: of two in all, one is new.
    func isKnown(_ number: Int, in log: inout PartitionLog, offset: Int) throws -> Bool {
      defer { batch.removeAll() }
      _ = log.apply(
        offset: Int64(offset), timestampMs: 300_000 + Int64(offset - count) * 20_000, event: gift(number, count: 2),
        into: &batch)
      return try #require(batch.commands.map(\.line).first { $0.hasPrefix("show") }).hasSuffix("total 1")
    }
    // 30,671 fit in.
    for (turn, number) in [count - 1, count - 30_000, 1000, 0].enumerated() {
      let known = try isKnown(number, in: &first, offset: count + turn)
      #expect(known == (number >= count - 30_671), "\(number)")
      #expect(try isKnown(number, in: &second, offset: count + turn) == known, "\(number), restored")
    }
  }

  @Test func millionsOfEventIdsTakeLittleMoreThanTheirBytes() {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    let count = 100_000
    for i in 0..<count {
      _ = log.apply(offset: Int64(i), timestampMs: 0, event: .like("u", "w", id: "event-\(100_000 + i)"), into: &batch)
    }
    #expect(log.byteCount < count * (48 + 12))
  }

  @Test func idsOfAShortWindowDontWaitForThoseOfALongOneBefore() {
    var settings = EngineSettings()
    settings.dedupe.windowMs = 100_000_000
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    func come(_ offsets: Range<Int64>) {
      for offset in offsets {
        let event = RoomEvent.like("u", "w", id: "id \(offset)", room: "r\(offset % 7)")
        _ = log.apply(offset: offset, timestampMs: offset * 10, event: event, into: &batch)
      }
    }
    come(0..<100)
    settings.dedupe.windowMs = 1000
    log.change(to: settings)
    come(100..<20_000)
    #expect(log.byteCount < 100_000)
    let first = RoomEvent.like("u", "w", id: "id 3", room: "r3")
    #expect(log.apply(offset: 20_000, timestampMs: 200_000, event: first, into: &batch) == .duplicate)
    // No room lives for ids alone.
    #expect(log.roomCount == 0)
  }
}

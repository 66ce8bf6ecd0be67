import Platform
import RoomEngine
import RoomModel
import Simulation

/// Measures what a room costs while it is remembered: in memory, and as the state that is written for its next owner.
enum RoomBenchmark {
  static func run(count: Int?) {
    let count = count ?? 100_000
    forgotten(count)
    quiet(count)
    for combos in [1, 10] {
      var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: true, log: "in/0")
      var batch = CommandBatch()
      var texts = TextArena()
      let rooms = (0..<count).map { texts.keep("room-\($0)") }
      let senders = (0..<combos).map {
        Sender(
          userId: texts.keep("\(1_000_001 + $0)"), name: Text("观众 1000001"),
          avatarUrl: Text("https://i.example/1000001.png"))
      }
      let before = residentBytes()
      var offset: Int64 = 0
      for room in rooms {
        for sender in senders {
          let gift = Gift(sender: sender, giftId: Text("gift-7"), giftName: Text("礼物 7"), value: 50)
          _ = log.apply(
            offset: offset, timestampMs: 1_700_000_000_000,
            event: RoomEvent(eventId: .empty, roomId: room, body: .gift(texts.lend(gift))), into: &batch)
          offset += 1
        }
        batch.removeAll()
      }
      let memory = residentBytes() - before
      var handles: [PartitionLog.RoomHandle] = []
      log.takeChangedRooms(into: &handles)
      var state: [UInt8] = []
      var bytes = 0
      let nanoseconds = measured {
        for room in handles {
          state.removeAll(keepingCapacity: true)
          log.writeState(of: room, into: &state)
          bytes += state.count
        }
      }
      Report.line(
        "room with \(combos) combo\(combos == 1 ? "" : "s")", ("bytes in memory", Report.each(memory, count)),
        ("bytes written", Report.each(Int64(bytes), handles.count)),
        ("ns to write", Report.each(nanoseconds, handles.count)))
    }
  }

  /// The memory of a partition with a minute of records, and with the same again after ten times `count` rooms came and
  /// were forgotten.
  private static func forgotten(_ count: Int) {
    var settings = EngineSettings()
    settings.gift.streakMs = 86_400_000
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: true, log: "in/0")
    var batch = CommandBatch()
    var handles: [PartitionLog.RoomHandle] = []
    var held = HeldMemory(least: 10_000)
    var offset: Int64 = 0
    var startMs: LogTime = 1_700_000_000_000
    func play(_ rooms: consuming QuietRooms) {
      while let (atMs, event) = rooms.next() {
        _ = log.apply(offset: offset, timestampMs: atMs, event: event, into: &batch)
        batch.removeAll()
        offset += 1
        if offset % 4096 == 0 {
          log.takeChangedRooms(into: &handles)
          for room in handles where !log.hasState(room) { log.release(room) }
          handles.removeAll(keepingCapacity: true)
          if held.hasShrunk(to: log.roomCount) { HeldMemory.giveBack() }
        }
      }
      startMs = log.clock + 1
    }
    let minute = Int(60_000 / QuietRooms.everyMs)
    play(QuietRooms(count: minute, startMs: startMs))
    let before = residentBytes()
    play(QuietRooms(count: 10 * count, startMs: startMs))
    let most = residentBytes()
    // Little happens until all of them are forgotten, and those that came with the first of these.
    for _ in 0..<2 {
      startMs += settings.gift.streakMs
      play(QuietRooms(count: 1100, startMs: startMs))
    }
    startMs += settings.gift.streakMs
    play(QuietRooms(count: minute, startMs: startMs))
    let after = residentBytes()
    Report.line(
      "forgotten rooms", ("rooms", Report.grouped(Int64(10 * count))), ("MB before", Report.each(before, 1_000_000)),
      ("with them", Report.each(most, 1_000_000)), ("after", Report.each(after, 1_000_000)),
      ("% of before", Report.each(100 * after, Int(before))))
  }

  /// Rooms on whose screens nothing is any more: as they ran, and as a restore makes them.
  private static func quiet(_ count: Int) {
    var settings = EngineSettings()
    settings.gift.streakMs = 86_400_000
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: true, log: "in/0")
    var batch = CommandBatch()
    let startMs: LogTime = 1_700_000_000_000
    var rooms = QuietRooms(count: count, startMs: startMs)
    var offset: Int64 = 0
    while let (atMs, event) = rooms.next() {
      _ = log.apply(offset: offset, timestampMs: atMs, event: event, into: &batch)
      batch.removeAll()
      offset += 1
    }
    while log.nextDeadline < .max {
      _ = log.fireTimers(through: log.nextDeadline, into: &batch)
      batch.removeAll()
    }
    var handles: [PartitionLog.RoomHandle] = []
    log.takeChangedRooms(into: &handles)
    var states: [UInt8] = []
    var places: [(id: Text, state: Range<Int>)] = []
    var texts = TextArena()
    var state: [UInt8] = []
    for room in handles {
      state.removeAll(keepingCapacity: true)
      log.writeState(of: room, into: &state)
      places.append((texts.keep(log.roomId(room)), states.count..<(states.count + state.count)))
      states += state
    }
    let ran = log.byteCount

    let before = residentBytes()
    var restored = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: true, log: "in/0")
    restored.resume(clock: log.clock, lastOffset: log.lastOffset, settings: log.settings, settingsEpoch: 0)
    let nanoseconds = measured {
      for (id, state) in places {
        states[state].withUnsafeBytes { bytes in
          do { _ = try restored.install(room: id, state: bytes) } catch {
            fatalError("a state can't be read: \(error)")
          }
        }
      }
    }
    Report.line(
      "quiet room", ("bytes as it ran", Report.each(Int64(ran), count)),
      ("restored", Report.each(Int64(restored.byteCount), count)),
      ("resident", Report.each(residentBytes() - before, count)),
      ("written", Report.each(Int64(states.count), count)), ("ns to restore", Report.each(nanoseconds, count)))
  }
}

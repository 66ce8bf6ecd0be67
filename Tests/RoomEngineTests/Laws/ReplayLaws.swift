import RoomEngine
import RoomModel
import TestSupport
import Testing

/// The output is a function of the log, however it came about.
struct ReplayLaws {
  private func play(
    _ inputs: [LogInput], _ settings: EngineSettings, hashSeed: UInt64 = 1, keepsChanges: Bool = false
  ) -> [String] {
    var log = PartitionLog(settings: settings, hashSeed: hashSeed, keepsChanges: keepsChanges, log: "in/0")
    var batch = CommandBatch()
    for input in inputs { log.take(input, into: &batch) }
    return batch.commands.map(\.everything) + batch.results.map(\.everything)
  }

  /// The commands by room: between rooms there is no order.
  private func byRoom(_ commands: [String]) -> [Substring: [String]] {
    Dictionary(grouping: commands) { $0.prefix { $0 != " " } }
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func theSeedOfHashesMakesNoDifference(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 300, floods: seed % 2 == 1)
    let output = byRoom(play(log.inputs, log.settings))
    #expect(byRoom(play(log.inputs, log.settings, hashSeed: 0xFEED, keepsChanges: true)) == output)
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func howAnIdleLogIsSplitMakesNoDifference(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 300, floods: seed % 2 == 1)
    var random = SplitMix64(seed: seed)
    var clock: LogTime = 1_700_000_000_000
    var split: [LogInput] = []
    for input in log.inputs {
      switch input {
      case .idle(let time):
        for _ in 0..<3 where time > clock {
          clock += random.number(0...min(time - clock, 4000))
          split.append(.idle(through: clock))
        }
      case .record(_, let timestampMs, _):
        clock = max(clock, timestampMs)
      case .settings:
        break
      }
      split.append(input)
    }
    #expect(byRoom(play(split, log.settings)) == byRoom(play(log.inputs, log.settings)))
  }

  /// Exactly once rests on this. Each room was written at some moment of its own since the mark; a new owner installs
  /// them, takes the log from the mark on, throws away what comes out up to where the old one ended, and goes on.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func aNewOwnerGoesOnExactlyWhereTheOldOneEnded(seed: UInt64) throws {
    let log = RandomLog(seed: seed, count: 250, floods: seed % 2 == 1)
    var random = SplitMix64(seed: seed &+ 1000)
    let mark = Int(random.number(0...Int64(log.inputs.count - 2)))
    let end = Int(random.number(Int64(mark)...Int64(log.inputs.count - 1)))

    var old = PartitionLog(settings: log.settings, hashSeed: 1, keepsChanges: true, log: "in/0")
    var batch = CommandBatch()
    for input in log.inputs[..<mark] { old.take(input.withoutEventId, into: &batch) }
    var new = PartitionLog(settings: EngineSettings(), hashSeed: 2, keepsChanges: true, log: "in/0")
    new.resume(
      clock: old.clock, lastOffset: old.lastOffset, settings: old.settings, settingsEpoch: old.settingsEpoch)

    var rooms: [PartitionLog.RoomHandle] = []
    var states: [String: [UInt8]] = [:]
    old.takeChangedRooms(into: &rooms)
    for room in rooms { states[old.roomId(room).description] = state(of: room, in: old) }
    // The journal of an idle log: the deadline of the last timer that fired.
    var journal: [LogTime?] = []
    for input in log.inputs[mark..<end] {
      if case .idle(let time) = input {
        journal.append(old.fireTimers(through: time, into: &batch))
      } else {
        old.take(input, into: &batch)
      }
      rooms.removeAll()
      old.takeChangedRooms(into: &rooms)
      for room in rooms where random.once(in: 3) { states[old.roomId(room).description] = state(of: room, in: old) }
    }
    for (room, state) in states { _ = try state.withUnsafeBytes { try new.install(room: Text(room), state: $0) } }
    for input in log.inputs[mark..<end] {
      guard case .idle = input else {
        new.take(input, into: &batch)
        continue
      }
      guard let fired = journal.removeFirst() else { continue }
      _ = new.fireTimers(through: fired, into: &batch)
      new.advanceClock(to: fired)
    }
    #expect(new.clock == old.clock)
    #expect(new.nextDeadline == old.nextDeadline)

    batch.removeAll()
    for input in log.inputs[end...] { old.take(input, into: &batch) }
    let wanted = byRoom(batch.commands.map(\.everything) + batch.results.map(\.everything))
    batch.removeAll()
    for input in log.inputs[end...] { new.take(input, into: &batch) }
    #expect(byRoom(batch.commands.map(\.everything) + batch.results.map(\.everything)) == wanted)
  }

  /// Nothing is remembered of it but which records it knows, and the last of these is the next to come.
  @Test func anEndedRoomThatWasInstalledKnowsTheRecordThatComes() throws {
    var old = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: true, log: "in/0")
    var batch = CommandBatch()
    _ = old.apply(offset: 0, timestampMs: 1000, event: .gift("ann"), into: &batch)
    _ = old.fireTimers(through: 1_000_000, into: &batch)
    let room = PartitionLog.RoomHandle(slot: 0)
    let hasEnded = !old.hasState(room)
    #expect(hasEnded)
    let state = state(of: room, in: old)
    batch.removeAll()

    var new = PartitionLog(settings: EngineSettings(), hashSeed: 2, keepsChanges: true, log: "in/0")
    _ = try state.withUnsafeBytes { try new.install(room: old.roomId(room), state: $0) }
    _ = new.apply(offset: 0, timestampMs: 1000, event: .gift("ann"), into: &batch)
    #expect(batch.commands.isEmpty)
    #expect(new.nextDeadline == .max)
    #expect(new.roomCount == 0)
  }

  /// `note` is for rooms whose state tells nothing about which records it knows.
  @Test func aNotedRecordMovesTheClockAndIsKnownAgainButItsRoomGetsNothing() {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    log.note(offset: 7, timestampMs: 1000, event: .gift("ann", id: "a"), into: &batch)
    #expect(log.clock == 1000)
    #expect(log.lastOffset == 7)
    #expect(log.nextDeadline == .max)
    #expect(log.apply(offset: 8, timestampMs: 0, event: .gift("ann", id: "a"), into: &batch) == .duplicate)
    #expect(batch.commands.isEmpty)
  }

  @Test func bytesThatAreNoStateAreRefused() throws {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: true, log: "in/0")
    var batch = CommandBatch()
    for input in RandomLog(seed: 5, count: 100).inputs.dropLast() { log.take(input, into: &batch) }
    var rooms: [PartitionLog.RoomHandle] = []
    log.takeChangedRooms(into: &rooms)
    let whole = state(of: try #require(rooms.first), in: log)
    for count in 0..<whole.count {
      #expect(throws: StateError.damaged) { try install(Array(whole[..<count])) }
    }
    #expect(throws: StateError.damaged) { try install(whole + [0]) }
    #expect(throws: StateError.unknownVersion(77)) { try install([77] + whole.dropFirst()) }
    var random = SplitMix64(seed: 1)
    for _ in 0..<2000 {
      var broken = whole
      broken[1 + Int(random.next() % UInt64(whole.count - 1))] = UInt8(truncatingIfNeeded: random.next())
      try? install(broken)
    }
  }

  @Test func aRoomsIdHasItsLimits() throws {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: true, log: "in/0")
    var batch = CommandBatch()
    _ = log.apply(offset: 0, timestampMs: 0, event: .gift("ann"), into: &batch)
    let whole = state(of: PartitionLog.RoomHandle(slot: 0), in: log)
    try install(whole, as: String(repeating: "r", count: 65_535))
    for id in ["", String(repeating: "r", count: 65_536)] {
      #expect(throws: StateError.damaged) { try install(whole, as: id) }
    }
  }

  /// Installs a state; nothing of one that is refused may be there.
  private func install(_ state: [UInt8], as id: String = "r") throws {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: true, log: "in/0")
    do {
      _ = try state.withUnsafeBytes { try log.install(room: Text(id), state: $0) }
    } catch {
      #expect(log.roomCount == 0)
      throw error
    }
  }

  private func state(of room: PartitionLog.RoomHandle, in log: borrowing PartitionLog) -> [UInt8] {
    var state: [UInt8] = []
    log.writeState(of: room, into: &state)
    return state
  }
}

extension LogInput {
  /// Event ids are no part of a room's state: they are known again from the log, which then begins at the mark.
  fileprivate var withoutEventId: LogInput {
    guard case .record(let offset, let timestampMs, var event?) = self else { return self }
    event.eventId = .empty
    return .record(offset: offset, timestampMs: timestampMs, event: event)
  }
}

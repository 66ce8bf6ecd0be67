import Foundation
import JSON
import Recovery
import RoomEngine
import RoomModel
import Settings
import TestSupport
import Testing

/// A room of any size is written in records that every topic takes, and a change writes little of it.
@Suite final class LargeRoomTests {
  private var batch = CommandBatch()
  private let rooms: RestorableRooms
  private var changelog: [(key: [UInt8], value: [UInt8])] = []
  private var nowMs: Int64 = 0
  private var offset: Int64 = 0
  private static let start: LogTime = 1_700_000_000_000
  private static let checkpointMs: Int64 = 5000
  /// `FLYSCREEN_OPENERS=1000000` measures a larger rain.
  private static let openers = ProcessInfo.processInfo.environment["FLYSCREEN_OPENERS"].flatMap { Int($0) } ?? 50_000

  init() throws {
    let beginning = PartitionRecovery(
      of: "in/0", from: .nothing(before: 0, LogSettings()), to: 0, firstOffset: 0, checkpointMs: Self.checkpointMs,
      hashSeed: 1)
    _ = try beginning.logsRead(journalEnd: 0, changelogEnd: 0, nowMs: 0)
    rooms = beginning.finish(batch: &batch)
  }

  private func give(_ event: RoomEvent, at time: LogTime) {
    let record = InputRecord(offset: offset, timestampMs: Self.start + time, key: nil, value: nil, contentType: nil)
    _ = rooms.apply(record, event, into: &batch)
    offset += 1
    batch.removeAll()
  }

  /// The parts that are written an interval later.
  private func commit() -> [(key: [UInt8], value: [UInt8])] {
    nowMs += Self.checkpointMs
    var due: [Int32] = []
    rooms.takeDue(nowMs: nowMs, into: &due)
    let before = changelog.count
    for slot in due { rooms.writeCheckpoint(of: slot, nowMs: nowMs) { changelog.append((Array($0), Array($1))) } }
    _ = rooms.metadata(for: "c", partitions: 1)
    rooms.committed(journalNext: 0, changelogNext: Int64(changelog.count))
    return Array(changelog[before...])
  }

  private func restored() throws -> RestorableRooms {
    let commit = Savepoint(offset: offset, metadata: rooms.metadata(for: "c", partitions: 1))
    let recovery = PartitionRecovery(
      of: "in/0", from: .commit(commit), to: offset, firstOffset: offset, checkpointMs: Self.checkpointMs, hashSeed: 2)
    for (at, record) in changelog.enumerated().dropFirst(Int(try #require(recovery.changelogFrom))) {
      try record.key.withUnsafeBytes { key in
        try record.value.withUnsafeBytes { try recovery.found(room: key, checkpoint: $0, at: Int64(at)) }
      }
    }
    _ = try recovery.logsRead(journalEnd: 0, changelogEnd: Int64(changelog.count), nowMs: nowMs)
    let rooms = recovery.finish(batch: &batch)
    #expect(recovery.isExact)
    return rooms
  }

  private func state(_ rooms: RestorableRooms) -> [UInt8] {
    var state: [UInt8] = []
    rooms.engine.forEachRoom { rooms.engine.writeState(of: $0, into: &state) }
    return state
  }

  private static func sizes(_ records: [(key: [UInt8], value: [UInt8])]) -> (all: Int, most: Int) {
    (records.reduce(0) { $0 + $1.value.count }, records.map(\.value.count).max() ?? 0)
  }

  private static func id(_ number: Int, _ count: Int) -> String {
    "\(number)-" + String(repeating: "x", count: count - "\(number)-".count)
  }

  /// The ids of 75,000 of them alone made a record of more than any topic takes.
  @Test func aRoomOfManyRainsWithLongIdsIsWrittenAndRestored() throws {
    var settings = LogSettings()
    settings.engine.rain.limit = 20_000
    rooms.change(to: settings)
    _ = commit()
    for rain in 0..<20_000 { give(.rain(Self.id(rain, 250), durationMs: 0, countdown: 60), at: 0) }
    let first = Self.sizes(commit())
    #expect(first.all > 8_000_000)
    #expect(first.most < 64 << 10)
    for tap in 0..<2 as Range<Int64> { give(.tap("7"), at: 10 * tap) }
    let second = Self.sizes(commit())
    #expect(second.all < 32 << 10, "a tap writes the part that it is in, and the head")
    print("20,000 rains: \(first.all) bytes at first, \(first.most) the largest record; a tap \(second.all)")
    let restored = try restored()
    #expect(state(restored) == state(rooms))
  }

  @Test func aTapInARoomWithManyOpenersWritesAFewKilobytes() throws {
    _ = commit()
    give(.rain("storm", durationMs: 60_000, perSecond: 100, budget: 1_000_000_000), at: 0)
    for user in 0..<Self.openers { give(.grab("user-\(user)", "storm", Int64(user % 30)), at: 400) }
    let first = Self.sizes(commit())
    #expect(first.all > 10 * Self.openers)
    #expect(first.most < 40 << 10)
    for tap in 0..<2 as Range<Int64> { give(.tap("7"), at: 400 + 10 * tap) }
    let tapped = Self.sizes(commit())
    #expect(tapped.all < 5 << 10)
    give(.grab("user-7", "storm", 31), at: 450)
    let grabbed = Self.sizes(commit())
    #expect(grabbed.all < 80 << 10)
    print(
      "\(Self.openers) openers: \(first.all) bytes at first, \(first.most) the largest record; a tap \(tapped.all),",
      "a grab \(grabbed.all); \(rooms.engine.byteCount) in memory")
    let restored = try restored()
    #expect(state(restored) == state(rooms))
  }

  @Test func aQuietRoomIsOneRecord() {
    _ = commit()
    give(.gift("7"), at: 0)
    #expect(commit().count == 1)
  }
}

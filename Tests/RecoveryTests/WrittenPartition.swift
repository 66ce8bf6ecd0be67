import Foundation
import JSON
import Recovery
import RoomEngine
import RoomModel
import Settings
import TestSupport
import Wire

/// A partition of a random log, and all that a worker writes beside it, in arrays.
final class WrittenPartition {
  /// The worker's state right before the record with `offset`, as it committed it.
  struct Place {
    var commit: Savepoint
    /// The records of journal and changelog so far.
    var journalEnd: Int
    var changelogEnd: Int
    var state: Snapshot
    /// The next entry of the random log.
    fileprivate var next: Int
    var offset: Int64 { commit.offset }
  }

  private struct Record {
    var offset: Int64
    var timestampMs: LogTime
    var key: [UInt8]
    var value: [UInt8]

    init(_ offset: Int64, _ timestampMs: LogTime, _ event: RoomEvent?) {
      self.offset = offset
      self.timestampMs = timestampMs
      var bytes = ByteBuffer()
      if let event { EventEncoder(format: .json).encode(event, into: &bytes) }
      key = event.map { Array($0.roomId.bytes) } ?? []
      value = Array(bytes.bytes)
    }

    func withInput(_ body: (InputRecord) -> Void) {
      key.withUnsafeBytes { key in
        value.withUnsafeBytes { value in
          body(InputRecord(offset: offset, timestampMs: timestampMs, key: key, value: value, contentType: nil))
        }
      }
    }
  }

  private(set) var places: [Place] = []
  /// Damage that the last restore met.
  private(set) var damages: [Damage] = []
  private var log: [LogInput] = []
  /// The commands of each entry.
  private(set) var output: [Output] = []
  private var input: [Record] = []
  private var journal: [[UInt8]] = []
  private var changelog: [(key: [UInt8]?, value: [UInt8])] = []

  private var rooms: RestorableRooms
  /// The ends of journal and changelog when the owner came, which doesn't know the places of records that it has yet to
  /// write.
  private var found = (journal: 0, changelog: 0)
  /// The number of its owners so far.
  private(set) var owners = 1
  private let isHandedOver: Bool
  private var decoder = EventDecoder()
  private var batch = CommandBatch()
  private var random: SplitMix64
  private var nowMs: Int64 = 0
  private static let checkpointMs: Int64 = 500
  private let cut: StateCut
  /// Mappings that are in force by turns, so that some messages are ignored.
  private let mappings: [Mapping?]
  private let manyMarks: Int

  /// - Parameters:
  ///   - isHandedOver: Now and then another owner restores it and goes on, from what those before have written.
  ///   - roomsPass: Others come in place of those that are there, which end.
  ///   - losesLogs: In the middle somebody empties changelog and journal, and another owner takes up what is left.
  ///   - isOftenQuiet: For a while nothing comes that anybody understands, so that all rooms are written.
  ///   - cut: How rooms are cut: small ones, too, so that they have parts.
  init(
    seed: UInt64, isHandedOver: Bool = false, roomsPass: Bool = false, losesLogs: Bool = false,
    isOftenQuiet: Bool = false, cut: StateCut = .small, manyMarks: Int = RestorableRooms.manyMarks
  )
    throws
  {
    self.cut = cut
    // Without its logs nothing tells what a commit's sum stands for.
    mappings = losesLogs ? [nil] : [nil, try Self.mapping(ignoring: "gift"), try Self.mapping(ignoring: "wish")]
    self.manyMarks = manyMarks
    self.isHandedOver = isHandedOver
    random = SplitMix64(seed: ~seed)
    let beginning = PartitionRecovery(
      of: "in/0", from: .nothing(before: 0, LogSettings()), to: 0, firstOffset: 0, checkpointMs: Self.checkpointMs,
      hashSeed: seed,
      cut: cut, manyMarks: manyMarks)
    _ = try beginning.logsRead(journalEnd: 0, changelogEnd: 0, nowMs: 0)
    rooms = beginning.finish(batch: &batch)
    let random = RandomLog(seed: seed, count: 300, floods: seed % 2 == 1)
    log = random.inputs.map { remembering($0) }
    if isOftenQuiet { log = log.enumerated().map { $0 % 60 < 30 ? $1 : $1.notUnderstood } }
    if roomsPass { log = log.enumerated().map { $1.moved(to: "\($0 / 12)") } }
    play(remembering(.settings(random.settings)), on: rooms) { write($0) }
    for (i, entry) in log.enumerated() {
      if losesLogs, i == log.count / 2 { try loseLogs() }
      try take(entry)
    }
  }

  /// Event ids are remembered for other times with other settings, so that rooms end, too.
  private func remembering(_ entry: LogInput) -> LogInput {
    guard case .settings(var settings) = entry else { return entry }
    settings.dedupe.windowMs = random.one(of: [300, 2000, 60_000])
    return .settings(settings)
  }

  private static func mapping(ignoring kind: String) throws -> Mapping {
    let text = #"{"in":{"shapes":[{"when":{"\#(kind)":"present"},"ignore":true}]}}"#
    return try MappingFile(Array(text.utf8), path: "mapping.json")["in"]!
  }

  // MARK: The worker

  private func take(_ entry: LogInput) throws {
    nowMs += random.number(0...100)
    if random.once(in: 3) {
      commit()
      if isHandedOver, random.once(in: 8) {
        rooms = try restored(places.last!, hashSeed: random.next()).0
        found = (journal.count, changelog.count)
        owners += 1
      }
    }
    if case .record(let offset, let timestampMs, let event) = entry {
      input.append(Record(offset, timestampMs, event))
    }
    play(entry, on: rooms) { write($0) }
    output.append(Output(&batch))
  }

  private func loseLogs() throws {
    commit()
    var last = places.last!
    (journal, changelog, last.journalEnd, last.changelogEnd) = ([], [], 0, 0)
    (rooms, _) = try restored(last, hashSeed: random.next())
    (found, places) = ((0, 0), [])
    owners += 1
  }

  private func play(_ entry: LogInput, on rooms: RestorableRooms, journal: (JournalLine.What) -> Void) {
    switch entry {
    case .record(let offset, let timestampMs, let event):
      Record(offset, timestampMs, event).withInput { record in
        let event = try? decoder.decode(
          key: record.key, value: record.value, contentType: nil, keyRule: rooms.settings.keyRule,
          mapping: rooms.settings.mapping)
        _ = rooms.apply(record, event, into: &batch)
      }
    case .idle(let time):
      if let fired = rooms.engine.fireTimers(through: time, into: &batch) { journal(.firedTo(fired)) }
    case .settings(let settings):
      var inForce = rooms.settings
      inForce.engine = settings
      inForce.mapping = mappings[Int(settings.dedupe.windowMs / 1000 % Int64(mappings.count))]
      rooms.change(to: inForce)
      journal(.settings(inForce))
    }
  }

  private func write(_ what: JournalLine.What) {
    journal.append(Array(JournalLine(offset: rooms.nextOffset, what: what).json.utf8))
  }

  private func commit() {
    var due: [Int32] = []
    rooms.takeDue(nowMs: nowMs, into: &due)
    for slot in due {
      rooms.writeCheckpoint(of: slot, nowMs: nowMs) { changelog.append((Array($0), Array($1))) }
    }
    rooms.writeMarks { changelog.append((nil, Array($0))) }
    let commit = Savepoint(
      offset: rooms.nextOffset, metadata: rooms.metadata(for: "c\(places.count)", partitions: 1))
    if rooms.takeSavepoint() { changelog.append((nil, Array(commit.text.utf8))) }
    rooms.committed(
      journalNext: journal.count > found.journal ? Int64(journal.count) : nil,
      changelogNext: changelog.count > found.changelog ? Int64(changelog.count) : nil)
    places.append(
      Place(
        commit: commit, journalEnd: journal.count, changelogEnd: changelog.count,
        state: Snapshot(rooms), next: output.count))
  }

  // MARK: Recoveries

  /// Restores as a worker does what was committed: changelog and journal first, as they were then, then the input.
  func restored(_ place: Place, firstOffset: Int64 = 0, hashSeed: UInt64) throws -> (
    RestorableRooms, isExact: Bool
  ) {
    let metadata = try CommitMetadata(text: place.commit.metadata.text)
    let recovery = PartitionRecovery(
      of: "in/0", from: .commit(Savepoint(offset: place.offset, metadata: metadata)), to: place.offset,
      firstOffset: firstOffset,
      checkpointMs: Self.checkpointMs,
      hashSeed: hashSeed, cut: cut, manyMarks: manyMarks)
    try readChangelog(from: recovery.changelogFrom!, to: place.changelogEnd, into: recovery)
    for at in min(Int(recovery.journalFrom!), place.journalEnd)..<place.journalEnd {
      try journal[at].withUnsafeBytes { try recovery.found(journalLine: $0, at: Int64(at)) }
    }
    let range = try recovery.logsRead(
      journalEnd: Int64(place.journalEnd), changelogEnd: Int64(place.changelogEnd), nowMs: nowMs)
    let rooms = replay(range, to: place.offset, into: recovery) { _ in }
    damages = recovery.damages
    return (rooms, recovery.isExact)
  }

  /// Begins as a replay does before a record: from the last savepoint before it, each line of the journal in its turn.
  func recovered(before offset: Int64, hashSeed: UInt64) throws -> RestorableRooms {
    var origin: (savepoint: Savepoint, at: Int)?
    for (at, record) in changelog.enumerated() where record.key == nil && record.value.first != RoomRecord.version {
      let savepoint = try record.value.withUnsafeBytes { try Savepoint($0) }
      if savepoint.offset <= offset { origin = (savepoint, at) }
    }
    let recovery = PartitionRecovery(
      of: "in/0", from: origin.map { .commit($0.savepoint) } ?? .nothing(before: 0, LogSettings()), to: offset,
      firstOffset: 0,
      checkpointMs: nil, hashSeed: hashSeed)
    if let origin { try readChangelog(from: recovery.changelogFrom!, to: origin.at, into: recovery) }
    let range = try recovery.logsRead(
      journalEnd: Int64(journal.count), changelogEnd: Int64(changelog.count), nowMs: 0)
    var lines = try journal.enumerated().map { (try Self.line($1), Int64($0)) }[Int(recovery.journalFrom ?? 0)...]
    return replay(range, to: offset, into: recovery) { offset in
      while let (line, at) = lines.first, line.offset <= offset {
        recovery.found(line, at: at)
        lines.removeFirst()
      }
    }
  }

  /// Places in the changelog of the records that a restore reads, each with its room.
  func records(for place: Place) -> [(at: Int, room: [UInt8])] {
    (Int(place.commit.metadata.changelogFrom)..<place.changelogEnd).compactMap { at in
      changelog[at].key.map { (at, $0) }
    }
  }

  /// Places of the journal's lines that a restore reads.
  func lines(for place: Place) -> Range<Int> {
    Int(place.commit.metadata.restorePoint.journalFrom)..<place.journalEnd
  }

  func offset(ofLine at: Int) throws -> Int64 { try Self.line(journal[at]).offset }

  /// A bit of a byte is another from here on.
  func flip(changelogAt at: Int, byte: Int, bit: Int) {
    changelog[at].value[byte % changelog[at].value.count] ^= 1 << UInt8(bit)
  }

  func flip(journalAt at: Int, byte: Int, bit: Int) {
    journal[at][byte % journal[at].count] ^= 1 << UInt8(bit)
  }

  /// The number of lines in the journal that came before that record.
  func journalEnd(before offset: Int64) throws -> Int {
    try journal.prefix { try Self.line($0).offset <= offset }.count
  }

  private static func line(_ bytes: [UInt8]) throws -> JournalLine {
    var document = JSONDocument()
    return try bytes.withUnsafeBytes { try JournalLine(json: $0, with: &document) }
  }

  private func readChangelog(from: Int64, to end: Int, into recovery: PartitionRecovery) throws {
    for at in min(Int(from), end)..<end {
      let hasMarks = changelog[at].value.first == RoomRecord.version
      guard let key = changelog[at].key ?? (hasMarks ? [] : nil) else {
        changelog[at].value.withUnsafeBytes { recovery.found(savepoint: $0) }
        continue
      }
      try key.withUnsafeBytes { key in
        try changelog[at].value.withUnsafeBytes { try recovery.found(room: key, checkpoint: $0, at: Int64(at)) }
      }
    }
  }

  private func replay(
    _ range: Range<Int64>?, to target: Int64, into recovery: PartitionRecovery, _ before: (Int64) -> Void
  ) -> RestorableRooms {
    for record in input where range?.contains(record.offset) ?? false {
      before(record.offset)
      record.withInput { recovery.replay($0, decoder: &decoder, batch: &batch) }
    }
    before(target)
    return recovery.finish(batch: &batch)
  }

  // MARK: Output

  /// The commands of the rest of the log where the rooms stand as at that place.
  func rest(of rooms: RestorableRooms, from place: Place) -> [Output] {
    log[place.next...].map { entry in
      play(entry, on: rooms) { _ in }
      return Output(&batch)
    }
  }

  /// The rooms that are left once the log is over, and all has been written of them.
  func roomsLeft() -> Int {
    // Each record forgets a few ids.
    for i in 1...100 as ClosedRange<Int64> {
      Record(rooms.nextOffset, rooms.engine.clock + i * 1_000_000_000, nil).withInput {
        _ = rooms.apply($0, nil, into: &batch)
      }
    }
    for _ in 0..<3 {
      nowMs += Self.checkpointMs
      commit()
    }
    return rooms.engine.roomCount
  }

  /// The number of the next entries that are records. An idle log's outcome depends on the timers of all rooms.
  func recordsNext(at place: Place) -> Int {
    log[place.next...].prefix { if case .idle = $0 { false } else { true } }.count
  }

  /// The output from a place on.
  func rest(from place: Place) -> [Output] { Array(output[place.next...]) }

  /// The commands of the rooms if the log ends there.
  func end(of rooms: RestorableRooms) -> Output {
    _ = rooms.engine.fireTimers(through: rooms.engine.clock + 4_000_000_000, into: &batch)
    return Output(&batch)
  }
}

extension LogInput {
  fileprivate var notUnderstood: LogInput {
    guard case .record(let offset, let timestampMs, _) = self else { return self }
    return .record(offset: offset, timestampMs: timestampMs, event: nil)
  }

  /// The input in another room.
  fileprivate func moved(to suffix: String) -> LogInput {
    guard case .record(let offset, let timestampMs, var event?) = self else { return self }
    event.roomId = Text("\(event.roomId)-\(suffix)")
    return .record(offset: offset, timestampMs: timestampMs, event: event)
  }
}

/// The commands of each room, in its order.
struct Output: Equatable {
  var rooms: [String: [String]] = [:]

  /// Empties the batch.
  init(_ batch: inout CommandBatch) {
    let encoder = CommandEncoder(topic: "in", partition: 0, format: .json)
    var bytes = ByteBuffer()
    for command in batch.commands {
      bytes.removeAll()
      encoder.encode(command, into: &bytes)
      rooms[command.roomId.description, default: []].append(bytes.text.description)
    }
    for result in batch.results {
      bytes.removeAll()
      encoder.encode(result, into: &bytes)
      rooms[result.roomId.description, default: []].append(bytes.text.description)
    }
    batch.removeAll()
  }
}

/// A partition's memory beside its rooms, the names of its rooms, and when the next timer is due.
struct Snapshot: Equatable {
  var nextOffset: Int64
  var nextDeadline: LogTime
  var clock: LogTime
  var lastOffset: Int64
  var settings: LogSettings
  var settingsEpoch: Int64
  var rooms: Set<String> = []
  /// The times until which events are remembered. (Marks of two owners may have two seeds.)
  var seenEvents: [LogTime] = []

  init(_ rooms: RestorableRooms) {
    nextOffset = rooms.nextOffset
    nextDeadline = rooms.engine.nextDeadline
    clock = rooms.engine.clock
    lastOffset = rooms.engine.lastOffset
    settings = rooms.settings
    settingsEpoch = rooms.engine.settingsEpoch
    rooms.engine.forEachRoom { self.rooms.insert(rooms.engine.roomId($0).description) }
    rooms.engine.forEachMark { seenEvents.append($1) }
    seenEvents.sort()
  }
}

extension StateCut {
  static let small = StateCut(whole: 300, head: 200, short: 60, least: 100, most: 400, oneIn: 64)
}

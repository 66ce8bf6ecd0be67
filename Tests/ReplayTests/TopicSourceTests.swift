import JSON
import Kafka
import Recovery
import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Testing
import Wire

/// A log on the embedded broker, with its journal, that no worker has left savepoints for.
struct TopicSourceTests {
  private let broker: EmbeddedBroker
  private let properties: KafkaProperties

  init() throws {
    broker = try EmbeddedBroker()
    for topic in ["im.gifts", "flyscreen.journal.im.gifts", "flyscreen.changelog.im.gifts"] {
      try broker.createTopic(topic, partitions: 1)
    }
    properties = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers])
    let producer = try Producer(properties: properties, clientId: "tests") { _ in }
    let input = try producer.topic("im.gifts", timeoutMs: 60_000)
    for i in 0..<5 {
      let value = #"{"eventId":"e\#(i)","roomId":"r1","gift":{"sender":{"userId":"\#(i)"},"giftId":"rose"}}"#
      try bytes("r1") { key in
        try bytes(value) { try input.produce(0, key: key, value: $0, timestampMs: 1000 + Int64(i) * 10_000) }
      }
    }
    let journal = try producer.topic("flyscreen.journal.im.gifts", timeoutMs: 60_000)
    var (one, three) = (LogSettings(), LogSettings())
    one.engine.gift.lanes = 1
    three.engine.gift.lanes = 3
    for line in [
      JournalLine(offset: 0, what: .settings(one)), JournalLine(offset: 1, what: .firedTo(1550)),
      JournalLine(offset: 3, what: .settings(three)), JournalLine(offset: 5, what: .firedTo(41550)),
    ] {
      try bytes(line.json) { try journal.produce(0, key: nil, value: $0) }
    }
    try producer.flush(timeoutMs: 60_000)
  }

  private func bytes(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try Array(text.utf8).withUnsafeBytes { try body($0) }
  }

  private func source(
    _ from: LogPlace, _ to: LogPlace, room: ID? = nil, unpacking limit: Int = 67_108_864
  ) throws -> TopicSource {
    let properties = try KafkaProperties([
      "bootstrap.servers": broker.bootstrapServers, "fetch.unpacked.max.bytes": "\(limit)",
    ])
    return try TopicSource(
      TopicRange("im.gifts", properties).partitions(nil, from: from, to: to), room: room, properties)
  }

  /// Each line in a word or two.
  private func lines(
    _ from: LogPlace, _ to: LogPlace, room: ID? = nil, unpacking limit: Int = 67_108_864
  ) throws -> [String] {
    let source = try source(from, to, room: room, unpacking: limit)
    var lines: [String] = []
    while let line = try source.next() {
      switch line.content {
      case .record(let record): lines.append("\(record.offset)@\(record.timestampMs)")
      case .firedTo(let time, let clock): lines.append("fired \(time)\(clock.map { ", the clock at \($0)" } ?? "")")
      case .settings(let settings): lines.append(settings.changedJSON)
      case .state(let state):
        #expect(state.warning == nil)
        lines.append("state before \(state.offset): \(state.rooms.map(\.id.string)) \(state.settings.changedJSON)")
      case .doubt(let why): lines.append("doubt: \(why)")
      }
    }
    return lines
  }

  private func commands(_ from: LogPlace, _ to: LogPlace) throws -> [String] {
    let source = try source(from, to)
    var replayer = Replayer(settings: LogSettings(), hashSeed: 1)
    while let line = try source.next() { try replayer.play(line) }
    return String(decoding: replayer.output.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Adds two batches to the log: one of 2 MB, compressed, with the offsets 5 to 7, and one record.
  private func addLarge() throws {
    let more = [
      "compression.type": "lz4", "batch.size": "10000000", "linger.ms": "1000", "message.max.bytes": "10000000",
    ]
    let own = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers].merging(more) { $1 })
    let producer = try Producer(properties: own, clientId: "tests") { _ in }
    let input = try producer.topic("im.gifts", timeoutMs: 60_000)
    for (offsets, text) in [(5...7, String(repeating: "A", count: 700_000)), (8...8, "short")] {
      for offset in offsets {
        try bytes(text) { try input.produce(0, key: nil, value: $0, timestampMs: Int64(offset) * 10_000) }
      }
      try producer.flush(timeoutMs: 60_000)
    }
  }

  @Test(arguments: [1_048_576, 16_777_216])
  func `a batch that a worker passed over is one record, whoever unpacks it`(limit: Int) throws {
    try addLarge()
    let producer = try Producer(properties: properties, clientId: "tests") { _ in }
    let journal = try producer.topic("flyscreen.journal.im.gifts", timeoutMs: 60_000)
    try bytes(JournalLine(offset: 5, what: .passed(through: 7, at: 70_000)).json) {
      try journal.produce(0, key: nil, value: $0)
    }
    try producer.flush(timeoutMs: 60_000)
    #expect(
      try lines(.offset(4), .end, unpacking: limit).dropFirst() == ["4@41000", "fired 41550", "7@70000", "8@80000"])
    #expect(try lines(.offset(6), .end, unpacking: limit).dropFirst() == ["8@80000"])
    #expect(try lines(.offset(5), .offset(7), unpacking: limit).dropFirst() == [])
  }

  @Test func `a batch that a worker unpacked, and that is not unpacked now, is a doubt`() throws {
    try addLarge()
    #expect(
      try lines(.offset(4), .end, unpacking: 1_048_576).dropFirst() == [
        "4@41000", "fired 41550", "7@70000", "doubt: im.gifts[0]: \(Damage.batch(through: 7))", "8@80000",
      ])
    #expect(try lines(.offset(5), .end, unpacking: 16_777_216).contains("6@60000"))
  }

  @Test func linesOfTheJournalStandWhereTheyHappened() throws {
    #expect(
      try lines(.beginning, .end) == [
        #"{"gift":{"lanes":1}}"#, "0@1000", "fired 1550", "1@11000", "2@21000", #"{"gift":{"lanes":3}}"#, "3@31000",
        "4@41000", "fired 41550",
      ])
  }

  @Test func whereOneRoomIsAskedForFiringsTellTheClock() throws {
    let whole = try lines(.beginning, .end)
    let fired = whole.filter { $0.hasPrefix("fired") }
    #expect(fired == ["fired 1550", "fired 41550"])
    #expect(
      try lines(.beginning, .end, room: "r1")
        == whole.map { $0.hasPrefix("fired") ? "\($0), the clock at \($0.dropFirst(6))" : $0 })
  }

  @Test func aPartThatBeginsInTheMiddleBeginsWithTheRooms() throws {
    #expect(
      try lines(.offset(3), .offset(4)) == [#"state before 3: ["r1"] {"gift":{"lanes":3}}"#, "3@31000"])
  }

  @Test(arguments: Int64(0)...5) func thePartsGiveWhatTheWholeGives(cut: Int64) throws {
    let whole = try commands(.beginning, .end)
    #expect(whole.count > 8)
    #expect(try commands(.beginning, .offset(cut)) + commands(.offset(cut), .end) == whole)
  }

  @Test func ofAJournalThatGoesBackTheFirstPassIsReplayed() throws {
    let whole = try lines(.beginning, .end)
    #expect(try source(.beginning, .end).warnings.isEmpty)
    let producer = try Producer(properties: properties, clientId: "tests") { _ in }
    let journal = try producer.topic("flyscreen.journal.im.gifts", timeoutMs: 60_000)
    var seven = LogSettings()
    seven.engine.gift.lanes = 7
    for line in [JournalLine(offset: 2, what: .settings(seven)), JournalLine(offset: 3, what: .firedTo(21550))] {
      try bytes(line.json) { try journal.produce(0, key: nil, value: $0) }
    }
    try producer.flush(timeoutMs: 60_000)
    #expect(try lines(.beginning, .end) == whole)
    let source = try source(.beginning, .end)
    while try source.next() != nil {}
    #expect(source.warnings.count == 1)
    #expect(source.warnings.first?.hasPrefix("the group's offset of im.gifts[0] was set back from 5 to 2") ?? false)
  }

  /// In the array of a journal.
  private static func damaged(_ json: String) -> [UInt8] {
    Array(json.replacing("\"lanes\":7", with: "\"lanes\":8").utf8)
  }

  @Test(arguments: [false, true]) func aDamagedLineOfTheJournalIsADoubtOfItsPartition(isByRecord: Bool) throws {
    let log = try WorkedPartition(LogSettings(), checkpointMs: 500)
    for number in 0..<4 as Range<Int64> {
      let gift = #""gift":{"sender":{"userId":"7"},"giftId":"rose"}"#
      _ = log.take(#"{"eventId":"e\#(number)","roomId":"r1",\#(gift)}"#, room: "r1", at: 1000 + number)
    }
    var seven = LogSettings()
    seven.engine.gift.lanes = 7
    let line = JournalLine(offset: 2, what: .settings(seven)).json
    #expect(Self.damaged(line) != Array(line.utf8))
    log.logs.append(.init(timestampMs: 1, value: Self.damaged(line)), to: WorkedPartition.journal)
    let ranges = try TopicRange(WorkedPartition.input, log.logs).partitions(nil, from: .beginning, to: .end)
    let source = try TopicSource(ranges, log.logs)
    var explainer = Explainer(.event("e3"), room: "r1", settings: LogSettings(), hashSeed: 1)
    var kinds: [String] = []
    let filter = RoughRoomFilter(room: "r1")
    while let line = try source.next() {
      switch line.content {
      case .record(let record): kinds.append("\(record.offset)")
      case .settings: kinds.append("settings")
      case .doubt(let why): kinds.append(why)
      case .firedTo, .state: kinds.append("other")
      }
      try explainer.play(line)
      if isByRecord { try source.records { explainer.take($0, filter) } }
    }
    let why = "\(WorkedPartition.journal)[0] offset 1 is damaged and left out"
    #expect(kinds == (isByRecord ? ["settings", why, "0"] : ["settings", why, "0", "1", "2", "3"]))
    #expect(explainer.doubts.map(\.why) == [why])
    let told = Untold(.event("e3"), room: "r1", of: ranges).doubts(explainer)
    #expect(told == ["im.gifts[0] is not known exactly: \(why)"])
    #expect(source.warnings.isEmpty)
  }

  /// Others may write to the changelog, too, and write anything.
  @Test(arguments: [(changelogFrom: Int64(1000), journalFrom: Int64(0)), (0, 1000)])
  func forASavepointThatPointsBeyondTheEndTheBeginningIsTaken(changelogFrom: Int64, journalFrom: Int64) throws {
    let expected = try lines(.offset(3), .end)
    let metadata = CommitMetadata(
      restorePoint: RestorePoint(
        offset: 0, clock: 0, lastOffset: -1, settings: LogSettings(), settingsEpoch: 0, journalFrom: journalFrom),
      applyFrom: 0, changelogFrom: changelogFrom, clock: 0, lastOffset: -1, commit: "a#1", partitions: 1)
    let producer = try Producer(properties: properties, clientId: "tests") { _ in }
    let changelog = try producer.topic("flyscreen.changelog.im.gifts", timeoutMs: 60_000)
    try bytes(Savepoint(offset: 2, metadata: metadata).text) { try changelog.produce(0, key: nil, value: $0) }
    try producer.flush(timeoutMs: 60_000)
    #expect(try lines(.offset(3), .end) == expected)
  }

  @Test func whatIsNotThereIsTold() throws {
    #expect(throws: BrokenLog("im.gifts[0] ends at offset 5: there is no 6 yet")) {
      _ = try lines(.offset(6), .end)
    }
    #expect(throws: BrokenLog("im.gifts has no partition 1: it has 1, from 0")) {
      _ = try TopicRange("im.gifts", properties).partitions(1, from: .beginning, to: .end)
    }
  }
}

import JSON
import Kafka
import Recovery
import Replay
import RoomEngine
import RoomModel
import Settings
import Testing
import Wire

/// A log on the embedded broker with all that a worker writes beside it. Of the journal the beginning can't be read, so
/// whoever gets past it began at a savepoint.
@Suite struct SavepointTests {
  private static let count: Int64 = 30
  private let broker: EmbeddedBroker
  private let properties: KafkaProperties
  /// The commands that the worker published, each with its record.
  private let published: [(offset: Int64, command: String)]

  init() throws {
    broker = try EmbeddedBroker()
    for topic in ["im.gifts", "flyscreen.journal.im.gifts", "flyscreen.changelog.im.gifts"] {
      try broker.createTopic(topic, partitions: 1)
    }
    properties = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers])
    published = try Self.work(Producer(properties: properties, clientId: "tests") { _ in })
  }

  /// Gifts, four seconds apart; the second of each room counts on while the log is idle; a commit after each.
  private static func work(_ producer: Producer) throws -> [(Int64, String)] {
    let input = try producer.topic("im.gifts", timeoutMs: 60_000)
    let journal = try producer.topic("flyscreen.journal.im.gifts", timeoutMs: 60_000)
    let changelog = try producer.topic("flyscreen.changelog.im.gifts", timeoutMs: 60_000)
    func produce(_ topic: OutputTopic, _ key: [UInt8]?, _ value: [UInt8], at timeMs: Int64? = nil) throws {
      try (key ?? []).withUnsafeBytes { bytes in
        try value.withUnsafeBytes {
          try topic.produce(0, key: key == nil ? nil : bytes, value: $0, timestampMs: timeMs)
        }
      }
    }
    let beginning = PartitionRecovery(
      of: "in/0", from: .nothing(before: 0, LogSettings()), to: 0, firstOffset: 0, checkpointMs: 500, hashSeed: 1)
    _ = try beginning.logsRead(journalEnd: 0, changelogEnd: 0, nowMs: 0)
    var batch = CommandBatch()
    let rooms = beginning.finish(batch: &batch)
    var decoder = EventDecoder()
    var published: [(Int64, String)] = []
    var bytes = ByteBuffer()
    let encoder = CommandEncoder(topic: "im.gifts", partition: 0, format: .json)
    var (journalNext, changelogNext): (Int64, Int64) = (1, 0)
    try produce(journal, nil, Array("what is this".utf8))
    for i in 0..<count {
      let time = 1000 + i * 4000
      let key = Array("r\(i % 3)".utf8)
      let gift = #""gift":{"sender":{"userId":"\#(i % 4)"},"giftId":"rose","count":\#(i + 1)}"#
      let value = Array(#"{"eventId":"e\#(i)","roomId":"r\#(i % 3)",\#(gift)}"#.utf8)
      try produce(input, key, value, at: time)
      key.withUnsafeBytes { key in
        value.withUnsafeBytes { value in
          let event = try? decoder.decode(key: key, value: value, contentType: nil, keyRule: .roomId)
          let record = InputRecord(offset: i, timestampMs: time, key: key, value: value, contentType: nil)
          _ = rooms.apply(record, event, into: &batch)
        }
      }
      if i % 2 == 1, let fired = rooms.engine.fireTimers(through: time + 1000, into: &batch) {
        try produce(journal, nil, Array(JournalLine(offset: i + 1, what: .firedTo(fired)).json.utf8))
        journalNext += 1
      }
      for command in batch.commands {
        bytes.removeAll()
        encoder.encode(command, into: &bytes)
        published.append((i, bytes.text.description))
      }
      batch.removeAll()
      var due: [Int32] = []
      rooms.takeDue(nowMs: i * 200, into: &due)
      for slot in due {
        var records: [(key: [UInt8], value: [UInt8])] = []
        rooms.writeCheckpoint(of: slot, nowMs: i * 200) { records.append((Array($0), Array($1))) }
        for record in records { try produce(changelog, record.key, record.value) }
        changelogNext += Int64(records.count)
      }
      let commit = Savepoint(offset: i + 1, metadata: rooms.metadata(for: "c\(i)", partitions: 1))
      if rooms.takeSavepoint() {
        try produce(changelog, nil, Array(commit.text.utf8))
        changelogNext += 1
      }
      rooms.committed(journalNext: journalNext, changelogNext: changelogNext)
    }
    try producer.flush(timeoutMs: 60_000)
    return published
  }

  private func source(from offset: Int64) throws -> TopicSource {
    try TopicSource(
      TopicRange("im.gifts", properties).partitions(nil, from: .offset(offset), to: .end), properties)
  }

  @Test(arguments: [Int64(22), 25, 28, 29, 30]) func aReplayFromTheMiddleGoesOnAsTheWorkerDid(cut: Int64) throws {
    let source = try source(from: cut)
    var replayer = Replayer(settings: LogSettings(), hashSeed: 2)
    while let line = try source.next() {
      if case .state(let state) = line.content { #expect(state.warning == nil) }
      try replayer.play(line)
    }
    let commands = String(decoding: replayer.output.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let expected = published.filter { $0.offset >= cut }.map(\.command)
    #expect(cut == Self.count || expected.count > 3)
    #expect(byRoom(commands) == byRoom(expected))
  }

  private func byRoom(_ commands: [String]) -> [Substring: [String]] {
    Dictionary(grouping: commands) { $0.prefix(while: { $0 != "," }) }
  }

  @Test func withoutASavepointTheJournalIsReadFromItsBeginning() throws {
    #expect(throws: BrokenLog("flyscreen.journal.im.gifts[0] offset 0: it is no line of a journal")) {
      _ = try source(from: 0).next()
    }
  }
}

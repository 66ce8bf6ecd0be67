import Recovery
import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import TestSupport
import Wire

/// A random log of gifts, wishes, rains and grabs in three rooms, with all that a worker writes beside it and publishes.
final class PublishedLog {
  struct Published {
    var topic: String
    var partition: Int
    var room: String
    var recordOffset: Int64
    var place: Int64
    var record: ListedLogs.Record
    var json: String { String(decoding: record.value, as: UTF8.self) }
  }

  static let commands = "render.commands"
  static let results = "rain.results"
  static let rooms = ["r1", "r2", "r3"]
  private static let input = "im.gifts"
  private static let partitions = 2

  let logs = ListedLogs([
    input: 1, "flyscreen.journal.im.gifts": 1, "flyscreen.changelog.im.gifts": 1, commands: partitions,
    results: partitions,
  ])
  let count: Int64
  private(set) var published: [Published] = []
  private var random: SplitMix64
  private let rooms: RestorableRooms
  private var decoder = EventDecoder()
  private var batch = CommandBatch()
  private var bytes = ByteBuffer()
  private let encoder = CommandEncoder(topic: input, partition: 0, format: .json)

  init(seed: UInt64, count: Int64 = 240) throws {
    self.count = count
    random = SplitMix64(seed: seed)
    let beginning = PartitionRecovery(
      of: "im.gifts/0", from: .nothing(before: 0, LogSettings()), to: 0, firstOffset: 0, checkpointMs: 500,
      hashSeed: seed)
    _ = try beginning.logsRead(journalEnd: 0, changelogEnd: 0, nowMs: 0)
    rooms = beginning.finish(batch: &batch)
    write(.settings(LogSettings()), at: 0)
    var time: LogTime = 1_700_000_000_000
    for offset in 0..<count {
      time += random.number(0...random.one(of: [20, 900]))
      take(offset, at: time)
      if random.once(in: 8), let fired = rooms.engine.fireTimers(through: time + random.number(0...3000), into: &batch)
      {
        write(.firedTo(fired), at: time)
        publish(offset, at: time)
      }
      if random.once(in: 3) { commit(offset, at: time) }
    }
  }

  func ranges(from: LogPlace = .beginning) throws -> [PartitionRange] {
    try TopicRange(Self.input, logs).partitions(nil, from: from, to: .end)
  }

  /// Publishes these.
  func publish(_ published: [Published]) {
    for topic in [Self.commands, Self.results] {
      logs.topics[topic] = Array(repeating: ListedLogs.Log(), count: Self.partitions)
    }
    for one in published { logs.append(one.record, to: one.topic, one.partition) }
  }

  private func take(_ offset: Int64, at time: LogTime) {
    let room = random.one(of: Self.rooms)
    let user = "\(random.number(0...3))"
    let body =
      switch random.number(0...9) {
      case 0: #""wish":{"sender":{"userId":"\#(user)"},"text":"hi","wishId":"w\#(offset)"}"#
      case 1: #""rainStart":{"rainId":"\#(room)-\#(offset / 40)","durationMs":9000,"perSecond":9,"budget":1000}"#
      case 2...4:
        #""rainGrab":{"rainId":"\#(room)-\#(offset / 40)","packet":\#(random.number(0...5)),"userId":"\#(user)"}"#
      default:
        #""gift":{"sender":{"userId":"\#(user)"},"giftId":"g\#(random.number(0...2))","count":\#(random.number(1...9))}"#
      }
    let key = Array(room.utf8)
    let value = Array(#"{"eventId":"e\#(offset)","roomId":"\#(room)",\#(body)}"#.utf8)
    logs.append(ListedLogs.Record(timestampMs: time, key: key, value: value), to: Self.input)
    key.withUnsafeBytes { key in
      value.withUnsafeBytes { value in
        let event = try? decoder.decode(key: key, value: value, contentType: nil, keyRule: .roomId)
        let record = InputRecord(offset: offset, timestampMs: time, key: key, value: value, contentType: nil)
        _ = rooms.apply(record, event, into: &batch)
      }
    }
    publish(offset, at: time)
  }

  private func publish(_ offset: Int64, at time: LogTime) {
    for command in batch.commands {
      bytes.removeAll()
      encoder.encode(command, into: &bytes)
      publish(
        Self.commands, "\(command.roomId)", room: "\(command.roomId)", command.recordOffset, Int64(command.place), time)
    }
    for result in batch.results {
      bytes.removeAll()
      encoder.encode(result, into: &bytes)
      publish(Self.results, "\(result.userId)", room: "\(result.roomId)", offset, 0, time)
    }
    batch.removeAll()
  }

  private func publish(
    _ topic: String, _ key: String, room: String, _ offset: Int64, _ place: Int64, _ time: LogTime
  ) {
    let key = Array(key.utf8)
    let partition = key.withUnsafeBytes { Murmur2.partition(key: $0, partitions: Int32(Self.partitions)) }
    published.append(
      Published(
        topic: topic, partition: Int(partition), room: room, recordOffset: offset, place: place,
        record: ListedLogs.Record(timestampMs: time, key: key, value: Array(bytes.bytes))))
  }

  private func write(_ what: JournalLine.What, at time: LogTime) {
    let line = Array(JournalLine(offset: rooms.nextOffset, what: what).json.utf8)
    logs.append(ListedLogs.Record(timestampMs: time, key: nil, value: line), to: "flyscreen.journal.im.gifts")
  }

  private func commit(_ offset: Int64, at time: LogTime) {
    func write(_ key: [UInt8]?, _ value: [UInt8]) {
      logs.append(ListedLogs.Record(timestampMs: time, key: key, value: value), to: "flyscreen.changelog.im.gifts")
    }
    var due: [Int32] = []
    rooms.takeDue(nowMs: time, into: &due)
    for slot in due { rooms.writeCheckpoint(of: slot, nowMs: time) { write(Array($0), Array($1)) } }
    let commit = Savepoint(offset: rooms.nextOffset, metadata: rooms.metadata(for: "c\(offset)", partitions: 1))
    if rooms.takeSavepoint() { write(nil, Array(commit.text.utf8)) }
    rooms.committed(
      journalNext: Int64(logs.topics["flyscreen.journal.im.gifts"]![0].records.count),
      changelogNext: Int64(logs.topics["flyscreen.changelog.im.gifts"]![0].records.count))
  }
}

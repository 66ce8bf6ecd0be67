import Kafka
import Recovery
import Replay
import RoomEngine
import RoomModel
import Settings
import TestSupport
import Wire

/// A random log of room r1 with all that a worker writes for it: journal, changelog and commands, a transaction each.
final class WorkedLog {
  static let input = "im.gifts"
  static let commands = "render.commands"
  static let helpers = HelperTopics()
  static var journal: String { helpers.journal(of: input) }
  static var changelog: String { helpers.changelog(of: input) }
  static let windowMs: Milliseconds = 2000

  let logs = ArrayLogs()
  /// Of the records, by their offsets.
  private(set) var ids: [String] = []
  private(set) var isOfRoom: [Bool] = []
  /// Of the room's commands.
  private(set) var names: [CommandName] = []
  private(set) var times: [LogTime] = []

  private let rooms: RestorableRooms
  private var random: SplitMix64
  private var batch = CommandBatch()
  private var decoder = EventDecoder()
  private let encoder = CommandEncoder(topic: WorkedLog.input, partition: 0, format: .json)
  private var written: [String: Int64] = [:]

  init(seed: UInt64, count: Int) throws {
    var random = SplitMix64(seed: seed)
    var settings = LogSettings()
    settings.engine.gift.lanes = .random(in: 1...2, using: &random)
    settings.engine.gift.queueLimit = [3, 60].randomElement(using: &random)!
    settings.engine.wish.tracks = 1
    settings.engine.dedupe.windowMs = Self.windowMs
    self.random = random
    for topic in [Self.input, Self.journal, Self.changelog, Self.commands] { logs.make(topic) }
    let beginning = PartitionRecovery(
      of: "\(Self.input)/0", from: .nothing(before: 0, settings), to: 0, firstOffset: 0, checkpointMs: 300, hashSeed: 1)
    _ = try beginning.logsRead(journalEnd: 0, changelogEnd: 0, nowMs: 0)
    var none = CommandBatch()
    rooms = beginning.finish(batch: &none)
    write(.settings(settings), at: 0)
    var now: LogTime = 1_700_000_000_000
    for number in 0..<count {
      now += .random(in: 20...900, using: &self.random)
      take(number, at: now)
      if Int.random(in: 0..<3, using: &self.random) == 0 { commit("c\(number)", at: now) }
      if Int.random(in: 0..<8, using: &self.random) == 0 { idle(&now) }
    }
    commit("last", at: now)
  }

  private func take(_ number: Int, at now: LogTime) {
    let event = event(number)
    ids.append(event.id)
    isOfRoom.append(event.room == "r1")
    times.append(now)
    let value = Array(#"{"eventId":"\#(event.id)","roomId":"\#(event.room)",\#(event.body)}"#.utf8)
    let offset = logs.append(.init(timestampMs: now, key: Array(event.room.utf8), value: value), to: Self.input)
    Array(event.room.utf8).withUnsafeBytes { room in
      value.withUnsafeBytes { value in
        let event = try? decoder.decode(key: room, value: value, contentType: nil, keyRule: .roomId)
        let record = InputRecord(offset: offset, timestampMs: now, key: room, value: value, contentType: nil)
        _ = rooms.apply(record, event, into: &batch)
      }
    }
    publish(at: now)
  }

  /// An id, a room and a body. Some come twice, and some can't be understood.
  private func event(_ number: Int) -> (id: String, room: String, body: String) {
    let user = "\(Int.random(in: 0..<5, using: &random))"
    let sender = #""sender":{"userId":"\#(user)","name":"n\#(user)"}"#
    let count = Int.random(in: 1...12, using: &random)
    let gift = #""gift":{\#(sender),"giftId":"\#(Bool.random(using: &random) ? "rose" : "car")","count":\#(count)}"#
    let earlier = max(0, number - .random(in: 1...8, using: &random))
    switch Int.random(in: 0..<26, using: &random) {
    case 0: return ("e\(earlier)", "r1", gift)
    case 1...4: return ("e\(number)", "r1", #""wish":{\#(sender),"text":"hi \#(number)","wishId":"w\#(number)"}"#)
    case 5, 6: return ("e\(number)", "r1", #""wishLike":{"userId":"\#(user)","wishId":"w\#(earlier)"}"#)
    case 7, 8: return ("e\(number)", "r1", #""tap":{"userId":"\#(user)","x":1,"y":2}"#)
    case 9: return ("e\(number)", "r1", #""retract":{"userId":"\#(user)","muteMs":\#(count > 6 ? 4000 : 0)}"#)
    case 10:
      return ("e\(number)", "r1", #""spot":{\#(sender),"spotId":"s\#(number)","content":"{}","durationMs":2000}"#)
    case 11: return ("e\(number)", "r1", #""gift":{\#(sender),"giftId":5}"#)
    case 12...14: return ("e\(number)", "r2", gift)
    default: return ("e\(number)", "r1", gift)
    }
  }

  private func idle(_ now: inout LogTime) {
    let deadline = now + .random(in: 100...3000, using: &random)
    guard let fired = rooms.engine.fireTimers(through: deadline, into: &batch) else { return }
    now = deadline
    publish(at: now)
    write(.firedTo(fired), at: now)
    commit("i\(now)", at: now)
  }

  private func publish(at now: LogTime) {
    var bytes = ByteBuffer()
    for command in batch.commands {
      bytes.removeAll()
      encoder.encode(command, into: &bytes)
      if command.roomId.description == "r1", let name = RoomLog.name(bytes.text.description) { names.append(name) }
      append(Self.commands, Array(command.roomId.bytes), Array(bytes.bytes), at: now)
    }
    batch.removeAll()
  }

  private func write(_ what: JournalLine.What, at now: LogTime) {
    append(Self.journal, nil, Array(JournalLine(offset: rooms.nextOffset, what: what).json.utf8), at: now)
  }

  private func append(_ topic: String, _ key: [UInt8]?, _ value: [UInt8], at now: LogTime) {
    written[topic] = logs.append(.init(timestampMs: now, key: key, value: value), to: topic) + 1
  }

  private func commit(_ name: String, at now: LogTime) {
    var due: [Int32] = []
    rooms.takeDue(nowMs: now, into: &due)
    var records: [(key: [UInt8], value: [UInt8])] = []
    for slot in due { rooms.writeCheckpoint(of: slot, nowMs: now) { records.append((Array($0), Array($1))) } }
    for record in records { append(Self.changelog, record.key, record.value, at: now) }
    let commit = Savepoint(offset: rooms.nextOffset, metadata: rooms.metadata(for: name, partitions: 1))
    if rooms.takeSavepoint() { append(Self.changelog, nil, Array(commit.text.utf8), at: now) }
    rooms.committed(journalNext: written[Self.journal], changelogNext: written[Self.changelog])
    for topic in written.keys { logs.append(.init(timestampMs: now, isMarker: true), to: topic) }
    written = [:]
  }
}

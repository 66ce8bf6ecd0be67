import JSON
import Replay
import RoomModel
import RoomScreen
import Settings

/// A log that stands in a test.
struct Played: Equatable {
  var commands: [String]
  /// The results of grabs, in the order of the log.
  var results: [String]
  var summary: ReplaySummary
}

/// Plays `lines`; an error tells which line (from 1) it was.
func play(
  _ lines: [String], settings: LogSettings = LogSettings(), until: LogTime? = nil, room: ID? = nil,
  hashSeed: UInt64 = 1
) throws -> Played {
  var replayer = Replayer(settings: settings, room: room, hashSeed: hashSeed)
  var reader = LogLineReader()
  for (number, line) in zip(1..., lines) {
    do {
      try Array(line.utf8).withUnsafeBytes { if let line = try reader.read($0) { try replayer.play(line) } }
    } catch let error as BrokenLog {
      throw BrokenLog("line \(number): \(error)")
    }
  }
  if let until { replayer.fire(to: until) }
  func text(_ output: borrowing ByteBuffer) -> [String] {
    String(decoding: output.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
  return Played(commands: text(replayer.output), results: text(replayer.results), summary: replayer.summary)
}

/// The reason why the last of `lines` can't be played.
func complaint(_ lines: String...) -> String? {
  do {
    _ = try play(lines)
    return nil
  } catch {
    return "\(error)"
  }
}

/// A line of a log: a gift of user 7 to room r1, or the value that is given.
func record(
  _ offset: Int64, at time: LogTime, topic: String = "im.gifts", partition: Int = 0, room: String = "r1",
  value: String? = nil, more: String = ""
) -> String {
  let value = value ?? #"{"roomId":"\#(room)","gift":{"sender":{"userId":"7"},"giftId":"rose"}}"#
  return #"{"topic":"\#(topic)","partition":\#(partition),"offset":\#(offset),"timestampMs":\#(time),"#
    + #""key":"\#(room)","value":\#(value)\#(more)}"#
}

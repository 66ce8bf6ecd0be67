import Foundation
import Recovery
import RoomEngine
import RoomModel
import Settings
import TestSupport
import Wire

/// A file that `WrittenPartition.saved` wrote, a thing a line.
final class OldPartition {
  private var commit: Savepoint!
  private var ends: (journal: Int64, changelog: Int64) = (0, 0)
  private var changelog: [(at: Int64, key: [UInt8]?, value: [UInt8])] = []
  private var journal: [(line: JournalLine, at: Int64)] = []
  private var input: [(offset: Int64, timestampMs: LogTime, key: [UInt8], value: [UInt8])] = []
  /// By room.
  private(set) var output: [String: [String]] = [:]

  private var document = JSONDocument()
  private var decoder = EventDecoder()
  private var batch = CommandBatch()

  init(_ text: String) throws {
    for line in text.split(separator: "\n") {
      let (kind, rest) = Self.cut(line)
      let words = rest.split(separator: " ")
      switch kind {
      case "commit": commit = try Array(rest.utf8).withUnsafeBytes { try Savepoint($0) }
      case "ends": ends = (Int64(words[0])!, Int64(words[1])!)
      case "changelog":
        changelog.append((Int64(words[0])!, words[1] == "-" ? nil : Self.bytes(words[1]), Self.bytes(words[2])))
      case "journal":
        let (at, json) = Self.cut(rest)
        journal.append(
          (try Array(json.utf8).withUnsafeBytes { try JournalLine(json: $0, with: &document) }, Int64(at)!))
      case "input":
        input.append((Int64(words[0])!, Int64(words[1])!, Self.bytes(words[2]), Self.bytes(words[3])))
      case "output":
        let (room, json) = Self.cut(rest)
        output[String(decoding: Self.bytes(room), as: UTF8.self), default: []].append(String(json))
      default: fatalError("a line of \(kind)")
      }
    }
  }

  private static func cut(_ text: Substring) -> (Substring, Substring) {
    let blank = text.firstIndex(of: " ")!
    return (text[..<blank], text[text.index(after: blank)...])
  }

  private static func bytes(_ word: Substring) -> [UInt8] {
    word == "=" ? [] : Array(Data(base64Encoded: String(word))!)
  }

  /// As the next owner restores it.
  func restored() throws -> (rooms: RestorableRooms, isExact: Bool) {
    let recovery = PartitionRecovery(
      of: "in/0", from: .commit(commit), to: commit.offset, firstOffset: 0, checkpointMs: 500, hashSeed: 9)
    for (at, key, value) in changelog {
      guard let key else {
        _ = try value.withUnsafeBytes { try Savepoint($0) }
        continue
      }
      try key.withUnsafeBytes { key in
        try value.withUnsafeBytes { try recovery.found(room: key, checkpoint: $0, at: at) }
      }
    }
    for (line, at) in journal where at < ends.journal { recovery.found(line, at: at) }
    let range = try recovery.logsRead(journalEnd: ends.journal, changelogEnd: ends.changelog, nowMs: 0)
    for record in input where range?.contains(record.offset) ?? false {
      give(record) { recovery.replay($0, decoder: &decoder, batch: &batch) }
    }
    return (recovery.finish(batch: &batch), recovery.isExact)
  }

  /// What comes of all that followed, by room.
  func rest(of rooms: RestorableRooms) -> [String: [String]] {
    var lines = journal.filter { $0.at >= ends.journal }[...]
    var output: [String: [String]] = [:]
    func take(_ what: JournalLine.What) {
      switch what {
      case .firedTo(let time):
        _ = rooms.engine.fireTimers(through: time, into: &batch)
      case .settings(let settings):
        rooms.change(to: settings)
      }
    }
    func takeLines(before offset: Int64) {
      while let (line, _) = lines.first, line.offset <= offset {
        take(line.what)
        lines.removeFirst()
      }
    }
    for record in input where record.offset >= commit.offset {
      takeLines(before: record.offset)
      give(record) { input in
        let event = try? decoder.decode(
          key: input.key, value: input.value, contentType: nil, keyRule: rooms.settings.keyRule)
        _ = rooms.apply(input, event, into: &batch)
      }
      output.merge(Output(&batch).rooms) { $0 + $1 }
    }
    takeLines(before: .max)
    output.merge(Output(&batch).rooms) { $0 + $1 }
    return output
  }

  private func give(
    _ record: (offset: Int64, timestampMs: LogTime, key: [UInt8], value: [UInt8]), _ body: (InputRecord) -> Void
  ) {
    record.key.withUnsafeBytes { key in
      record.value.withUnsafeBytes { value in
        body(
          InputRecord(
            offset: record.offset, timestampMs: record.timestampMs, key: key, value: value, contentType: nil))
      }
    }
  }
}

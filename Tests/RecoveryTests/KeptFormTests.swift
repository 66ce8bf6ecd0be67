import Foundation
import JSON
import Recovery
import RoomEngine
import RoomModel
import Settings
import TestSupport
import Testing

/// What released versions have written (`Tests/Kept`) and this one writes under the same number: the same bytes. So no form
/// changes without its number. Only settings may be added.
struct KeptFormTests {
  private struct State: Decodable {
    var room: String
    var value: Data
  }

  private struct Commit: Decodable { var metadata: String }

  private static let versions: [URL] = {
    let folder = URL(filePath: #filePath).appending(path: "../../Kept").standardized
    return try! FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter(\.hasDirectoryPath)
  }()

  private static func read<Value: Decodable>(_ name: String, of version: URL) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(contentsOf: version.appending(path: name)))
  }

  @Test(arguments: versions) func statesOfRoomsAreWrittenAsTheyWere(version: URL) throws {
    var (whole, older) = (0, 0)
    let states: [State] = try Self.read("states.json", of: version)
    for state in states {
      let value = Array(state.value)
      let room = Array(state.room.utf8)
      guard value[0] == RoomRecord.version else {
        older += 1
        continue
      }
      let record = try room.withUnsafeBytes { room in try value.withUnsafeBytes { try RoomRecord($0, of: room) } }
      var again: [UInt8] = []
      room.withUnsafeBytes {
        RoomRecord.write(record.kind, offset: record.offset, of: $0, into: &again) { $0 += record.content }
      }
      #expect(again == value, "the record of a room has another form: raise RoomRecord.version")
      guard record.kind == .whole else { continue }
      guard record.content[0] == PartitionLog.stateVersion else {
        older += 1
        continue
      }
      whole += 1
      var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
      let handle = try record.content.withUnsafeBytes { try log.install(room: Text(state.room), state: $0) }
      var content: [UInt8] = []
      var cuts: [Int] = []
      log.writeState(of: handle, into: &content, cuts: &cuts)
      #expect(
        Self.stages(content) == Self.stages(record.content),
        "the state of room \(state.room) has another form: raise Room.stateVersion")
    }
    #expect(whole + older > 5)
  }

  /// A state without its version, the time and the record that it is of, and the settings' number, which are the log's.
  private static func stages(_ state: [UInt8]) -> ArraySlice<UInt8> {
    var rest = state.dropFirst()
    for _ in 0..<3 { rest = rest.drop { $0 >= 0x80 }.dropFirst() }
    return rest
  }

  @Test(arguments: versions) func metadataAndSavepointsAreWrittenAsTheyWere(version: URL) throws {
    let commits: [Commit] = try Self.read("group.json", of: version)
    for commit in commits {
      try Self.expectSame(commit.metadata, version: CommitMetadata.version) { try CommitMetadata(text: $0).text }
    }
    let savepoints: [String] = try Self.read("savepoints.json", of: version)
    for text in savepoints {
      let savepoint = try Array(text.utf8).withUnsafeBytes { try Savepoint($0) }
      let (old, new) = (text.split(separator: " "), savepoint.text.split(separator: " "))
      #expect(old.count == 3 && new.count == 3 && old[0] == new[0], "a savepoint has another form")
      try Self.expectSame(String(old[1]), version: CommitMetadata.version) { _ in String(new[1]) }
    }
  }

  @Test(arguments: versions) func linesOfAJournalAreWrittenAsTheyWere(version: URL) throws {
    let lines: [String] = try Self.read("journal.json", of: version)
    for line in lines {
      try Self.expectSame(line, version: JournalLine.version) { line in
        var document = JSONDocument()
        return try Array(line.utf8).withUnsafeBytes { try JournalLine(json: $0, with: &document).json }
      }
    }
  }

  /// Objects with the same members, in a form of the same number; the new one may have more settings.
  private static func expectSame(_ old: String, version: Int64, _ write: (String) throws -> String) throws {
    func members(_ text: String) throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
    var (then, now) = (try members(old), try members(try write(old)))
    let settings = then.removeValue(forKey: "settings") as? [String: Any] ?? [:]
    let more = now.removeValue(forKey: "settings") as? [String: Any] ?? [:]
    let (number, written) = (then["version"] as? NSNumber, now["version"] as? NSNumber)
    #expect(try #require(number).int64Value <= version)
    // It was read; it is written in a later form.
    if number != written { return }
    (then["sum"], now["sum"]) = (nil, nil)
    #expect(NSDictionary(dictionary: then).isEqual(to: now), "another form: raise its version")
    for (group, values) in settings {
      let values = values as? [String: Any] ?? [:]
      let there = more[group] as? [String: Any] ?? [:]
      for (name, value) in values {
        #expect(
          there[name].map { "\($0)" } == "\(value)", "\(group).\(name) is gone or has another value")
      }
    }
  }
}

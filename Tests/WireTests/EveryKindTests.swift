import Foundation
import RoomModel
import Testing
import Wire

/// A kind that is forgotten in one of the forms, or in what is written about them, fails here.
struct EveryKindTests {
  private static func schema(_ name: String) throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Schemas/\(name)")
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// The names of an object's members within `body`, at every depth: `sender.userId`.
  private static func names(_ value: Any, _ path: String = "") -> Set<String> {
    guard let members = value as? [String: Any] else { return [path] }
    return members.reduce(into: []) { names, member in
      names.formUnion(self.names(member.value, path.isEmpty ? member.key : "\(path).\(member.key)"))
    }
  }

  /// The fields of each message of the `.proto`, with their types, and named as in JSON.
  private static func messages() throws -> [String: [(type: String, name: String)]] {
    var messages: [String: [(type: String, name: String)]] = [:]
    var current = ""
    for line in try schema("flyscreen.proto").split(separator: "\n") {
      if let message = line.firstMatch(of: #/^message (\w+) \{/#) { current = String(message.1) }
      if let field = line.firstMatch(of: #/^\s+(?:repeated |optional )?(map<[^>]+>|\w+) (\w+) = \d+;/#) {
        let words = field.2.split(separator: "_")
        let name = words[0] + words.dropFirst().map(\.capitalized).joined()
        messages[current, default: []].append((String(field.1), String(name)))
      }
    }
    return messages
  }

  @Test(arguments: EventKind.allCases) func anEventOfEachKindPassesThroughBothForms(kind: EventKind) throws {
    let example = try #require(try? Self.schema("examples/event-\(kind.rawValue).json"), "an example").dropLast()
    let protobuf = try Decoding().of(Array(example.utf8)) { event in
      #expect(event.body.kind == kind)
      var buffer = ByteBuffer()
      EventEncoder(format: .protobuf).encode(event, into: &buffer)
      return Array(buffer.bytes)
    }
    var decoding = Decoding()
    decoding.contentType = Format.protobuf.contentType.description
    let again = try decoding.of(protobuf) { event in
      #expect(event.body.kind == kind)
      return event.json
    }
    #expect(again == example)
  }

  /// What an example doesn't say nobody learns from it, and a reader that forgets it passes.
  @Test(arguments: EventKind.allCases) func theExampleOfEachKindSaysAll(kind: EventKind) throws {
    let messages = try Self.messages()
    let event = try #require(messages["Event"])
    let type = try #require(event.first { $0.name == kind.rawValue }?.type, "a field of Event in flyscreen.proto")
    var fields: Set<String> = []
    for field in messages[type] ?? [] {
      let inner = messages[field.type]?.map { "\(field.name).\($0.name)" }
      fields.formUnion(inner ?? [field.name])
    }
    let json = try JSONSerialization.jsonObject(with: Data(Self.schema("examples/event-\(kind.rawValue).json").utf8))
    let body = try #require((json as? [String: Any])?[kind.rawValue] as? [String: Any])
    let said = Set(Self.names(body).filter { !$0.isEmpty }.map { $0.hasPrefix("set.") ? "set" : $0 })
    // It takes back one thing; a user's has most to say.
    let other: Set<String> = kind == .retract ? ["wishId", "comboId"] : []
    #expect(said == fields.subtracting(other))
  }

  @Test(arguments: EventKind.allCases) func eachKindIsInTheContract(kind: EventKind) throws {
    #expect(try Self.schema("STAGES.md").contains("\n| `\(kind.rawValue)` |"))
    #expect(try Self.schema("flyscreen.schema.yaml").contains("\(kind.rawValue):"))
  }
}

import Foundation
import JSON
import RoomModel
import RoomScreen
import TestSupport
import Testing
import Wire

/// A kind that is forgotten in one of the forms, on a screen, or in what is written about them, fails here.
struct EveryKindTests {
  private static func file(_ path: String) throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../\(path)")
    return try String(contentsOf: file, encoding: .utf8)
  }

  private static func schema(_ name: String) throws -> String { try file("Schemas/\(name)") }

  /// The names of an object's members within `body`, at every depth: `sender.userId`.
  private static func names(_ value: Any, _ path: String = "") -> Set<String> {
    if let list = value as? [[String: Any]] { return list.reduce(into: []) { $0.formUnion(names($1, path)) } }
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

  /// A field that no example has is learned by nobody, and a reader that forgets it passes.
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
    // A retract takes back one thing; a user's has most to say. A goal with sides has no receiver.
    let other: Set<String> =
      switch kind {
      case .retract: ["wishId", "comboId", "spotId", "pinId", "goalId"]
      case .goal: ["receiverId"]
      default: []
      }
    #expect(said == fields.subtracting(other))
  }

  @Test(arguments: EventKind.allCases) func eachKindIsInTheContract(kind: EventKind) throws {
    #expect(try Self.schema("STAGES.md").contains("\n| `\(kind.rawValue)` |"))
    #expect(try Self.schema("flyscreen.schema.yaml").contains("\(kind.rawValue):"))
  }

  // MARK: Commands

  private static func example(_ kind: RoomCommand.Body.Kind) throws -> String {
    String(try schema("examples/command-\(kind).json").dropLast())
  }

  @Test(arguments: RoomCommand.Body.Kind.allCases)
  func aCommandOfEachKindPassesThroughBothForms(kind: RoomCommand.Body.Kind) throws {
    let example = try Self.example(kind)
    let protobuf = try Self.written(Array(example.utf8), .json, as: .protobuf, kind)
    #expect(String(decoding: try Self.written(protobuf, .protobuf, as: .json, kind), as: UTF8.self) == example)
  }

  private static func written(
    _ value: [UInt8], _ format: Format, as other: Format, _ kind: RoomCommand.Body.Kind
  ) throws -> [UInt8] {
    var decoder = CommandDecoder()
    return try value.withUnsafeBytes { value in
      let published = try #require(try decoder.decode(value: value, contentType: format.contentType.bytes))
      #expect(published.command.body.kind == kind)
      var buffer = ByteBuffer()
      CommandEncoder(topic: "\(published.topic)", partition: published.partition, format: other)
        .encode(published.command, into: &buffer)
      return Array(buffer.bytes)
    }
  }

  /// Through the clients' type and back, as a gateway's snapshot takes it.
  @Test(arguments: RoomCommand.Body.Kind.allCases)
  func aClientKnowsEachKind(kind: RoomCommand.Body.Kind) throws {
    let example = try Self.example(kind)
    let command = try JSONDecoder().decode(Command.self, from: Data(example.utf8))
    if case .unknown = command.body { Issue.record("RoomScreen's Command doesn't know \(kind)") }
    #expect(try JSONDecoder().decode(Command.self, from: JSONEncoder().encode(command)) == command)
    var encoder = SnapshotEncoder()
    var buffer = ByteBuffer()
    #expect(encoder.encode(command, into: &buffer))
    #expect(buffer.text.description == example)
    var decoder = CommandDecoder()
    try Array(example.utf8).withUnsafeBytes { value in
      let published = try #require(try decoder.decode(value: value, contentType: nil))
      #expect(Command(published) == command)
    }
  }

  /// The page draws it: one of its drawers takes it.
  @Test(arguments: RoomCommand.Body.Kind.allCases)
  func thePageDrawsEachKind(kind: RoomCommand.Body.Kind) throws {
    let drawers = try [
      "giftLanes", "wishTracks", "redPackets", "rainBoard", "crowdBar", "pins", "goals", "moments", "kinds", "roomView",
    ].map { try Self.file("Sources/Page/site/page/\($0).js") }
    let name = try Regex("\\b\(kind)\\b").wordBoundaryKind(.simple)
    #expect(drawers.contains { $0.contains(name) })
  }

  @Test(arguments: RoomCommand.Body.Kind.allCases)
  func eachKindOfCommandIsInTheContractAndTheJavaScript(kind: RoomCommand.Body.Kind) throws {
    // A row may begin with a word of what it is: `giftShow` (of a combo that …).
    #expect(try Self.schema("STAGES.md").contains("\n| `\(kind)`"))
    #expect(try Self.schema("flyscreen.schema.yaml").contains("\(kind):"))
    #expect(try Self.file("Sources/Page/site/client/commands.d.ts").contains("\(kind)?:"))
    #expect(try Self.file("Sources/Page/site/client/screen.js").contains("command.\(kind)"))
    // Other languages say in English what they have no words for.
    #expect(try Self.file("Sources/Page/site/page/languages/en.js").contains(" \(kind): "))
  }

  /// A screen draws it, and tells it again to who joins late, unless its effect is told by others or over in a moment.
  @Test(arguments: RoomCommand.Body.Kind.allCases)
  func aScreenShowsEachKind(kind: RoomCommand.Body.Kind) throws {
    let command = try JSONDecoder().decode(Command.self, from: Data(Self.example(kind).utf8))
    var screen = Screen(command.roomId)
    screen.advance(to: command.atMs)
    let blank = screen
    screen.apply(command)
    #expect((Self.shown(screen) != Self.shown(blank)) == (kind.showing != .changes))
    let isToldAgain = kind.showing == .brings
    #expect(screen.snapshot.commands.map(\.body.name) == (isToldAgain ? ["\(kind)"] : []))
    #expect(try Self.file("Sources/Page/site/client/screen.js").contains(", \(kind):") == isToldAgain)
    // The end of its input partition's room takes it away, unless it only counts.
    let end = Command(
      roomId: command.roomId, id: ID("\(Substring(CommandID.log(of: command.id)))/\(Int64.max)/0"), atMs: command.atMs,
      body: .roomEnd(Command.RoomEnded()))
    screen.apply(end)
    #expect(screen.snapshot.commands == [end])
  }

  private static func shown(_ screen: Screen) -> [String] {
    Mirror(reflecting: screen).children.filter { !["applied", "lastMs", "nextChangeMs"].contains($0.label) }
      .map { "\($0.label!): \($0.value)" }
  }
}

extension Command.Body {
  fileprivate var name: String { String("\(self)".prefix { $0 != "(" }) }
}

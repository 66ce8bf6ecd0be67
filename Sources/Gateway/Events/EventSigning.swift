import HTTP
import RoomModel
import RoomScreen
import Wire

/// Events in the name of whom a token was given to.
///
/// Who sends what is told once in them, so that nobody who reads the topic takes it differently. All else stays.
enum EventSigning {
  /// Nil if it is no event of one kind.
  static func kind(of event: JSONValue) -> EventKind? {
    guard let members = event.members else { return nil }
    var kinds: Set<EventKind> = []
    for member in members {
      guard let kind = EventKind(rawValue: member.name.description) else { continue }
      // Of a member that comes twice the last counts, and null is absent.
      if member.value.isNull { kinds.remove(kind) } else { kinds.insert(kind) }
    }
    return kinds.count == 1 ? kinds.first : nil
  }

  /// - Parameter kind: what it is; it must have a user.
  static func event(_ event: JSONValue, _ kind: EventKind, signedBy viewer: Poster.Viewer) -> [UInt8] {
    var writer = JSONWriter()
    var body: JSONValue?
    for member in event.members! where EventKind(rawValue: member.name.description) == kind { body = member.value }
    writer.object(event, without: EventKind.allCases.map(\.rawValue)) { writer in
      writer.member(kind.rawValue) { sign(body!, kind, viewer, &$0) }
    }
    return writer.bytes
  }

  private static func sign(
    _ body: JSONValue, _ kind: EventKind, _ viewer: Poster.Viewer, _ writer: inout JSONWriter
  ) {
    // What is no object the decoder refuses.
    guard body.members != nil else { return writer.value(body) }
    guard kind == .gift || kind == .wish else {
      return writer.object(body, without: ["userId"]) { writer in
        writer.member("userId") { name(body["userId"], viewer, &$0) }
      }
    }
    let sender = body["sender"].flatMap { $0.isNull ? nil : $0 }
    writer.object(body, without: ["sender"]) { writer in
      writer.member("sender") { writer in
        guard sender == nil || sender!.members != nil else { return writer.value(sender!) }
        let own = [("name", viewer.name), ("avatarUrl", viewer.avatarURL)].filter { $0.1 != nil }
        writer.object(sender, without: ["userId"] + own.map(\.0)) { writer in
          writer.member("userId") { name(sender?["userId"], viewer, &$0) }
          for (label, text) in own { writer.member(label) { $0.text(text!) } }
        }
      }
    }
  }

  /// The token's own `sub`, unless another is posted: that is refused once the event is understood.
  private static func name(_ posted: JSONValue?, _ viewer: Poster.Viewer, _ writer: inout JSONWriter) {
    if let posted, !posted.isNull, posted.text.map({ !$0.isEmpty && ID($0) != viewer.id }) ?? true {
      return writer.value(posted)
    }
    writer.text(viewer.id.string)
  }
}

/// JSON out of values that were read.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  mutating func text(_ text: String) { bytes += Array(Response.quoted(text).utf8) }

  mutating func value(_ value: JSONValue) {
    switch value.kind {
    case .object: object(value)
    case .list:
      bytes.append(UInt8(ascii: "["))
      for element in value.elements! {
        separate(after: UInt8(ascii: "["))
        self.value(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .string: text(value.text!.description)
    case .integer: bytes += Array((value.unsigned.map { String($0) } ?? String(value.integer!)).utf8)
    case .number: bytes += Array(String(value.double!).utf8)
    case .bool: bytes += Array(String(value.bool!).utf8)
    case .null: bytes += Array("null".utf8)
    }
  }

  /// The members of an object but those of these names, and then those that `more` writes.
  ///
  /// - Parameter object: nil: none.
  mutating func object(
    _ object: JSONValue?, without names: [String] = [], _ more: (inout JSONWriter) -> Void = { _ in }
  ) {
    bytes.append(UInt8(ascii: "{"))
    if let members = object?.members {
      for each in members {
        let name = each.name.description
        if !names.contains(name) { member(name) { $0.value(each.value) } }
      }
    }
    more(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  mutating func member(_ name: String, _ value: (inout JSONWriter) -> Void) {
    separate(after: UInt8(ascii: "{"))
    text(name)
    bytes.append(UInt8(ascii: ":"))
    value(&self)
  }

  /// A comma, unless what comes is the first. What is before it can be no text that ends so: that ends with a quote.
  private mutating func separate(after opening: UInt8) {
    if bytes.last != opening { bytes.append(UInt8(ascii: ",")) }
  }
}

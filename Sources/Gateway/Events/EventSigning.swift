import JSON
import RoomModel
import RoomScreen
import Settings
import Wire

/// Events in the name of whom a token was given to.
///
/// The signed event tells its user once, so that all readers of the topic take it alike. All else stays.
enum EventSigning {
  /// Nil if it is no event of one kind.
  static func kind(of event: JSONValue) -> EventKind? {
    guard let members = event.members else { return nil }
    var kinds: Set<EventKind> = []
    for member in members {
      guard let kind = EventKind(rawValue: member.name.description) else { continue }
      // The last of two members of one name counts, and null is absent.
      if member.value.isNull { kinds.remove(kind) } else { kinds.insert(kind) }
    }
    return kinds.count == 1 ? kinds.first : nil
  }

  /// - Parameter kind: of the event; it must have a user.
  static func event(
    _ event: JSONValue, _ kind: EventKind, signedBy viewer: Poster.Viewer, _ names: EventNames
  ) -> [UInt8] {
    var json = ByteBuffer()
    var body: JSONValue?
    for member in event.members! where EventKind(rawValue: member.name.description) == kind { body = member.value }
    json.appendObject { json in
      json.append(membersOf: event, without: EventKind.allCases.map(\.rawValue))
      json.appendMember(kind.rawValue) { sign(body!, kind, viewer, names, &$0) }
    }
    return Array(json.bytes)
  }

  private static func sign(
    _ body: JSONValue, _ kind: EventKind, _ viewer: Poster.Viewer, _ names: EventNames, _ json: inout ByteBuffer
  ) {
    // The decoder refuses a body that is no object.
    guard body.members != nil else { return json.append(json: body) }
    switch kind.traits.user {
    case .none: json.append(json: body)
    case .own:
      json.appendObject { json in
        json.append(membersOf: body, without: ["userId"])
        json.appendMember("userId") { name(body["userId"], viewer, &$0) }
      }
    case .sender:
      json.appendObject { json in
        // A badge at the sender's face is no viewer's to choose.
        json.append(membersOf: body, without: names == .any ? ["sender"] : ["sender", "extra"])
        json.appendMember("sender") { json in
          sign(sender: body["sender"].flatMap { $0.isNull ? nil : $0 }, viewer, names, &json)
        }
      }
    }
  }

  private static func sign(
    sender: JSONValue?, _ viewer: Poster.Viewer, _ names: EventNames, _ json: inout ByteBuffer
  ) {
    if let sender, sender.members == nil { return json.append(json: sender) }
    let looks = [("name", viewer.name), ("avatarUrl", viewer.avatarURL)]
    let own = looks.filter { $0.1 != nil }
    json.appendObject { json in
      if let sender { json.append(membersOf: sender, without: ["userId"] + (names == .any ? own : looks).map(\.0)) }
      json.appendMember("userId") { name(sender?["userId"], viewer, &$0) }
      for (label, text) in own { json.appendMember(label) { $0.appendString(text!) } }
    }
  }

  /// The token's own `sub`, unless another is posted: that is refused once the event is understood.
  private static func name(_ posted: JSONValue?, _ viewer: Poster.Viewer, _ json: inout ByteBuffer) {
    if let posted, !posted.isNull, posted.text.map({ !$0.isEmpty && ID($0) != viewer.id }) ?? true {
      return json.append(json: posted)
    }
    json.appendString(viewer.id.string)
  }
}

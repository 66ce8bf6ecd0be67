import JSON
import RoomModel
import RoomScreen
import Wire

/// The events of a room that are asked about.
enum SoughtEvents {
  case withId(ID)
  /// All that whoever has this id sent, tapped, liked and grabbed.
  case ofUser(ID)

  func matches(_ event: RoomEvent) -> Bool {
    switch self {
    case .withId(let id): return id == event.eventId
    case .ofUser(let user): return event.userId.map { user == $0 } ?? false
    }
  }

  /// Whether a record that can't be understood seems to be one of them.
  ///
  /// - Parameter mapped: What the topic's mapping makes of it; nil: there is none.
  func mayMatch(_ record: LogRecord, room: ID, _ mapped: MappedRecord?) -> Bool {
    let isKeyed = record.key?.elementsEqual(room.string.utf8) ?? false
    switch (mapped, record.value) {
    case (_, .none): return false
    case (.event(let json, _, _), _): return json.withText { mayMatch($0.bytes, isKeyed: isKeyed, room: room) }
    case (.refused, _): return record.valueText.withText { mayHold($0.bytes, isKeyed: isKeyed, room: room) }
    case (_, .json(let json)): return mayMatch(json, isKeyed: isKeyed, room: room)
    case (_, .bytes(let bytes)): return mayMatch(bytes, isKeyed: isKeyed, room: room)
    }
  }

  private func mayMatch(_ bytes: UnsafeRawBufferPointer, isKeyed: Bool, room: ID) -> Bool {
    var document = JSONDocument()
    if let json = try? document.parse(bytes) { return mayMatch(json, isKeyed: isKeyed, room: room) }
    return mayHold(bytes, isKeyed: isKeyed, room: room)
  }

  private func mayHold(_ bytes: UnsafeRawBufferPointer, isKeyed: Bool, room: ID) -> Bool {
    guard isKeyed || room.withText(bytes.contains) else { return false }
    return switch self {
    case .withId(let id): id.withText(bytes.contains)
    // A short one is likely to be a part of something else.
    case .ofUser(let user): "\"\(user)\"".withText(bytes.contains)
    }
  }

  private func mayMatch(_ json: JSONValue, isKeyed: Bool, room: ID) -> Bool {
    guard let members = json.members else { return false }
    var isSought = false
    var isRoom = isKeyed
    for member in members {
      switch member.name.description {
      case "eventId": if case .withId(let id) = self { isSought = member.value.isText(id) }
      case "roomId": isRoom = isRoom || member.value.isText(room)
      default: if case .ofUser(let user) = self { isSought = isSought || member.value.isBody(of: user) }
      }
    }
    return isSought && isRoom
  }
}

extension RoomEvent {
  /// Its user; nil: a rain has no user, and a retract names the user whose items it takes back, not its sender.
  var userId: Text? { body.user }
}

extension JSONValue {
  fileprivate func isText(_ wanted: ID) -> Bool { idText.map { ID($0) == wanted } ?? false }

  fileprivate func isBody(of user: ID) -> Bool {
    guard let members else { return false }
    return members.contains { member in
      switch member.name.description {
      case "userId": member.value.isText(user)
      case "sender": member.value.isBody(of: user)
      default: false
      }
    }
  }
}

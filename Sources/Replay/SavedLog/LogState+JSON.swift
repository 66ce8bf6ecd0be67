import JSON
import RoomModel
import RoomScreen
import Settings
import Wire

/// The state in a line of a log:
/// `{"version":3,"clockMs":…,"lastOffset":…,"settings":{…},"rules":3,"settingsEpoch":…,"rooms":[["r1",
/// "base64"],…],"seenEvents":[["r1","e1","gift","7",untilMs],…],"doubt":"…"}`: an event has its room, id, kind and
/// user. Rooms are as the engine writes them, which tells a version of its own.
extension LogState {
  private static let version: Int64 = 3

  func write(into bytes: inout ByteBuffer) {
    bytes.append(#"{"version":"#)
    bytes.append(Self.version)
    bytes.append(#","clockMs":"#)
    bytes.append(clock)
    bytes.append(#","lastOffset":"#)
    bytes.append(lastOffset)
    bytes.append(",")
    bytes.append(string: settings.members)
    bytes.append(#","settingsEpoch":"#)
    bytes.append(settingsEpoch)
    bytes.append(#","rooms":["#)
    for (i, room) in rooms.enumerated() {
      if i > 0 { bytes.append(",") }
      bytes.append("[")
      bytes.appendString(room.id.string)
      bytes.append(#",""#)
      room.state.withUnsafeBytes { Base64.encode($0, into: &bytes) }
      bytes.append(#""]"#)
    }
    bytes.append(#"],"seenEvents":["#)
    for (i, event) in seenEvents.enumerated() {
      if i > 0 { bytes.append(",") }
      bytes.append("[")
      bytes.appendString(event.room.string)
      bytes.append(",")
      bytes.appendString(event.id.string)
      bytes.append(",")
      bytes.appendString(event.kind.rawValue)
      bytes.append(",")
      bytes.appendString(event.userId.string)
      bytes.append(",")
      bytes.append(event.until)
      bytes.append("]")
    }
    bytes.append("]")
    if let warning {
      bytes.append(#","doubt":"#)
      bytes.appendString(warning)
    }
    bytes.append("}")
  }

  init(_ json: JSONValue, offset: Int64) throws(BrokenLog) {
    guard json["version"]?.integer == Self.version else {
      throw BrokenLog(
        "it holds the state of rooms in a form that this program doesn't know, so it can't go on from there: replay it"
          + " with the program that recorded it")
    }
    guard let clock = json["clockMs"]?.clock, let lastOffset = json["lastOffset"]?.lastOffset,
      let settings = json["settings"], let epoch = json["settingsEpoch"]?.natural,
      let rooms = json["rooms"]?.elements, let seenEvents = json["seenEvents"]?.elements
    else { throw Self.damaged }
    self.init(
      offset: offset, clock: clock, lastOffset: lastOffset,
      settings: try settings.settings(rules: json["rules"], mapping: json["mapping"]),
      settingsEpoch: epoch, warning: json["doubt"]?.text?.description)
    var decoded = ByteBuffer()
    for entry in rooms {
      guard clock > .min, var room = entry.elements, let id = room.next()?.text, id.isId,
        let state = room.next()?.text, Base64.decode(state.bytes, into: &decoded)
      else { throw Self.damaged }
      self.rooms.append(Room(id: ID(id), state: Array(decoded.bytes)))
    }
    for entry in seenEvents {
      guard var event = entry.elements, let room = event.next()?.text, room.isId, let id = event.next()?.text, id.isId,
        let kind = event.next()?.text.flatMap({ EventKind(rawValue: $0.description) }), let userId = event.next()?.text,
        userId.isEmpty || userId.isId, let until = event.next()?.time
      else { throw Self.damaged }
      self.seenEvents.append(
        SeenEvent(
          room: ID(room), id: ID(id), kind: kind, userId: ID(userId), until: until))
    }
  }

  private static var damaged: BrokenLog { BrokenLog("its state of the rooms is damaged") }
}

extension Text {
  /// True of a length that ids of events have.
  fileprivate var isId: Bool { (1...RoomEvent.idLimit).contains(count) }
}

import JSON
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Wire

/// The state in a line of a log:
/// `{"version":4,"clockMs":…,"lastOffset":…,"settings":{…},"rules":4,"settingsEpoch":…,"rooms":[["r1",
/// "base64"],…],"markSeed":"0123456789abcdef","seenEvents":[["0123456789abcdef01234567",untilMs],…],"doubt":"…"}`: an
/// event has its mark. Rooms are as the engine writes them, which tells a version of its own.
extension LogState {
  private static let version: Int64 = 4

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
    bytes.append(#"],"markSeed":""#)
    bytes.append(hex: markSeed, digits: 16)
    bytes.append(#"","seenEvents":["#)
    for (i, event) in seenEvents.enumerated() {
      if i > 0 { bytes.append(",") }
      bytes.append("[\"")
      bytes.append(hex: event.mark.high, digits: 16)
      bytes.append(hex: UInt64(event.mark.low), digits: 8)
      bytes.append("\",")
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
      let rooms = json["rooms"]?.elements, let seenEvents = json["seenEvents"]?.elements,
      let markSeed = Self.markSeed(json["markSeed"])
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
    self.markSeed = markSeed
    for entry in seenEvents {
      guard var event = entry.elements, let mark = Self.mark(&event), let until = event.next()?.time
      else { throw Self.damaged }
      self.seenEvents.append(SeenEvent(mark: mark, until: until))
    }
  }

  private static func markSeed(_ json: JSONValue?) -> UInt64? {
    guard let digits = json?.text, digits.count == 16 else { return nil }
    return UInt64(hex: digits.bytes)
  }

  private static func mark(_ event: inout JSONValue.Elements) -> EventMark? {
    guard let digits = event.next()?.text, digits.count == 24, let high = UInt64(hex: digits.bytes.prefix(16)),
      let low = UInt64(hex: digits.bytes.suffix(8))
    else { return nil }
    return EventMark(high: high, low: UInt32(low))
  }

  private static var damaged: BrokenLog { BrokenLog("its state of the rooms is damaged") }
}

extension Text {
  /// True of a length that ids of events have.
  fileprivate var isId: Bool { (1...RoomEvent.idLimit).contains(count) }
}

extension UInt64 {
  /// Nil: one of the bytes is no hexadecimal digit.
  fileprivate init?(hex digits: some Sequence<UInt8>) {
    self = 0
    for digit in digits {
      guard let value = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
      self = self << 4 | UInt64(value)
    }
  }
}

extension ByteBuffer {
  fileprivate mutating func append(hex number: UInt64, digits: UInt64) {
    for place in (0..<digits).reversed() {
      let digit = UInt8(truncatingIfNeeded: number >> (4 * place)) & 15
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}

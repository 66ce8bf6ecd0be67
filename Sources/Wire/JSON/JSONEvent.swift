import JSON
import RoomModel

/// The JSON form of events. Of a member that comes twice the last counts, whatever it was before. (An absent one is nil,
/// like `null`.)
extension JSONValue {
  func event(
    key: UnsafeRawBufferPointer?, keyRule: KeyRule, keeping storage: inout EventStorage
  ) throws(NotUnderstood) -> RoomEvent {
    guard let members else { throw NotUnderstood(.wrongType, "\(described) is no event; an event is an object") }
    var eventId = 0, roomId = 0
    var body: (kind: EventKind, place: Int)?
    var hasOther = false
    for member in members {
      let name = JSONName(of: member)
      switch name {
      case "eventId": eventId = member.place
      case "roomId": roomId = member.place
      case "gift":
        hasOther = hasOther || body != nil && body?.kind != .gift
        body = (.gift, member.place)
      default:
        guard let kind = EventKind.table[name] else { continue }
        hasOther = hasOther || body != nil && body?.kind != kind
        body = (kind, member.place)
      }
    }
    let event = try id(at: eventId, FieldPath("", "eventId"), &storage)
    let room = try id(at: roomId, FieldPath("", "roomId"), &storage)
    try EventRules.check(eventId: event, roomId: room, key: key, rule: keyRule)
    if hasOther { body = try onlyBody() }
    guard let body, body.place != 0 else { throw withoutBody }
    let read = try withUnsafeMutablePointer(to: &storage) { storage throws(NotUnderstood) in
      try RoomEvent.Body(
        body.kind,
        JSONEventBodyReader(
          event: self, eventId: (eventId, event), roomId: roomId, place: body.place, storage: storage))
    }
    return RoomEvent(eventId: event, roomId: room, body: read)
  }

  /// Finds the one body where members of several kinds stand.
  @inline(never) private func onlyBody() throws(NotUnderstood) -> (kind: EventKind, place: Int)? {
    let bodies = EventKind.allCases.compactMap { kind in
      self[kind.body.name].flatMap { $0.isNull ? nil : (kind: kind, place: $0.place) }
    }
    if bodies.count > 1 { throw NotUnderstood(.twoBodies, "an event has one body, and this has \(bodies.count)") }
    return bodies.first
  }

  /// An object that nobody knows is likely the body of some newer kind of event.
  @inline(never) private var withoutBody: NotUnderstood {
    // One that is known was taken back by a `null` that came later.
    for member in members! where member.value.kind == .object && EventKind.table[JSONName(of: member)] == nil {
      return NotUnderstood(.unknownBody, "\(member.name.quoted) is no body that an event can have")
    }
    return NotUnderstood(.noBody, "an event has one body, and this has none")
  }
}

private struct JSONEventBodyReader: EventBodyReader {
  let event: JSONValue
  let eventId: (place: Int, text: Text)
  let roomId: Int
  /// The place of the body.
  let place: Int
  let storage: UnsafeMutablePointer<EventStorage>

  @inline(__always) func lend<Body: BitwiseCopyable>(_ body: Body) -> Lent<Body> { storage.pointee.lend(body) }

  @inline(__always) func readGift() throws(NotUnderstood) -> Lent<Gift> {
    let places = try event.giftPlaces(eventId: eventId.place, roomId: roomId, gift: place)
    storage.pointee.note(places)
    return try event.gift(at: places, keeping: &storage.pointee)
  }

  func read<Body: EventBody>(_: Body.Type) throws(NotUnderstood) -> Body {
    let path = MessagePath(Body.name)
    var body = try JSONEventFieldReader<Body>.read(event.at(place), path, keeping: storage)
    try EventFieldChecker.check(&body, path, keeping: storage)
    try body.complete(eventId: eventId.text)
    return body
  }
}

/// Events as JSON. Optional members are left out where they are empty.
extension ByteBuffer {
  mutating func appendJSON(_ event: borrowing RoomEvent) {
    append(#"{"eventId":""#)
    appendEscapedAndQuote(event.eventId)
    append(#","roomId":""#)
    appendEscapedAndQuote(event.roomId)
    let body = event.body
    withUnsafeMutablePointer(to: &self) { body.write(to: JSONEventBodyWriter(buffer: $0)) }
    append(UInt8(ascii: "}"))
  }
}

private struct JSONEventBodyWriter: EventBodyWriter {
  let buffer: UnsafeMutablePointer<ByteBuffer>

  func append<Body: EventBody>(_ body: Body) {
    buffer.pointee.appendMember(Body.name)
    JSONEventFieldWriter.append(body, to: buffer)
  }
}

import JSON
import RoomModel

/// The Protobuf form of events. Fields that come twice count as Protobuf has it: the last of a scalar, and the last of
/// the bodies; a message that comes twice in a row is merged.
struct ProtobufEvent {
  fileprivate var eventId = Text.empty
  fileprivate var roomId = Text.empty
  private var body: (kind: EventKind, message: ProtobufReader)?

  init(_ bytes: UnsafeRawBufferPointer, keeping storage: inout EventStorage) throws(NotUnderstood) {
    do throws(ProtobufError) {
      try read(ProtobufReader(bytes), &storage)
    } catch {
      throw error.notUnderstood
    }
  }

  /// The event once its rules were checked.
  @inline(__always) func event(
    key: UnsafeRawBufferPointer?, keyRule: KeyRule, keeping storage: inout EventStorage
  ) throws(NotUnderstood) -> RoomEvent {
    guard let (kind, message) = body else {
      try EventRules.check(eventId: eventId, roomId: roomId, key: key, rule: keyRule)
      throw NotUnderstood(.noBody, "an event has one body, and this has none that is known")
    }
    let body = try withUnsafeMutablePointer(to: &storage) { storage throws(NotUnderstood) in
      try RoomEvent.Body(
        kind, ProtobufEventBodyReader(event: self, key: key, keyRule: keyRule, message: message, storage: storage))
    }
    return RoomEvent(eventId: eventId, roomId: roomId, body: body)
  }

  @inline(__always) private mutating func read(
    _ message: ProtobufReader, _ storage: inout EventStorage
  ) throws(ProtobufError) {
    var message = message
    while let tag = try message.tag() {
      switch (tag.number, tag.type) {
      case (Fields.Event.eventId, .bytes): eventId = try message.text(FieldPath("", "eventId"))
      case (Fields.Event.roomId, .bytes): roomId = try message.text(FieldPath("", "roomId"))
      case (Gift.number, .bytes): try take(.gift, try message.message(), &storage)
      case (_, .bytes):
        if let kind = EventKind.table[tag.number] {
          try take(kind, try message.message(), &storage)
        } else {
          try message.skip(tag)
        }
      case (_, .varint), (_, .fixed64), (_, .groupStart), (_, .groupEnd), (_, .fixed32): try message.skip(tag)
      }
    }
  }

  @inline(__always) private mutating func take(
    _ kind: EventKind, _ message: ProtobufReader, _ storage: inout EventStorage
  ) throws(ProtobufError) {
    if let body {
      try take(kind, message, after: body, &storage)
    } else {
      body = (kind, message)
    }
  }

  /// Takes a message. If it comes again, the bytes of both are one message.
  @inline(never) private mutating func take(
    _ kind: EventKind, _ message: ProtobufReader, after before: (kind: EventKind, message: ProtobufReader),
    _ storage: inout EventStorage
  ) throws(ProtobufError) {
    try before.kind.body.check(before.message, &storage)
    guard kind == before.kind else {
      body = (kind, message)
      return
    }
    try kind.body.check(message, &storage)
    body = (kind, ProtobufReader(storage.join(before.message.rest, message.rest), depth: 1))
  }
}

extension EventBody {
  /// Whether it is Protobuf at all, which it must be also where it doesn't count.
  fileprivate static func check(_ message: ProtobufReader, _ storage: inout EventStorage) throws(ProtobufError) {
    _ = try withUnsafeMutablePointer(to: &storage) { storage throws(ProtobufError) in
      try ProtobufEventFieldReader<Self>.read(message, MessagePath(Self.name), keeping: storage)
    }
  }
}

private struct ProtobufEventBodyReader: EventBodyReader {
  let event: ProtobufEvent
  let key: UnsafeRawBufferPointer?
  let keyRule: KeyRule
  let message: ProtobufReader
  let storage: UnsafeMutablePointer<EventStorage>

  @inline(__always) func lend<Body: BitwiseCopyable>(_ body: Body) -> Lent<Body> { storage.pointee.lend(body) }

  @inline(__always) func readGift() throws(NotUnderstood) -> Lent<Gift> {
    var gift = Gift()
    do throws(ProtobufError) { try gift.merge(message) } catch { throw error.notUnderstood }
    try EventRules.check(eventId: event.eventId, roomId: event.roomId, key: key, rule: keyRule)
    try EventRules.check(&gift, keeping: &storage.pointee)
    return lend(gift)
  }

  @inline(__always) func read<Body: EventBody>(_: Body.Type) throws(NotUnderstood) -> Body {
    var body: Body
    let path = MessagePath(Body.name)
    do throws(ProtobufError) {
      body = try ProtobufEventFieldReader<Body>.read(message, path, keeping: storage)
    } catch {
      throw error.notUnderstood
    }
    try EventRules.check(eventId: event.eventId, roomId: event.roomId, key: key, rule: keyRule)
    try EventFieldChecker.check(&body, path, keeping: storage)
    try body.complete(eventId: event.eventId)
    return body
  }
}

/// Events as Protobuf.
extension ByteBuffer {
  mutating func appendProtobuf(_ event: borrowing RoomEvent) {
    append(Fields.Event.eventId, event.eventId)
    append(Fields.Event.roomId, event.roomId)
    let body = event.body
    withUnsafeMutablePointer(to: &self) { body.write(to: ProtobufEventBodyWriter(buffer: $0)) }
  }
}

private struct ProtobufEventBodyWriter: EventBodyWriter {
  let buffer: UnsafeMutablePointer<ByteBuffer>

  func append<Body: EventBody>(_ body: Body) { ProtobufEventFieldWriter.append(Body.number, body, to: buffer) }
}

import JSON
import RoomModel
import RoomScreen

/// The JSON form of commands: in the order of the contract.
extension ByteBuffer {
  /// `log` is what ids begin with, escaped.
  ///
  /// - Returns: The place of the room's id, where it stands as it is; nil: it had to be escaped.
  @discardableResult mutating func appendJSON(_ command: borrowing RoomCommand, log: Text) -> Int? {
    let begin = count
    let head: StaticString = #"{"roomId":""#
    let room = command.roomId
    let limit = room.count &* JSONCursor.escapeLimit &+ log.count &+ 3 &* JSONCursor.integerLimit &+ 40
    var out = cursor(forUpTo: limit)
    out.put(head)
    let asItIs = out.next + room.count
    out.putEscaped(room)
    let isEscaped = out.next != asItIs
    out.put(#"","id":""#)
    out.put(log)
    out.put(command.recordOffset)
    out.put(UInt8(ascii: "/"))
    out.put(command.place)
    out.put(#"","atMs":"#)
    out.put(command.atMs)
    assert(UnsafeRawPointer(out.next) - (base + begin) <= limit, "a head has more bytes than room")
    end(out)
    let body = command.body
    withUnsafeMutablePointer(to: &self) { body.write(to: JSONBodyWriter(buffer: $0, log: log)) }
    return isEscaped ? nil : begin + head.utf8CodeUnitCount
  }
}

private struct JSONBodyWriter: BodyWriter {
  let buffer: UnsafeMutablePointer<ByteBuffer>
  let log: Text

  /// Appends the member with the body, and ends the command.
  @inline(__always) func append<Body: CommandBody>(_ body: Body) {
    withUnsafePointer(to: body) { body in
      let limit = Body.name.utf8CodeUnitCount &+ 5 &+ JSONFieldRoom.bytes(of: body, log: log)
      var out = buffer.pointee.cursor(forUpTo: limit)
      let begin = out.next
      out.putMember(Body.name)
      JSONFieldWriter.put(body, to: &out, log: log)
      out.put(UInt8(ascii: "}"))
      assert(out.next - begin <= limit, "\(Body.name) has more bytes than room")
      buffer.pointee.end(out)
    }
  }
}

extension JSONValue {
  /// Nil if its body is of a kind that isn't known here.
  func command(keeping storage: inout BodyStorage) throws(NotUnderstood) -> DecodedCommand? {
    guard let members else { throw NotUnderstood(.wrongType, "\(described) is no command; a command is an object") }
    var roomId = Text.empty
    var id = Text.empty
    var atMs: Int64 = 0
    var written: (kind: RoomCommand.Body.Kind, value: JSONValue)?
    for member in members {
      let name = JSONName(of: member)
      switch name {
      case "roomId": roomId = member.value.text ?? .empty
      case "id": id = member.value.text ?? .empty
      case "atMs": atMs = member.value.integer ?? 0
      default:
        guard let kind = RoomCommand.Body.Kind.table[name] else { continue }
        written = (kind, member.value)
      }
    }
    let name = try CommandID(published: id)
    guard let written else { return nil }
    let body = try withUnsafeMutablePointer(to: &storage) { storage throws(NotUnderstood) in
      try RoomCommand.Body(written.kind, JSONBodyReader(value: written.value, storage: storage))
    }
    guard let body else { return nil }
    return DecodedCommand(
      topic: name.topic(in: id), partition: name.partition,
      command: RoomCommand(roomId: roomId, recordOffset: name.offset, place: name.place ?? 0, atMs: atMs, body: body))
  }
}

private struct JSONBodyReader: BodyReader {
  let value: JSONValue
  let storage: UnsafeMutablePointer<BodyStorage>

  @inline(__always) func lend<Body: BitwiseCopyable>(_ body: Body) -> Lent<Body> { storage.pointee.lend(body) }

  @inline(__always) func read<Body: CommandBody>(_: Body.Type) throws(NotUnderstood) -> Body? {
    try JSONFieldReader.read(value, keeping: storage)
  }
}

import JSON
import RoomModel
import RoomScreen

/// The Protobuf form of commands.
extension ByteBuffer {
  /// `log` is what ids begin with.
  mutating func appendProtobuf(_ command: borrowing RoomCommand, log: Text) {
    append(Fields.Command.roomId, command.roomId)
    let id = beginMessage(Fields.Command.id)
    append(log)
    append(command.recordOffset)
    append(UInt8(ascii: "/"))
    append(command.place)
    endMessage(id)
    append(Fields.Command.atMs, command.atMs)
    let body = command.body
    withUnsafeMutablePointer(to: &self) { body.write(to: ProtobufBodyWriter(buffer: $0, log: log)) }
  }
}

private struct ProtobufBodyWriter: BodyWriter {
  let buffer: UnsafeMutablePointer<ByteBuffer>
  let log: Text

  @inline(__always) func append<Body: CommandBody>(_ body: Body) {
    ProtobufFieldWriter.append(Body.number, body, to: buffer, log: log)
  }
}

/// A command, read back.
struct ProtobufCommand {
  private var roomId = Text.empty
  private var id = Text.empty
  private var atMs: Int64 = 0
  /// The number and the bytes of its body. We write one, so the last is taken and nothing merged.
  private var body: (number: UInt32, message: ProtobufReader)?

  init(_ bytes: UnsafeRawBufferPointer) throws(NotUnderstood) {
    do throws(ProtobufError) {
      var message = ProtobufReader(bytes)
      while let tag = try message.tag() {
        switch (Fields.Command(rawValue: tag.number), tag.type) {
        case (.roomId, .bytes): roomId = try message.text(FieldPath("", "roomId"))
        case (.id, .bytes): id = try message.text(FieldPath("", "id"))
        case (.atMs, .varint): atMs = try message.integer()
        case (nil, .bytes): body = (tag.number, try message.message())
        default: try message.skip(tag)
        }
      }
    } catch {
      throw error.notUnderstood
    }
  }

  /// Nil if its body is of a kind that isn't known here.
  func command(keeping storage: inout BodyStorage) throws(NotUnderstood) -> DecodedCommand? {
    let name = try CommandID(published: id)
    guard let (number, message) = body, let kind = RoomCommand.Body.Kind.table[number] else { return nil }
    let body = try withUnsafeMutablePointer(to: &storage) { storage throws(NotUnderstood) in
      try RoomCommand.Body(kind, ProtobufBodyReader(message: message, storage: storage))
    }
    guard let body else { return nil }
    return DecodedCommand(
      topic: name.topic(in: id), partition: name.partition,
      command: RoomCommand(roomId: roomId, recordOffset: name.offset, place: name.place ?? 0, atMs: atMs, body: body))
  }
}

private struct ProtobufBodyReader: BodyReader {
  let message: ProtobufReader
  let storage: UnsafeMutablePointer<BodyStorage>

  @inline(__always) func lend<Body: BitwiseCopyable>(_ body: Body) -> Lent<Body> { storage.pointee.lend(body) }

  @inline(__always) func read<Body: CommandBody>(_: Body.Type) throws(NotUnderstood) -> Body? {
    try ProtobufFieldReader.read(message, keeping: storage)
  }
}

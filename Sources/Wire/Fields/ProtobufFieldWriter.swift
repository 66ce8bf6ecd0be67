import JSON
import RoomModel

/// Appends a message's fields.
struct ProtobufFieldWriter<Body: FieldList>: FieldCoder {
  private let buffer: UnsafeMutablePointer<ByteBuffer>
  private let body: Body
  /// The beginning of ids.
  private let log: Text

  /// Appends `body` as the field of this number.
  @inline(__always) static func append(
    _ number: UInt32, _ body: Body, to buffer: UnsafeMutablePointer<ByteBuffer>, log: Text
  ) {
    var writer = ProtobufFieldWriter(buffer: buffer, body: body, log: log)
    let begin = buffer.pointee.beginMessage(number)
    Body.list(&writer)
    buffer.pointee.endMessage(begin)
  }

  @inline(__always) mutating func id(_: StaticString, _ number: UInt32, _ offset: WritableKeyPath<Body, Int64>) {
    let begin = buffer.pointee.beginMessage(number)
    buffer.pointee.append(log)
    buffer.pointee.append(body[keyPath: offset])
    buffer.pointee.endMessage(begin)
  }

  @inline(__always) mutating func text(_: StaticString, _ number: UInt32, _ text: WritableKeyPath<Body, Text>) {
    buffer.pointee.append(number, body[keyPath: text])
  }

  @inline(__always) mutating func integer(_: StaticString, _ number: UInt32, _ integer: WritableKeyPath<Body, Int64>) {
    buffer.pointee.append(number, body[keyPath: integer])
  }

  @inline(__always) mutating func word<Word: SchemaWord>(
    _: StaticString, _ number: UInt32, _ word: WritableKeyPath<Body, Word>
  ) {
    buffer.pointee.append(number, body[keyPath: word].number)
  }

  @inline(__always) mutating func message<Inner: FieldList>(
    _: StaticString, _ number: UInt32, _ message: WritableKeyPath<Body, Inner>
  ) {
    ProtobufFieldWriter<Inner>.append(number, body[keyPath: message], to: buffer, log: log)
  }

  @inline(__always) mutating func messages<Inner: FieldList & BitwiseCopyable>(
    _: StaticString, _ number: UInt32, _ messages: WritableKeyPath<Body, UnsafeBufferPointer<Inner>>
  ) {
    for message in body[keyPath: messages] {
      ProtobufFieldWriter<Inner>.append(number, message, to: buffer, log: log)
    }
  }
}

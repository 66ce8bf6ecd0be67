import RoomModel

/// Appends fields to an object: every field is there, with no blanks.
struct JSONFieldWriter<Body: FieldList>: WireFieldCoder {
  private let buffer: UnsafeMutablePointer<ByteBuffer>
  private let body: UnsafePointer<Body>
  /// What ids begin with, escaped.
  private let log: Text

  /// Appends the object.
  @inline(__always) static func append(_ body: Body, to buffer: UnsafeMutablePointer<ByteBuffer>, log: Text) {
    let begin = buffer.pointee.count
    withUnsafePointer(to: body) { body in
      var writer = JSONFieldWriter(buffer: buffer, body: body, log: log)
      Body.list(&writer)
    }
    buffer.pointee.endObject(begin)
  }

  @inline(__always) mutating func id(_ name: StaticString, _: UInt32, _ offset: WritableKeyPath<Body, Int64>) {
    buffer.pointee.appendTextMember(name)
    buffer.pointee.append(log)
    buffer.pointee.append(body.pointee[keyPath: offset])
    buffer.pointee.append(UInt8(ascii: "\""))
  }

  @inline(__always) mutating func text(_ name: StaticString, _: UInt32, _ text: WritableKeyPath<Body, Text>) {
    buffer.pointee.appendTextMember(name)
    buffer.pointee.appendEscapedAndQuote(body.pointee[keyPath: text])
  }

  @inline(__always) mutating func integer(_ name: StaticString, _: UInt32, _ integer: WritableKeyPath<Body, Int64>) {
    buffer.pointee.appendMember(name)
    buffer.pointee.append(body.pointee[keyPath: integer])
  }

  @inline(__always) mutating func word<Word: SchemaWord>(
    _ name: StaticString, _: UInt32, _ word: WritableKeyPath<Body, Word>
  ) {
    buffer.pointee.appendTextMember(name)
    buffer.pointee.append(body.pointee[keyPath: word].word)
    buffer.pointee.append(UInt8(ascii: "\""))
  }

  @inline(__always) mutating func message<Inner: FieldList>(
    _ name: StaticString, _: UInt32, _ message: WritableKeyPath<Body, Inner>
  ) {
    buffer.pointee.appendMember(name)
    JSONFieldWriter<Inner>.append(body.pointee[keyPath: message], to: buffer, log: log)
  }

  @inline(__always) mutating func messages<Inner: FieldList & BitwiseCopyable>(
    _ name: StaticString, _: UInt32, _ messages: WritableKeyPath<Body, UnsafeBufferPointer<Inner>>
  ) {
    buffer.pointee.appendMember(name)
    buffer.pointee.append(UInt8(ascii: "["))
    let messages = body.pointee[keyPath: messages]
    for i in messages.indices {
      if i > 0 { buffer.pointee.append(UInt8(ascii: ",")) }
      JSONFieldWriter<Inner>.append(messages[i], to: buffer, log: log)
    }
    buffer.pointee.append(UInt8(ascii: "]"))
  }
}

extension ByteBuffer {
  /// Ends the object whose members were appended from `begin` on. Each came with a comma before it, so that none has to
  /// know whether it is the first.
  @inline(__always) mutating func endObject(_ begin: Int) {
    if count == begin { return append("{}") }
    replaceByte(at: begin, with: UInt8(ascii: "{"))
    append(UInt8(ascii: "}"))
  }

  /// `,"name":`, with room made once.
  @inline(__always) mutating func appendMember(_ name: StaticString) {
    let count = name.utf8CodeUnitCount
    reserve(count &+ 4)
    storeMember(name)
    used &+= count &+ 4
  }

  /// `,"name":"`
  @inline(__always) mutating func appendTextMember(_ name: StaticString) {
    let count = name.utf8CodeUnitCount
    reserve(count &+ 5)
    storeMember(name)
    start.storeBytes(of: UInt8(ascii: "\""), toByteOffset: used &+ count &+ 4, as: UInt8.self)
    used &+= count &+ 5
  }

  @inline(__always) private func storeMember(_ name: StaticString) {
    let place = start + used
    place.storeBytes(of: UInt16(littleEndian: 0x222c), as: UInt16.self)
    (place + 2).copyMemory(from: name.utf8Start, byteCount: name.utf8CodeUnitCount)
    (place + 2 + name.utf8CodeUnitCount).storeBytes(of: UInt16(littleEndian: 0x3a22), as: UInt16.self)
  }
}

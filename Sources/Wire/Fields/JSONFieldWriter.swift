import JSON
import RoomModel

/// Writes fields to an object: every field is there, with no blanks.
struct JSONFieldWriter<Body: FieldList>: FieldCoder {
  private var out: JSONCursor
  private let body: UnsafePointer<Body>
  /// The beginning of ids, escaped.
  private let log: Text

  /// Writes the object, which has room (``JSONFieldRoom``).
  @inline(__always) static func put(_ body: UnsafePointer<Body>, to out: inout JSONCursor, log: Text) {
    let begin = out.next
    var writer = JSONFieldWriter(out: out, body: body, log: log)
    Body.list(&writer)
    out = writer.out
    out.endObject(begunAt: begin)
  }

  @inline(__always) mutating func id(_ name: StaticString, _: UInt32, _ offset: WritableKeyPath<Body, Int64>) {
    out.putTextMember(name)
    out.put(log)
    out.put(body.pointee[keyPath: offset])
    out.put(UInt8(ascii: "\""))
  }

  @inline(__always) mutating func text(_ name: StaticString, _: UInt32, _ text: WritableKeyPath<Body, Text>) {
    out.putTextMember(name)
    out.putEscaped(body.pointee[keyPath: text])
    out.put(UInt8(ascii: "\""))
  }

  @inline(__always) mutating func integer(_ name: StaticString, _: UInt32, _ integer: WritableKeyPath<Body, Int64>) {
    out.putMember(name)
    out.put(body.pointee[keyPath: integer])
  }

  @inline(__always) mutating func word<Word: SchemaWord>(
    _ name: StaticString, _: UInt32, _ word: WritableKeyPath<Body, Word>
  ) {
    out.putTextMember(name)
    out.put(body.pointee[keyPath: word].word)
    out.put(UInt8(ascii: "\""))
  }

  @inline(__always) mutating func message<Inner: FieldList>(
    _ name: StaticString, _: UInt32, _ message: WritableKeyPath<Body, Inner>
  ) {
    out.putMember(name)
    withUnsafePointer(to: body.pointee[keyPath: message]) { JSONFieldWriter<Inner>.put($0, to: &out, log: log) }
  }

  @inline(__always) mutating func messages<Inner: FieldList & BitwiseCopyable>(
    _ name: StaticString, _: UInt32, _ messages: WritableKeyPath<Body, UnsafeBufferPointer<Inner>>
  ) {
    out.putMember(name)
    out.put(UInt8(ascii: "["))
    let messages = body.pointee[keyPath: messages]
    for i in messages.indices {
      if i > 0 { out.put(UInt8(ascii: ",")) }
      JSONFieldWriter<Inner>.put(messages.baseAddress! + i, to: &out, log: log)
    }
    out.put(UInt8(ascii: "]"))
  }
}

/// Adds up the bytes that fields take at most as JSON. Of most bodies the compiler knows nearly all of it.
struct JSONFieldRoom<Body: FieldList>: FieldCoder {
  private var bytes = 2
  private let body: UnsafePointer<Body>
  private let log: Text

  @inline(__always) static func bytes(of body: UnsafePointer<Body>, log: Text) -> Int {
    var room = JSONFieldRoom(body: body, log: log)
    Body.list(&room)
    return room.bytes
  }

  @inline(__always) private init(body: UnsafePointer<Body>, log: Text) {
    self.body = body
    self.log = log
  }

  /// `,"name":` with its value, and quotes.
  @inline(__always) private mutating func add(_ name: StaticString, _ value: Int) {
    bytes &+= name.utf8CodeUnitCount &+ 6 &+ value
  }

  @inline(__always) mutating func id(_ name: StaticString, _: UInt32, _: WritableKeyPath<Body, Int64>) {
    add(name, log.count &+ JSONCursor.integerLimit)
  }

  @inline(__always) mutating func text(_ name: StaticString, _: UInt32, _ text: WritableKeyPath<Body, Text>) {
    add(name, body.pointee[keyPath: text].count &* JSONCursor.escapeLimit)
  }

  @inline(__always) mutating func integer(_ name: StaticString, _: UInt32, _: WritableKeyPath<Body, Int64>) {
    add(name, JSONCursor.integerLimit)
  }

  @inline(__always) mutating func word<Word: SchemaWord>(
    _ name: StaticString, _: UInt32, _ word: WritableKeyPath<Body, Word>
  ) { add(name, body.pointee[keyPath: word].word.count) }

  @inline(__always) mutating func message<Inner: FieldList>(
    _ name: StaticString, _: UInt32, _ message: WritableKeyPath<Body, Inner>
  ) {
    add(name, withUnsafePointer(to: body.pointee[keyPath: message]) { JSONFieldRoom<Inner>.bytes(of: $0, log: log) })
  }

  @inline(__always) mutating func messages<Inner: FieldList & BitwiseCopyable>(
    _ name: StaticString, _: UInt32, _ messages: WritableKeyPath<Body, UnsafeBufferPointer<Inner>>
  ) {
    add(name, 2)
    let messages = body.pointee[keyPath: messages]
    for i in messages.indices { bytes &+= JSONFieldRoom<Inner>.bytes(of: messages.baseAddress! + i, log: log) &+ 1 }
  }
}

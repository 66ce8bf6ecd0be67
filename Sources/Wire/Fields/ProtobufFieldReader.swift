import RoomModel

/// Reads a message's fields. As with all that we wrote ourselves, what is absent is 0 or empty.
///
/// Fields mostly stand once each, in the order of their numbers, and are read in one walk then. Only where they don't,
/// each is looked for: the last of a scalar counts, and a message that comes twice is merged.
struct ProtobufFieldReader<Body: FieldList>: WireFieldCoder {
  private let message: ProtobufReader
  /// What the walk has not come to; nil if fields are looked for.
  private var ahead: ProtobufReader?
  private let storage: UnsafeMutablePointer<BodyStorage>
  private var body: Body
  private var failure: NotUnderstood?
  private var hasUnknownWord = false

  private init(
    _ message: ProtobufReader, ahead: ProtobufReader?, _ body: Body, _ storage: UnsafeMutablePointer<BodyStorage>
  ) {
    self.message = message
    self.ahead = ahead
    self.body = body
    self.storage = storage
  }

  /// Nil if a word of it isn't known here: a newer worker's.
  static func read(
    _ message: ProtobufReader, into body: Body = Body(), keeping storage: UnsafeMutablePointer<BodyStorage>
  ) throws(NotUnderstood) -> Body? {
    var walk = ProtobufFieldReader(message, ahead: message, body, storage)
    Body.list(&walk)
    if let ahead = walk.ahead, ahead.isAtEnd, walk.failure == nil { return walk.hasUnknownWord ? nil : walk.body }
    return try lookedUp(message, body, storage)
  }

  @inline(never) private static func lookedUp(
    _ message: ProtobufReader, _ body: Body, _ storage: UnsafeMutablePointer<BodyStorage>
  ) throws(NotUnderstood) -> Body? {
    var reader = ProtobufFieldReader(message, ahead: nil, body, storage)
    Body.list(&reader)
    if let failure = reader.failure { throw failure }
    return reader.hasUnknownWord ? nil : reader.body
  }

  /// Where this field is to be looked for, and back to it.
  @inline(__always) private var cursor: FieldCursor {
    get { FieldCursor(reader: ahead ?? message, isWalk: ahead != nil) }
    set { if newValue.isWalk { ahead = newValue.reader } }
  }

  @inline(__always) private mutating func last(_ number: UInt32, _ name: StaticString) -> Text? {
    var found: Text?
    do throws(ProtobufError) {
      var cursor = cursor
      while try cursor.comesTo(number, .bytes) { found = try cursor.reader.text(FieldPath("", name)) }
      self.cursor = cursor
    } catch {
      failure = error.notUnderstood
    }
    return found
  }

  @inline(__always) private mutating func last(_ number: UInt32) -> Int64? {
    var found: Int64?
    do throws(ProtobufError) {
      var cursor = cursor
      while try cursor.comesTo(number, .varint) { found = try cursor.reader.integer() }
      self.cursor = cursor
    } catch {
      failure = error.notUnderstood
    }
    return found
  }

  @inline(__always) mutating func id(_ name: StaticString, _ number: UInt32, _ offset: WritableKeyPath<Body, Int64>) {
    let text = last(number, name)
    do throws(NotUnderstood) {
      body[keyPath: offset] = try PublishedID(text ?? .empty).offset
    } catch {
      failure = failure ?? error
    }
  }

  @inline(__always) mutating func text(_ name: StaticString, _ number: UInt32, _ text: WritableKeyPath<Body, Text>) {
    if let value = last(number, name) { body[keyPath: text] = value }
  }

  @inline(__always) mutating func integer(_: StaticString, _ number: UInt32, _ integer: WritableKeyPath<Body, Int64>) {
    if let value = last(number) { body[keyPath: integer] = value }
  }

  @inline(__always) mutating func word<Word: SchemaWord>(
    _: StaticString, _ number: UInt32, _ word: WritableKeyPath<Body, Word>
  ) {
    let value = last(number)
    if let known = Word.allCases.first(where: { $0.number == value }) {
      body[keyPath: word] = known
    } else {
      hasUnknownWord = true
    }
  }

  @inline(__always) mutating func message<Inner: FieldList>(
    _: StaticString, _ number: UInt32, _ message: WritableKeyPath<Body, Inner>
  ) {
    var cursor = cursor
    while let inner = next(number, &cursor) {
      do throws(NotUnderstood) {
        if let merged = try ProtobufFieldReader<Inner>.read(inner, into: body[keyPath: message], keeping: storage) {
          body[keyPath: message] = merged
        } else {
          hasUnknownWord = true
        }
      } catch {
        failure = failure ?? error
      }
    }
    self.cursor = cursor
  }

  @inline(__always) mutating func points(
    _: StaticString, _ number: UInt32, _ points: WritableKeyPath<Body, UnsafeBufferPointer<Point>>
  ) {
    storage.pointee.removeAll()
    var cursor = cursor
    while let inner = next(number, &cursor) {
      do throws(NotUnderstood) {
        if let point = try ProtobufFieldReader<Point>.read(inner, keeping: storage) { storage.pointee.append(point) }
      } catch {
        failure = failure ?? error
      }
    }
    self.cursor = cursor
    body[keyPath: points] = storage.pointee.kept
  }

  @inline(__always) private mutating func next(_ number: UInt32, _ cursor: inout FieldCursor) -> ProtobufReader? {
    do throws(ProtobufError) {
      return try cursor.comesTo(number, .bytes) ? cursor.reader.message() : nil
    } catch {
      failure = failure ?? error.notUnderstood
      return nil
    }
  }
}

/// A place in a message, before a field.
private struct FieldCursor {
  var reader: ProtobufReader
  /// Whether it stops at any other field, and doesn't go past it.
  let isWalk: Bool

  /// Whether there is such a field; its value is next then.
  @inline(__always) mutating func comesTo(
    _ number: UInt32, _ type: ProtobufReader.WireType
  ) throws(ProtobufError) -> Bool {
    var after = reader
    while let tag = try after.tag() {
      if tag.number == number, tag.type == type {
        reader = after
        return true
      }
      if isWalk { return false }
      try after.skip(tag)
    }
    return false
  }
}

import RoomModel
import RoomScreen

/// Reads a message's fields. As with all that we wrote ourselves, what is absent is 0 or empty.
struct ProtobufFieldReader<Body: FieldList>: FieldCoder {
  private var walk: ProtobufWalk
  private let storage: UnsafeMutablePointer<BodyStorage>
  private var body: Body
  private var failure: NotUnderstood?
  private var hasUnknownWord = false

  private init(_ walk: ProtobufWalk, _ body: Body, _ storage: UnsafeMutablePointer<BodyStorage>) {
    self.walk = walk
    self.body = body
    self.storage = storage
  }

  /// Nil if a word of it isn't known here: a newer worker's.
  static func read(
    _ message: ProtobufReader, into body: Body = Body(), keeping storage: UnsafeMutablePointer<BodyStorage>
  ) throws(NotUnderstood) -> Body? {
    var reader = ProtobufFieldReader(ProtobufWalk(message), body, storage)
    Body.list(&reader)
    if reader.walk.isAtEnd, reader.failure == nil { return reader.hasUnknownWord ? nil : reader.body }
    return try lookedUp(message, body, storage)
  }

  @inline(never) private static func lookedUp(
    _ message: ProtobufReader, _ body: Body, _ storage: UnsafeMutablePointer<BodyStorage>
  ) throws(NotUnderstood) -> Body? {
    var reader = ProtobufFieldReader(ProtobufWalk(lookingIn: message), body, storage)
    Body.list(&reader)
    if let failure = reader.failure { throw failure }
    return reader.hasUnknownWord ? nil : reader.body
  }

  @inline(__always) private mutating func last(_ number: UInt32, _ name: StaticString) -> Text? {
    do throws(ProtobufError) {
      return try walk.text(number, FieldPath("", name))
    } catch {
      failure = error.notUnderstood
      return nil
    }
  }

  @inline(__always) private mutating func last(_ number: UInt32) -> Int64? {
    do throws(ProtobufError) {
      return try walk.integer(number)
    } catch {
      failure = error.notUnderstood
      return nil
    }
  }

  @inline(__always) mutating func id(_ name: StaticString, _ number: UInt32, _ offset: WritableKeyPath<Body, Int64>) {
    let text = last(number, name)
    do throws(NotUnderstood) {
      body[keyPath: offset] = try CommandID(published: text ?? .empty).offset
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
    var cursor = walk.cursor
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
    walk.cursor = cursor
  }

  @inline(__always) mutating func messages<Inner: FieldList & BitwiseCopyable>(
    _: StaticString, _ number: UInt32, _ messages: WritableKeyPath<Body, UnsafeBufferPointer<Inner>>
  ) {
    storage.pointee.removeAll()
    var cursor = walk.cursor
    while let inner = next(number, &cursor) {
      do throws(NotUnderstood) {
        if let read = try ProtobufFieldReader<Inner>.read(inner, keeping: storage) { storage.pointee.append(read) }
      } catch {
        failure = failure ?? error
      }
    }
    walk.cursor = cursor
    body[keyPath: messages] = storage.pointee.kept()
  }

  @inline(__always) private mutating func next(_ number: UInt32, _ cursor: inout ProtobufCursor) -> ProtobufReader? {
    do throws(ProtobufError) {
      return try cursor.message(number)
    } catch {
      failure = failure ?? error.notUnderstood
      return nil
    }
  }
}

import JSON
import RoomModel
import RoomScreen

/// Reads the fields of an object. As with all that we wrote ourselves, what is absent or of another type is 0 or empty.
struct JSONFieldReader<Body: FieldList>: FieldCoder {
  private var walk: JSONWalk
  private let storage: UnsafeMutablePointer<BodyStorage>
  private var body = Body()
  private var failure: NotUnderstood?
  private var hasUnknownWord = false

  private init(_ walk: JSONWalk, _ storage: UnsafeMutablePointer<BodyStorage>) {
    self.walk = walk
    self.storage = storage
  }

  /// Nil if a word of it isn't known here: a newer worker's.
  static func read(
    _ object: JSONValue, keeping storage: UnsafeMutablePointer<BodyStorage>
  ) throws(NotUnderstood) -> Body? {
    if let walk = JSONWalk(object) {
      var reader = JSONFieldReader(walk, storage)
      Body.list(&reader)
      if reader.walk.isAtEnd { return try reader.result() }
    }
    return try lookedUp(object, storage)
  }

  @inline(never) private static func lookedUp(
    _ object: JSONValue, _ storage: UnsafeMutablePointer<BodyStorage>
  ) throws(NotUnderstood) -> Body? {
    var reader = JSONFieldReader(JSONWalk(lookingIn: object), storage)
    Body.list(&reader)
    return try reader.result()
  }

  @inline(__always) private func result() throws(NotUnderstood) -> Body? {
    if let failure { throw failure }
    return hasUnknownWord ? nil : body
  }

  @inline(__always) mutating func id(_ name: StaticString, _: UInt32, _ offset: WritableKeyPath<Body, Int64>) {
    do throws(NotUnderstood) {
      body[keyPath: offset] = try CommandID(published: walk.value(name)?.text ?? .empty).offset
    } catch {
      failure = error
    }
  }

  @inline(__always) mutating func text(_ name: StaticString, _: UInt32, _ text: WritableKeyPath<Body, Text>) {
    if let value = walk.value(name)?.text { body[keyPath: text] = value }
  }

  @inline(__always) mutating func integer(_ name: StaticString, _: UInt32, _ integer: WritableKeyPath<Body, Int64>) {
    if let value = walk.value(name)?.integer { body[keyPath: integer] = value }
  }

  @inline(__always) mutating func word<Word: SchemaWord>(
    _ name: StaticString, _: UInt32, _ word: WritableKeyPath<Body, Word>
  ) {
    let text = walk.value(name)?.text ?? .empty
    if let known = Word.allCases.first(where: { $0.word == text }) {
      body[keyPath: word] = known
    } else {
      hasUnknownWord = true
    }
  }

  @inline(__always) mutating func message<Inner: FieldList>(
    _ name: StaticString, _: UInt32, _ message: WritableKeyPath<Body, Inner>
  ) {
    guard let value = walk.value(name) else { return }
    do throws(NotUnderstood) {
      if let inner = try JSONFieldReader<Inner>.read(value, keeping: storage) {
        body[keyPath: message] = inner
      } else {
        hasUnknownWord = true
      }
    } catch {
      failure = error
    }
  }

  @inline(__always) mutating func messages<Inner: FieldList & BitwiseCopyable>(
    _ name: StaticString, _: UInt32, _ messages: WritableKeyPath<Body, UnsafeBufferPointer<Inner>>
  ) {
    storage.pointee.removeAll()
    if let elements = walk.value(name)?.elements {
      for element in elements {
        if let inner = try? JSONFieldReader<Inner>.read(element, keeping: storage) { storage.pointee.append(inner) }
      }
    }
    body[keyPath: messages] = storage.pointee.kept()
  }
}

import RoomModel

/// Reads the fields of an event's message. Absent fields are 0 or empty.
struct ProtobufEventFieldReader<Body: EventFieldList>: EventFieldCoder {
  private var walk: ProtobufWalk
  private let path: MessagePath
  private let storage: UnsafeMutablePointer<EventStorage>
  private var body: Body
  private var failure: ProtobufError?

  private init(
    _ walk: ProtobufWalk, _ body: Body, _ path: MessagePath, _ storage: UnsafeMutablePointer<EventStorage>
  ) {
    self.walk = walk
    self.body = body
    self.path = path
    self.storage = storage
  }

  static func read(
    _ message: ProtobufReader, into body: Body = Body(), _ path: MessagePath,
    keeping storage: UnsafeMutablePointer<EventStorage>
  ) throws(ProtobufError) -> Body {
    var reader = ProtobufEventFieldReader(ProtobufWalk(message), body, path, storage)
    Body.list(&reader)
    if reader.walk.isAtEnd, reader.failure == nil { return reader.body }
    return try lookedUp(message, body, path, storage)
  }

  @inline(never) private static func lookedUp(
    _ message: ProtobufReader, _ body: Body, _ path: MessagePath, _ storage: UnsafeMutablePointer<EventStorage>
  ) throws(ProtobufError) -> Body {
    try message.skipAll()
    var reader = ProtobufEventFieldReader(ProtobufWalk(lookingIn: message), body, path, storage)
    Body.list(&reader)
    if let failure = reader.failure { throw failure }
    return reader.body
  }

  @inline(__always) mutating func id(
    _ name: StaticString, _ number: UInt32, _ id: WritableKeyPath<Body, Text>, _ rule: TextRule
  ) { text(name, number, id, rule) }

  @inline(__always) mutating func text(
    _ name: StaticString, _ number: UInt32, _ text: WritableKeyPath<Body, Text>, _: TextRule
  ) {
    do throws(ProtobufError) {
      if let value = try walk.text(number, path.field(name)) { body[keyPath: text] = value }
    } catch {
      note(error)
    }
  }

  @inline(__always) mutating func integer(
    _: StaticString, _ number: UInt32, _ integer: WritableKeyPath<Body, Int64>, _ rule: IntegerRule
  ) {
    do throws(ProtobufError) {
      if let value = try walk.integer(number) {
        body[keyPath: integer] = value
      } else if rule.absent != 0 {
        body[keyPath: integer] = rule.absent
      }
    } catch {
      note(error)
    }
  }

  @inline(__always) mutating func message<Inner: EventFieldList>(
    _ name: StaticString, _ number: UInt32, _ message: WritableKeyPath<Body, Inner>
  ) {
    var cursor = walk.cursor
    do throws(ProtobufError) {
      while let inner = try cursor.message(number) {
        body[keyPath: message] = try ProtobufEventFieldReader<Inner>.read(
          inner, into: body[keyPath: message], path.inner(name), keeping: storage)
      }
    } catch {
      note(error)
    }
    walk.cursor = cursor
  }

  mutating func integers(
    _: StaticString, _ number: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<Int64>>, _: ClosedRange<Int64>,
    limit: Int
  ) {
    storage.pointee.removeIntegers()
    let storage = storage
    var cursor = walk.cursor
    do throws(ProtobufError) {
      while try cursor.integers(number, { storage.pointee.append($0, limit: limit) }) {}
    } catch {
      note(error)
    }
    walk.cursor = cursor
  }

  mutating func ids(
    _ name: StaticString, _ number: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<Text>>
  ) {
    storage.pointee.removeIds()
    var cursor = walk.cursor
    do throws(ProtobufError) {
      while let id = try cursor.text(number, path.field(name)) { storage.pointee.append(id) }
    } catch {
      note(error)
    }
    walk.cursor = cursor
  }

  mutating func points(
    _ name: StaticString, _ number: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<Point>>
  ) {
    storage.pointee.removePoints()
    var cursor = walk.cursor
    do throws(ProtobufError) {
      while let point = try cursor.message(number) {
        storage.pointee.append(
          try ProtobufEventFieldReader<Point>.read(point, path.inner(name), keeping: storage))
      }
    } catch {
      note(error)
    }
    walk.cursor = cursor
  }

  mutating func settings(
    _ name: StaticString, _ number: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<RoomSetting.Value>>
  ) {
    storage.pointee.removeSettings()
    var cursor = walk.cursor
    do throws(ProtobufError) {
      while let entry = try cursor.message(number) {
        storage.pointee.append(try WrittenSetting(entry, path.field(name)))
      }
    } catch {
      note(error)
    }
    walk.cursor = cursor
  }

  /// The first thing that is wrong is told.
  @inline(never) private mutating func note(_ error: ProtobufError) {
    if failure == nil { failure = error }
  }
}

extension WrittenSetting {
  /// An entry of a map.
  fileprivate init(_ entry: ProtobufReader, _ path: FieldPath) throws(ProtobufError) {
    var entry = ProtobufWalk(lookingIn: entry)
    name = try entry.text(MapEntry.key, path) ?? .empty
    value = .text(try entry.text(MapEntry.value, path) ?? .empty)
  }
}

import JSON
import RoomModel

/// Reads the fields of an object of an event. A field that is absent, or `null`, is 0 or empty; one of another type is
/// refused.
struct JSONEventFieldReader<Body: EventFieldList>: EventFieldCoder {
  private let object: JSONValue
  private var walk: JSONWalk
  private let path: MessagePath
  private let storage: UnsafeMutablePointer<EventStorage>
  private var body = Body()
  private var failure: NotUnderstood?

  private init(
    _ object: JSONValue, _ walk: JSONWalk, _ path: MessagePath, _ storage: UnsafeMutablePointer<EventStorage>
  ) {
    self.object = object
    self.walk = walk
    self.path = path
    self.storage = storage
  }

  static func read(
    _ object: JSONValue, _ path: MessagePath, keeping storage: UnsafeMutablePointer<EventStorage>
  ) throws(NotUnderstood) -> Body {
    guard let walk = JSONWalk(object) else {
      throw NotUnderstood(.wrongType, "\(path.whole): \(object.described) is not an object")
    }
    let digits = storage.pointee.digitCount
    var reader = JSONEventFieldReader(object, walk, path, storage)
    Body.list(&reader)
    if reader.walk.isAtEnd, reader.failure == nil { return reader.body }
    storage.pointee.forgetDigits(after: digits)
    return try lookedUp(object, path, storage)
  }

  @inline(never) private static func lookedUp(
    _ object: JSONValue, _ path: MessagePath, _ storage: UnsafeMutablePointer<EventStorage>
  ) throws(NotUnderstood) -> Body {
    var reader = JSONEventFieldReader(object, JSONWalk(lookingIn: object), path, storage)
    Body.list(&reader)
    if let failure = reader.failure { throw failure }
    return reader.body
  }

  /// The place of the field's value on the tape; 0: it is absent.
  @inline(__always) private mutating func place(_ name: StaticString) -> Int {
    guard let value = walk.value(name) else { return 0 }
    return value.isNull ? 0 : value.place
  }

  @inline(__always) mutating func id(
    _ name: StaticString, _: UInt32, _ id: WritableKeyPath<Body, Text>, _: TextRule
  ) {
    let place = place(name)
    do throws(NotUnderstood) {
      body[keyPath: id] = try object.id(at: place, path.field(name), &storage.pointee)
    } catch {
      note(error)
    }
  }

  @inline(__always) mutating func text(
    _ name: StaticString, _: UInt32, _ text: WritableKeyPath<Body, Text>, _: TextRule
  ) {
    let place = place(name)
    do throws(NotUnderstood) { body[keyPath: text] = try object.string(at: place, path.field(name)) } catch {
      note(error)
    }
  }

  @inline(__always) mutating func integer(
    _ name: StaticString, _: UInt32, _ integer: WritableKeyPath<Body, Int64>, _ rule: IntegerRule
  ) {
    let place = place(name)
    do throws(NotUnderstood) {
      body[keyPath: integer] = try object.integer(at: place, path.field(name), absent: rule.absent)
    } catch {
      note(error)
    }
  }

  @inline(__always) mutating func message<Inner: EventFieldList>(
    _ name: StaticString, _: UInt32, _ message: WritableKeyPath<Body, Inner>
  ) {
    let place = place(name)
    if place == 0 { return }
    do throws(NotUnderstood) {
      body[keyPath: message] = try JSONEventFieldReader<Inner>.read(
        object.at(place), path.inner(name), keeping: storage)
    } catch {
      note(error)
    }
  }

  mutating func integers(
    _ name: StaticString, _: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<Int64>>, _: ClosedRange<Int64>,
    limit: Int
  ) {
    storage.pointee.removeIntegers()
    let (storage, path) = (storage, path.field(name))
    forEach(of: name) { element throws(NotUnderstood) in
      storage.pointee.append(try element.asInteger(path, absent: 0), limit: limit)
    }
  }

  mutating func ids(
    _ name: StaticString, _: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<Text>>
  ) {
    storage.pointee.removeIds()
    let (storage, path) = (storage, path.field(name))
    forEach(of: name) { element throws(NotUnderstood) in
      // The digits of those beyond the limit would have no room.
      let id = storage.pointee.hasRoomForId ? try element.id(at: element.place, path, &storage.pointee) : .empty
      storage.pointee.append(id)
    }
  }

  mutating func points(
    _ name: StaticString, _: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<Point>>
  ) {
    storage.pointee.removePoints()
    let (storage, path) = (storage, path.inner(name))
    forEach(of: name) { element throws(NotUnderstood) in
      storage.pointee.append(try JSONEventFieldReader<Point>.read(element, path, keeping: storage))
    }
  }

  /// Reads the elements of a list. `null` is none.
  private mutating func forEach(of name: StaticString, _ read: (JSONValue) throws(NotUnderstood) -> Void) {
    let place = place(name)
    if place == 0 { return }
    do throws(NotUnderstood) {
      guard let elements = object.at(place).elements else {
        throw .wrongType(path.field(name), object.at(place).described, wanted: "a list")
      }
      for element in elements { try read(element) }
    } catch {
      note(error)
    }
  }

  mutating func settings(
    _ name: StaticString, _: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<RoomSetting.Value>>
  ) {
    storage.pointee.removeSettings()
    let place = place(name)
    if place == 0 { return }
    do throws(NotUnderstood) {
      guard let members = object.at(place).members else {
        throw NotUnderstood(.wrongType, "\(path.field(name)): \(object.at(place).described) is not an object")
      }
      for member in members {
        storage.pointee.append(WrittenSetting(name: member.name, value: member.value.settingValue))
      }
    } catch {
      note(error)
    }
  }

  /// The first thing that is wrong is told.
  @inline(never) private mutating func note(_ error: NotUnderstood) {
    if failure == nil { failure = error }
  }
}

extension JSONValue {
  fileprivate var settingValue: WrittenSetting.Value {
    if let integer { return .integer(integer) }
    return text.map { .text($0) } ?? .other(described)
  }
}

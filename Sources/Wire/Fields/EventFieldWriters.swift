import JSON
import RoomModel

/// Appends the fields of an event's message to an object. Optional fields are left out where they are 0 or empty.
struct JSONEventFieldWriter<Body: EventFieldList>: EventFieldCoder {
  private let buffer: UnsafeMutablePointer<ByteBuffer>
  private let body: Body

  /// Appends the object.
  static func append(_ body: Body, to buffer: UnsafeMutablePointer<ByteBuffer>) {
    let begin = buffer.pointee.count
    var writer = JSONEventFieldWriter(buffer: buffer, body: body)
    Body.list(&writer)
    buffer.pointee.endObject(begin)
  }

  mutating func id(
    _ name: StaticString, _ number: UInt32, _ id: WritableKeyPath<Body, Text>, _ rule: TextRule
  ) { text(name, number, id, rule) }

  mutating func text(
    _ name: StaticString, _: UInt32, _ text: WritableKeyPath<Body, Text>, _ rule: TextRule
  ) {
    let value = body[keyPath: text]
    if rule.presence == .optional, value.isEmpty { return }
    buffer.pointee.appendTextMember(name)
    buffer.pointee.appendEscapedAndQuote(value)
  }

  mutating func integer(
    _ name: StaticString, _: UInt32, _ integer: WritableKeyPath<Body, Int64>, _ rule: IntegerRule
  ) {
    let value = body[keyPath: integer]
    if rule.presence == .optional, value == 0 { return }
    buffer.pointee.appendMember(name)
    buffer.pointee.append(value)
  }

  mutating func message<Inner: EventFieldList>(
    _ name: StaticString, _: UInt32, _ message: WritableKeyPath<Body, Inner>
  ) {
    buffer.pointee.appendMember(name)
    JSONEventFieldWriter<Inner>.append(body[keyPath: message], to: buffer)
  }

  mutating func integers(
    _ name: StaticString, _: UInt32, _ integers: WritableKeyPath<Body, UnsafeBufferPointer<Int64>>,
    _: ClosedRange<Int64>, limit: Int
  ) {
    appendList(name, body[keyPath: integers]) { integer, buffer in buffer.append(integer) }
  }

  mutating func ids(
    _ name: StaticString, _: UInt32, _ ids: WritableKeyPath<Body, UnsafeBufferPointer<Text>>
  ) {
    appendList(name, body[keyPath: ids]) { id, buffer in
      buffer.append(UInt8(ascii: "\""))
      buffer.appendEscapedAndQuote(id)
    }
  }

  mutating func points(
    _ name: StaticString, _: UInt32, _ points: WritableKeyPath<Body, UnsafeBufferPointer<Point>>
  ) {
    appendList(name, body[keyPath: points]) { point, buffer in
      JSONEventFieldWriter<Point>.append(point, to: &buffer)
    }
  }

  /// Appends a list that is not empty.
  private func appendList<Element>(
    _ name: StaticString, _ elements: UnsafeBufferPointer<Element>, _ append: (Element, inout ByteBuffer) -> Void
  ) {
    if elements.isEmpty { return }
    buffer.pointee.appendMember(name)
    var separator = UInt8(ascii: "[")
    for element in elements {
      buffer.pointee.append(separator)
      append(element, &buffer.pointee)
      separator = UInt8(ascii: ",")
    }
    buffer.pointee.append(UInt8(ascii: "]"))
  }

  mutating func settings(
    _ name: StaticString, _: UInt32, _ settings: WritableKeyPath<Body, UnsafeBufferPointer<RoomSetting.Value>>
  ) {
    buffer.pointee.appendMember(name)
    let begin = buffer.pointee.count
    for value in body[keyPath: settings] {
      buffer.pointee.append(#",""#)
      buffer.pointee.appendEscaped(string: value.setting.rawValue)
      // Integers too, as Protobuf's JSON has it.
      buffer.pointee.append(#"":""#)
      buffer.pointee.appendEscaped(string: value.description)
      buffer.pointee.append(UInt8(ascii: "\""))
    }
    buffer.pointee.endObject(begin)
  }
}

/// Appends the fields of an event's message as Protobuf. As proto3 has it, a field that is 0 or empty is left out.
struct ProtobufEventFieldWriter<Body: EventFieldList>: EventFieldCoder {
  private let buffer: UnsafeMutablePointer<ByteBuffer>
  private let body: Body

  /// Appends `body` as the field of this number.
  static func append(_ number: UInt32, _ body: Body, to buffer: UnsafeMutablePointer<ByteBuffer>) {
    let begin = buffer.pointee.beginMessage(number)
    var writer = ProtobufEventFieldWriter(buffer: buffer, body: body)
    Body.list(&writer)
    buffer.pointee.endMessage(begin)
  }

  mutating func id(_: StaticString, _ number: UInt32, _ id: WritableKeyPath<Body, Text>, _: TextRule) {
    buffer.pointee.append(number, body[keyPath: id])
  }

  mutating func text(_: StaticString, _ number: UInt32, _ text: WritableKeyPath<Body, Text>, _: TextRule) {
    buffer.pointee.append(number, body[keyPath: text])
  }

  mutating func integer(
    _: StaticString, _ number: UInt32, _ integer: WritableKeyPath<Body, Int64>, _ rule: IntegerRule
  ) {
    let value = body[keyPath: integer]
    if rule.absent == 0 { buffer.pointee.append(number, value) } else { buffer.pointee.appendPresent(number, value) }
  }

  mutating func message<Inner: EventFieldList>(
    _: StaticString, _ number: UInt32, _ message: WritableKeyPath<Body, Inner>
  ) { ProtobufEventFieldWriter<Inner>.append(number, body[keyPath: message], to: buffer) }

  mutating func integers(
    _: StaticString, _ number: UInt32, _ integers: WritableKeyPath<Body, UnsafeBufferPointer<Int64>>,
    _: ClosedRange<Int64>, limit: Int
  ) {
    if body[keyPath: integers].isEmpty { return }
    let packed = buffer.pointee.beginMessage(number)
    for integer in body[keyPath: integers] { buffer.pointee.append(varint: UInt64(bitPattern: integer)) }
    buffer.pointee.endMessage(packed)
  }

  mutating func ids(
    _: StaticString, _ number: UInt32, _ ids: WritableKeyPath<Body, UnsafeBufferPointer<Text>>
  ) {
    // An empty element would be one, too: no list that was understood has one.
    for id in body[keyPath: ids] { buffer.pointee.append(number, id) }
  }

  mutating func points(
    _: StaticString, _ number: UInt32, _ points: WritableKeyPath<Body, UnsafeBufferPointer<Point>>
  ) {
    for point in body[keyPath: points] { ProtobufEventFieldWriter<Point>.append(number, point, to: buffer) }
  }

  mutating func settings(
    _: StaticString, _ number: UInt32, _ settings: WritableKeyPath<Body, UnsafeBufferPointer<RoomSetting.Value>>
  ) {
    for value in body[keyPath: settings] {
      let entry = buffer.pointee.beginMessage(number)
      buffer.pointee.append(MapEntry.key, string: value.setting.rawValue)
      buffer.pointee.append(MapEntry.value, string: value.description)
      buffer.pointee.endMessage(entry)
    }
  }
}

/// The fields of an entry of a map.
enum MapEntry {
  static var key: UInt32 { 1 }
  static var value: UInt32 { 2 }
}

extension ByteBuffer {
  fileprivate mutating func append(_ number: UInt32, string: String) {
    var string = string
    string.withUTF8 { utf8 in
      if let start = utf8.baseAddress { append(number, Text(start: start, count: utf8.count)) }
    }
  }
}

import RoomModel
import RoomScreen

/// A message of the schema whose fields stand in one list, which all coders run: those of JSON and of Protobuf, and those
/// between the engine's values and the screen's. The order is that of JSON; the numbers, which grow, are Protobuf's.
protocol FieldList {
  /// The item that it is on a screen, with texts of its own.
  associatedtype Shown

  /// A blank message, before its fields are read: absent fields are 0 or empty.
  init()
  static var blankShown: Shown { get }

  static func list(_ fields: inout some FieldCoder<Self>)
}

/// A body of a command.
protocol CommandBody: FieldList {
  /// Its field of the message `Command`.
  static var name: StaticString { get }
  static var number: UInt32 { get }
}

/// Runs a list. A field is given by its name in JSON, its number in Protobuf, and the properties of the engine's value
/// and of the screen's. They have to be literals, and coders inlined, so that none of it is left at run time.
protocol FieldCoder<Body> {
  associatedtype Body: FieldList

  /// The name of a combo, of which the engine keeps the offset alone.
  mutating func id(
    _ name: StaticString, _ number: UInt32, _ offset: WritableKeyPath<Body, Int64>,
    _ shown: WritableKeyPath<Body.Shown, ID>)
  mutating func id(
    _ name: StaticString, _ number: UInt32, _ id: WritableKeyPath<Body, Text>,
    _ shown: WritableKeyPath<Body.Shown, ID>)
  mutating func text(
    _ name: StaticString, _ number: UInt32, _ text: WritableKeyPath<Body, Text>,
    _ shown: WritableKeyPath<Body.Shown, String>)
  mutating func integer(
    _ name: StaticString, _ number: UInt32, _ integer: WritableKeyPath<Body, Int64>,
    _ shown: WritableKeyPath<Body.Shown, Int64>)
  mutating func integer(
    _ name: StaticString, _ number: UInt32, _ integer: WritableKeyPath<Body, Int64>,
    _ shown: WritableKeyPath<Body.Shown, Int>)
  /// A word of an enumeration. A body is not understood without it.
  mutating func word<Word: SchemaWord, ShownWord: RawRepresentable<String>>(
    _ name: StaticString, _ number: UInt32, _ word: WritableKeyPath<Body, Word>,
    _ shown: WritableKeyPath<Body.Shown, ShownWord>)
  mutating func message<Inner: FieldList>(
    _ name: StaticString, _ number: UInt32, _ message: WritableKeyPath<Body, Inner>,
    _ shown: WritableKeyPath<Body.Shown, Inner.Shown>)
  /// A body has one such list at most.
  mutating func messages<Inner: FieldList & BitwiseCopyable>(
    _ name: StaticString, _ number: UInt32, _ messages: WritableKeyPath<Body, UnsafeBufferPointer<Inner>>,
    _ shown: WritableKeyPath<Body.Shown, [Inner.Shown]>)
}

/// A coder of bytes, which know the engine's values alone.
protocol WireFieldCoder<Body>: FieldCoder {
  mutating func id(_ name: StaticString, _ number: UInt32, _ offset: WritableKeyPath<Body, Int64>)
  mutating func text(_ name: StaticString, _ number: UInt32, _ text: WritableKeyPath<Body, Text>)
  mutating func integer(_ name: StaticString, _ number: UInt32, _ integer: WritableKeyPath<Body, Int64>)
  mutating func word<Word: SchemaWord>(
    _ name: StaticString, _ number: UInt32, _ word: WritableKeyPath<Body, Word>)
  mutating func message<Inner: FieldList>(
    _ name: StaticString, _ number: UInt32, _ message: WritableKeyPath<Body, Inner>)
  mutating func messages<Inner: FieldList & BitwiseCopyable>(
    _ name: StaticString, _ number: UInt32, _ messages: WritableKeyPath<Body, UnsafeBufferPointer<Inner>>)
}

extension WireFieldCoder {
  @inline(__always) mutating func id(
    _ name: StaticString, _ number: UInt32, _ offset: WritableKeyPath<Body, Int64>,
    _: WritableKeyPath<Body.Shown, ID>
  ) { id(name, number, offset) }

  @inline(__always) mutating func id(
    _ name: StaticString, _ number: UInt32, _ id: WritableKeyPath<Body, Text>, _: WritableKeyPath<Body.Shown, ID>
  ) { text(name, number, id) }

  @inline(__always) mutating func text(
    _ name: StaticString, _ number: UInt32, _ text: WritableKeyPath<Body, Text>, _: WritableKeyPath<Body.Shown, String>
  ) { self.text(name, number, text) }

  @inline(__always) mutating func integer(
    _ name: StaticString, _ number: UInt32, _ integer: WritableKeyPath<Body, Int64>,
    _: WritableKeyPath<Body.Shown, Int64>
  ) { self.integer(name, number, integer) }

  @inline(__always) mutating func integer(
    _ name: StaticString, _ number: UInt32, _ integer: WritableKeyPath<Body, Int64>, _: WritableKeyPath<Body.Shown, Int>
  ) { self.integer(name, number, integer) }

  @inline(__always) mutating func word<Word: SchemaWord, ShownWord: RawRepresentable<String>>(
    _ name: StaticString, _ number: UInt32, _ word: WritableKeyPath<Body, Word>,
    _: WritableKeyPath<Body.Shown, ShownWord>
  ) { self.word(name, number, word) }

  @inline(__always) mutating func message<Inner: FieldList>(
    _ name: StaticString, _ number: UInt32, _ message: WritableKeyPath<Body, Inner>,
    _: WritableKeyPath<Body.Shown, Inner.Shown>
  ) { self.message(name, number, message) }

  @inline(__always) mutating func messages<Inner: FieldList & BitwiseCopyable>(
    _ name: StaticString, _ number: UInt32, _ messages: WritableKeyPath<Body, UnsafeBufferPointer<Inner>>,
    _: WritableKeyPath<Body.Shown, [Inner.Shown]>
  ) { self.messages(name, number, messages) }
}

/// A word of one of the schema's enumerations.
protocol SchemaWord: CaseIterable {
  var number: Int64 { get }
  var word: Text { get }
}

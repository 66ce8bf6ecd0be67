import RoomModel

/// A message of the schema whose fields stand in one list, which all coders run: those of JSON and of Protobuf. The order
/// is that of JSON; the numbers, which grow, are Protobuf's. `Sources/MakeMessages` makes the lists of the schema.
protocol FieldList {
  /// A blank message, before its fields are read: absent fields are 0 or empty.
  init()

  static func list(_ fields: inout some FieldCoder<Self>)
}

/// A body of a command.
protocol CommandBody: FieldList {
  /// Its field of the message `Command`.
  static var name: StaticString { get }
  static var number: UInt32 { get }
}

/// Runs a list. A field is given by its name in JSON, its number in Protobuf, and the property that holds it. They have to
/// be literals, and coders inlined, so that none of it is left at run time.
protocol FieldCoder<Body> {
  associatedtype Body: FieldList

  /// The name of a record, of which the engine keeps the offset alone.
  mutating func id(_ name: StaticString, _ number: UInt32, _ offset: WritableKeyPath<Body, Int64>)
  mutating func text(_ name: StaticString, _ number: UInt32, _ text: WritableKeyPath<Body, Text>)
  mutating func integer(_ name: StaticString, _ number: UInt32, _ integer: WritableKeyPath<Body, Int64>)
  /// A word of an enumeration. A body is not understood without it.
  mutating func word<Word: SchemaWord>(
    _ name: StaticString, _ number: UInt32, _ word: WritableKeyPath<Body, Word>)
  mutating func message<Inner: FieldList>(
    _ name: StaticString, _ number: UInt32, _ message: WritableKeyPath<Body, Inner>)
  /// A body has one such list at most.
  mutating func messages<Inner: FieldList & BitwiseCopyable>(
    _ name: StaticString, _ number: UInt32, _ messages: WritableKeyPath<Body, UnsafeBufferPointer<Inner>>)
}

/// A word of one of the schema's enumerations.
protocol SchemaWord: CaseIterable {
  var number: Int64 { get }
  var word: Text { get }
}

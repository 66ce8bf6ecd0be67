package import RoomModel

/// The values of a document that is written as another, by their slots; slot 0 has none.
package struct PatternValues: JSONFields {
  package struct Value {
    /// The bytes as they are written, without a string's quotes.
    package internal(set) var text = Text.empty
    /// The value of one that is no string.
    package internal(set) var integer: Int64 = 0
    package internal(set) var isString = true
  }

  private let values: UnsafePointer<Value>

  @inline(__always) init(_ values: UnsafePointer<Value>) { self.values = values }

  package subscript(slot: Int) -> Value { values[slot] }

  /// An integer's digits are as they are written.
  @inline(__always) func id(
    at slot: Int, _ path: @autoclosure () -> FieldPath, _ storage: inout EventStorage
  ) throws(NotUnderstood) -> Text {
    values[slot].text
  }

  @inline(__always) func string(
    at slot: Int, _ path: @autoclosure () -> FieldPath
  ) throws(NotUnderstood) -> Text {
    values[slot].text
  }

  @inline(__always) func integer(
    at slot: Int, _ path: @autoclosure () -> FieldPath, absent: Int64
  ) throws(NotUnderstood) -> Int64 {
    if !values[slot].isString { return values[slot].integer }
    if values[slot].text.isEmpty { return absent }
    return try integer(of: values[slot].text, path(), absent: absent)
  }

  /// A function of its own, so that its callers, which hardly ever need it, are short.
  @inline(never) private func integer(of text: Text, _ path: FieldPath, absent: Int64) throws(NotUnderstood) -> Int64 {
    try text.asInteger(path, absent: absent)
  }
}

/// The id of a room, a user, a gift, a wish, a rain, a combo, an event or a command.
///
/// Two ids are the same if their UTF-8 bytes are, as for Kafka, the workers and clients in other languages. Swift's
/// strings compare otherwise: for their `==` an é of one scalar and one of two are the same, so one user could pass for
/// several, or a room's commands reach another room.
public struct ID: Sendable {
  /// The id as text, to show or to send. To compare ids or look them up, use the ids themselves.
  public let string: String

  /// Every text is an id, the empty one too: that stands for none.
  public init(_ string: String) {
    var string = string
    string.makeContiguousUTF8()
    self.string = string
  }

  /// Whether it stands for none.
  public var isEmpty: Bool { string.utf8.isEmpty }

  /// The number of bytes.
  package var count: Int { string.utf8.count }

  /// - Parameter body: gets the UTF-8 bytes, which are good until it returns.
  @inline(__always)
  package func withBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var string = string
    // The standard library's closures throw untyped errors.
    let result = string.withUTF8 { bytes in
      Result { () throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
    }
    return try result.get()
  }
}

extension ID: Hashable {
  public static func == (a: ID, b: ID) -> Bool {
    // Strings of the same bytes are equal, and of most ids that differ the lengths do or the strings.
    a.count == b.count && a.string == b.string && a.string.utf8.elementsEqual(b.string.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: $0) }
  }
}

extension ID: Comparable {
  /// The order of their bytes.
  public static func < (a: ID, b: ID) -> Bool { a.string.utf8.lexicographicallyPrecedes(b.string.utf8) }
}

extension ID: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text) }
}

extension ID: LosslessStringConvertible {
  public var description: String { string }
}

/// A text, in JSON.
extension ID: Codable {
  public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}

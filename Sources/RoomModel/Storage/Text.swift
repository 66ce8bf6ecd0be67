/// UTF-8 bytes that somebody else owns.
///
/// A view is two words and costs nothing to pass on; a `String` costs an allocation for more than 15 bytes, which
/// is too much where a million events a second pass. It is good only as long as the owner says: a decoder's until
/// its next document, a command batch's until it is emptied.
///
/// Sendable, since literals are constants that any thread may read, and nobody writes bytes that are still in use. That
/// the bytes outlive the view is up to whoever passes it on, on one thread as on several.
public struct Text: BitwiseCopyable, @unchecked Sendable {
  public let start: UnsafeRawPointer
  public let count: Int

  @inlinable @inline(__always) public init(start: UnsafeRawPointer, count: Int) {
    self.start = start
    self.count = count
  }

  /// The text of a literal, which lives for ever.
  @inlinable public init(_ literal: StaticString) {
    start = UnsafeRawPointer(literal.utf8Start)
    count = literal.utf8CodeUnitCount
  }

  @inlinable public static var empty: Text { Text("") }

  @inlinable public var isEmpty: Bool { count == 0 }

  @inlinable public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
}

extension Text: Equatable {
  @inlinable public static func == (a: Text, b: Text) -> Bool {
    let count = a.count
    guard count == b.count else { return false }
    // The last word may overlap the one before: most texts are short, and a look at each byte costs more.
    if count >= 8 {
      var i = 0
      while i < count &- 8 {
        if a.differs(from: b, at: i, as: UInt64.self) { return false }
        i &+= 8
      }
      return !a.differs(from: b, at: count &- 8, as: UInt64.self)
    }
    if count >= 4 {
      return !a.differs(from: b, at: 0, as: UInt32.self) && !a.differs(from: b, at: count &- 4, as: UInt32.self)
    }
    for i in 0..<count where a.differs(from: b, at: i, as: UInt8.self) { return false }
    return true
  }

  @inlinable @inline(__always) func differs<Word: FixedWidthInteger>(
    from other: Text, at place: Int, as _: Word.Type
  ) -> Bool {
    start.loadUnaligned(fromByteOffset: place, as: Word.self)
      != other.start.loadUnaligned(fromByteOffset: place, as: Word.self)
  }
}

extension Text: CustomStringConvertible {
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

public import CSimdjson
public import RoomModel

/// Looks at many bytes of a text at once.
extension Text {
  /// Whether the text is UTF-8. Bytes behind it may be read, up to `end`.
  @inlinable @inline(__always) public func isUTF8(before end: UnsafeRawPointer) -> Bool {
    text_is_utf8(start, count, end)
  }

  /// Whether a byte is among those with which the UTF-8 of control characters begins.
  @inlinable @inline(__always) public var mayHoldControls: Bool { text_has_control_starts(start, count) }
}

extension UnsafeRawPointer {
  /// The end of the text that begins here: the first quote, backslash or control character, or `end`.
  @inlinable @inline(__always) public func plainText(
    before end: UnsafeRawPointer
  ) -> (end: UnsafeRawPointer, isASCII: Bool) {
    let text = plain_text_at(self, end)
    return (text.end, text.is_ascii)
  }
}

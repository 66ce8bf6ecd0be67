import CSimdjson
public import RoomModel

extension ByteBuffer {
  /// The end, with room for `limit` bytes; bytes that are put there count with `end(_:)`.
  @inlinable @inline(__always) public mutating func cursor(forUpTo limit: Int) -> JSONCursor {
    reserve(limit &+ JSONCursor.slack)
    return JSONCursor(start + used)
  }

  @inlinable @inline(__always) public mutating func end(_ cursor: JSONCursor) {
    used = UnsafeRawPointer(cursor.next) - UnsafeRawPointer(start)
  }

  /// The inside of a JSON string: `"`, `\` and what is below U+0020 is escaped, nothing else (STAGES.md, section 10).
  public mutating func appendEscaped(_ text: Text) {
    reserve(text.count &+ JSONCursor.slack)
    if plain_text_copy(start + used, text.start, text.count) { used &+= text.count } else { appendEscapes(of: text) }
  }

  /// The same, and the quote that ends the string.
  public mutating func appendEscapedAndQuote(_ text: Text) {
    appendEscaped(text)
    append(UInt8(ascii: "\""))
  }

  public mutating func appendEscaped(string: String) {
    var string = string
    string.withUTF8 { bytes in
      if let start = bytes.baseAddress { appendEscaped(Text(start: start, count: bytes.count)) }
    }
  }

  /// Byte by byte, since what is long need not have many of them.
  @inline(never) private mutating func appendEscapes(of text: Text) {
    for byte in text.bytes {
      var out = cursor(forUpTo: JSONCursor.escapeLimit)
      out.putEscaped(byte)
      end(out)
    }
  }
}

/// Objects, piece by piece.
extension ByteBuffer {
  /// Ends the object whose members were appended from `begin` on. Each came with a comma before it, so that none has to
  /// know whether it is the first.
  public mutating func endObject(_ begin: Int) {
    if count == begin { return append("{}") }
    replaceByte(at: begin, with: UInt8(ascii: "{"))
    append(UInt8(ascii: "}"))
  }

  /// `,"name":`
  @inlinable @inline(__always) public mutating func appendMember(_ name: StaticString) {
    var out = cursor(forUpTo: name.utf8CodeUnitCount &+ 4)
    out.putMember(name)
    end(out)
  }

  /// `,"name":"`
  @inlinable @inline(__always) public mutating func appendTextMember(_ name: StaticString) {
    var out = cursor(forUpTo: name.utf8CodeUnitCount &+ 5)
    out.putTextMember(name)
    end(out)
  }
}

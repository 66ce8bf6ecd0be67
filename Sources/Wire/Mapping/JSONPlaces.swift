package import JSON

/// The places in a document's bytes at which its values are written, by their places on the tape: simdjson keeps none, and
/// a number's own text is needed now and then.
package struct JSONPlaces {
  private var offsets: [Int32] = []
  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Goes through `bytes` once, which are JSON.
  package init() {}

  package mutating func read(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    offsets.removeAll(keepingCapacity: true)
    // The tape begins with its root.
    offsets.append(0)
    var next = 0
    while next < bytes.count {
      let byte = bytes[next]
      switch byte {
      case 0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: ","), UInt8(ascii: ":"):
        next += 1
        continue
      case UInt8(ascii: "\""):
        offsets.append(Int32(next))
        next = endOfString(at: next)
      case UInt8(ascii: "-"), 0x30...0x39:
        // A number takes two places.
        offsets.append(Int32(next))
        offsets.append(Int32(next))
        next = endOfWord(at: next)
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"):
        offsets.append(Int32(next))
        next += 1
      default:
        offsets.append(Int32(next))
        next = endOfWord(at: next)
      }
    }
  }

  /// Appends any value as it stands, without the blanks between its parts.
  package func append(_ value: JSONValue, to out: inout ByteBuffer) {
    switch value.kind {
    case .object, .list: _ = append(value, to: &out, limit: .max)
    case .string:
      let start = offset(of: value)
      out.append(UnsafeRawBufferPointer(rebasing: bytes[start..<endOfString(at: start)]))
    case .integer, .number, .bool, .null: out.append(word(value))
    }
  }

  func offset(of value: JSONValue) -> Int { Int(offsets[value.place]) }

  /// A number as it stands.
  func word(_ value: JSONValue) -> UnsafeRawBufferPointer {
    let start = offset(of: value)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<endOfWord(at: start)])
  }

  /// Appends an object or a list as it stands, without the blanks between its parts, while it has up to `limit` bytes.
  ///
  /// - Returns: Whether it has no more.
  func append(_ value: JSONValue, to out: inout ByteBuffer, limit: Int) -> Bool {
    var (next, depth) = (offset(of: value), 0)
    let start = out.count
    repeat {
      let byte = bytes[next]
      switch byte {
      case 0x20, 0x09, 0x0a, 0x0d:
        next += 1
        continue
      case UInt8(ascii: "\""):
        let end = endOfString(at: next)
        if limit - (out.count - start) < end - next { return false }
        out.append(UnsafeRawBufferPointer(rebasing: bytes[next..<end]))
        next = end
      default:
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
        if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
        out.append(byte)
        next += 1
      }
      if out.count - start > limit { return false }
    } while depth > 0
    return true
  }

  private func endOfString(at start: Int) -> Int {
    var next = start + 1
    while bytes[next] != UInt8(ascii: "\"") { next += bytes[next] == UInt8(ascii: "\\") ? 2 : 1 }
    return next + 1
  }

  private func endOfWord(at start: Int) -> Int {
    var next = start
    while next < bytes.count, !" \t\r\n,]}".utf8.contains(bytes[next]) { next += 1 }
    return next
  }
}

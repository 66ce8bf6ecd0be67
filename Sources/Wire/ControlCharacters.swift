import JSON
import RoomModel

/// The characters left out of names and texts (STAGES.md, section 2): U+0000–U+001F, U+007F–U+009F, and those that
/// turn the direction of what follows, U+202A–U+202E and U+2066–U+2069.
extension Text {
  /// The text itself if it holds none; otherwise a copy in `buffer`, in place of the bytes that were there.
  ///
  /// - Parameter lines: Line feeds stay.
  @inline(never) func withoutControls(keptIn buffer: inout ByteBuffer, keeping lines: Bool = false) -> Text {
    guard var next = control(from: 0, keeping: lines) else { return self }
    buffer.removeAll()
    buffer.reserve(count)
    var from = 0
    while true {
      buffer.append(UnsafeRawBufferPointer(rebasing: bytes[from..<next.lowerBound]))
      from = next.upperBound
      guard let following = control(from: from, keeping: lines) else { break }
      next = following
    }
    buffer.append(UnsafeRawBufferPointer(rebasing: bytes[from...]))
    return buffer.text
  }

  /// The bytes of the first such character from a place on.
  private func control(from place: Int, keeping lines: Bool) -> Range<Int>? {
    var i = place
    while i < count {
      let length = controlLength(at: i)
      if length > 0, !lines || bytes[i] != UInt8(ascii: "\n") { return i..<i + length }
      i += 1
    }
    return nil
  }

  /// 0: no such character begins there. Valid UTF-8 has the rest of a character after its first byte.
  private func controlLength(at place: Int) -> Int {
    let bytes = self.bytes
    switch bytes[place] {
    case 0x00...0x1f, 0x7f: return 1
    case 0xc2: return (0x80...0x9f).contains(bytes[place + 1]) ? 2 : 0
    case 0xe2:
      switch (bytes[place + 1], bytes[place + 2]) {
      case (0x80, 0xaa...0xae), (0x81, 0xa6...0xa9): return 3
      default: return 0
      }
    default: return 0
    }
  }
}

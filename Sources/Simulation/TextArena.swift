package import RoomModel

/// Bytes of texts, in chunks that never move: a text is good until `removeAll()`.
package struct TextArena: ~Copyable {
  private var chunks: [UnsafeMutableRawBufferPointer] = []
  private var chunk = 0
  private var used = 0

  private static var chunkSize: Int { 64 * 1024 }

  package init() {}

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  package mutating func removeAll() {
    chunk = 0
    used = 0
  }

  package mutating func keep(_ string: String) -> Text {
    var string = string
    return string.withUTF8 { bytes in
      let target = place(for: bytes.count)
      target.copyMemory(from: UnsafeRawBufferPointer(bytes))
      return Text(start: target.baseAddress!, count: bytes.count)
    }
  }

  /// `prefix` and a number, without making a `String`: every event has an id of its own.
  package mutating func keep(_ prefix: Text, _ number: Int) -> Text {
    let most = prefix.count + 20
    let target = place(for: most)
    target.copyMemory(from: prefix.bytes)
    var digit = most
    var rest = number
    repeat {
      digit -= 1
      target[digit] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    let count = most - digit
    (target.baseAddress! + prefix.count).copyMemory(from: target.baseAddress! + digit, byteCount: count)
    return Text(start: target.baseAddress!, count: prefix.count + count)
  }

  private mutating func place(for count: Int) -> UnsafeMutableRawBufferPointer {
    while chunk < chunks.count {
      if chunks[chunk].count - used >= count {
        defer { used += count }
        return UnsafeMutableRawBufferPointer(rebasing: chunks[chunk][used..<used + count])
      }
      chunk += 1
      used = 0
    }
    chunks.append(.allocate(byteCount: max(count, Self.chunkSize), alignment: 16))
    used = count
    return UnsafeMutableRawBufferPointer(rebasing: chunks[chunk][..<count])
  }
}

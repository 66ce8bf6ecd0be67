internal import CZlib

/// CRC-32, as zlib has it: tells bytes that are not those that were written.
package struct Checksum {
  private(set) var value: UInt32 = 0

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    value = UInt32(
      truncatingIfNeeded: crc32(UInt(value), start.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count)))
  }

  /// Eight hexadecimal digits.
  static func text(of bytes: UnsafeRawBufferPointer) -> String {
    var sum = Checksum()
    sum.add(bytes)
    let digits = String(sum.value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  package static func text(of text: String) -> String {
    var copy = text
    return copy.withUTF8 { Self.text(of: UnsafeRawBufferPointer($0)) }
  }
}

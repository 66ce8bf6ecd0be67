import JSON
import RoomModel
import TestSupport
import Testing

struct ByteBufferTests {
  private func appended(_ append: (inout ByteBuffer) -> Void) -> String {
    var buffer = ByteBuffer(capacity: 1)
    append(&buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  @Test func numbersAreDecimal() {
    var numbers: [Int64] = [0, .min, .max, -1]
    var power: Int64 = 1
    for _ in 0..<18 {
      power *= 10
      numbers += [power - 1, power, power + 1, -power, power / 10 * 7, power / 9 * 8]
    }
    var random = SplitMix64(seed: 1)
    for shift in 0..<63 { numbers.append(Int64(bitPattern: random.next()) >> Int64(shift)) }
    for number in numbers {
      #expect(appended { $0.append(number) } == String(number))
      #expect(appended { $0.append(number.magnitude) } == String(number.magnitude))
    }
    #expect(appended { $0.append(UInt64.max) } == String(UInt64.max))
  }

  @Test func onlyQuotesBackslashesAndControlsAreEscaped() {
    let escapes: [UInt8: String] = [
      0x08: #"\b"#, 0x09: #"\t"#, 0x0a: #"\n"#, 0x0c: #"\f"#, 0x0d: #"\r"#, 0x22: #"\""#, 0x5c: #"\\"#,
      0x00: #"\u0000"#, 0x0b: #"\u000b"#, 0x1f: #"\u001f"#,
    ]
    for byte in UInt8(0)..<128 {
      // At every place of a word, and behind one.
      for before in 0..<17 {
        let filler = String(repeating: "é", count: before / 2) + String(repeating: "x", count: before % 2)
        let text = filler + String(UnicodeScalar(byte)) + "yz"
        let hex = String(byte, radix: 16)
        let escaped = byte < 0x20 ? #"\u00"# + (hex.count < 2 ? "0" : "") + hex : String(UnicodeScalar(byte))
        #expect(
          appended { buffer in text.withText { buffer.appendEscaped($0) } }
            == filler + (escapes[byte] ?? escaped) + "yz")
      }
    }
  }

  @Test func itGrowsAndKeepsWhatItHas() {
    #expect(
      appended { buffer in for i in 0..<1000 { buffer.append(Int64(i % 10)) } }
        == String(repeating: "0123456789", count: 100))
  }
}

extension String {
  func withText<Result>(_ body: (Text) -> Result) -> Result {
    let bytes = Array(utf8)
    return bytes.withUnsafeBytes { body(Text(start: $0.baseAddress ?? Text.empty.start, count: $0.count)) }
  }
}

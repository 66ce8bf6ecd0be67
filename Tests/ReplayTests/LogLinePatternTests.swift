import Replay
import RoomModel
import TestSupport
import Testing
import Wire

/// A reader remembers how a line was written, and so may read the next one without a parser. Nobody must see which.
struct LogLinePatternTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func whatCameBeforeChangesNothing(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var kept = LogLineReader()
    var good = 0
    var recent = [line(&random)]
    for _ in 0..<6_000 {
      // Often one that came before, so that its pattern is known.
      if random.number(0...7) == 0 { recent.append(line(&random)) }
      if recent.count > 3 { recent.removeFirst() }
      var bytes = Array(random.one(of: recent).utf8)
      if random.number(0...2) == 0 { change(&bytes, &random) }
      var fresh = LogLineReader()
      let expected = read(bytes, &fresh)
      #expect(read(bytes, &kept) == expected, "\(String(decoding: bytes, as: UTF8.self))")
      if expected.hasPrefix("{") { good += 1 }
    }
    #expect((1_000..<5_500).contains(good), "\(good)")
  }

  /// As it would be written again, or what is wrong with it.
  private func read(_ bytes: [UInt8], _ reader: inout LogLineReader) -> String {
    bytes.withUnsafeBytes { bytes in
      do throws(BrokenLog) {
        guard let line = try reader.read(bytes) else { return "nothing" }
        var writer = LogLineWriter()
        var again = ByteBuffer()
        writer.write(line, into: &again)
        return again.text.description
      } catch {
        return error.description
      }
    }
  }

  private func line(_ random: inout SplitMix64) -> String {
    func one(of these: String...) -> String { random.one(of: these) }
    let number = random.number(0...9) == 0 ? one(of: "-1", "4294967296", "9223372036854775807", "1.5", "\"7\"") : "7"
    let time = random.number(0...9) == 0 ? one(of: "-5", "9223372036854775807", "null") : "1700000000123"
    let event = one(
      of: #"{"eventId":"e1","roomId":"r1","gift":{"sender":{"userId":"7","name":"阿花"},"giftId":"rose","count":1}}"#,
      #"{"eventId":"e2","roomId":"r1","tap":{"userId":"7","x":5,"y":6}}"#, #"{"a":[{"b":{}}]}"#, "{}", "[1,2]", "null")
    var members = [#""topic":"\#(one(of: "im.gifts", "im.gifts", "a.b", ""))""#, #""partition":\#(number)"#]
    members += [#""offset":\#(random.number(0...1_000_000))"#, #""timestampMs":\#(time)"#]
    members.append(one(of: #""key":"r1""#, #""key":"r1""#, #""key":null"#, #""key":5"#, #""keyBase64":"cjE=""#))
    if random.number(0...7) == 0 {
      members.append(one(of: #""x":{}"#, #""x":3"#, #""value":{"d":1}"#, #""headers":[["a","b"]]"#))
    }
    members.append(#""value":\#(event)"#)
    if random.number(0...7) == 0 {
      members.append(
        one(of: #""x":null"#, #""x":{}"#, #""headers":[]"#, #""headers":[["a","b"]]"#, #""valueText":"t""#))
    }
    if random.number(0...9) == 0 { members.shuffle(using: &random) }
    return "{\(members.joined(separator: random.number(0...9) == 0 ? ", " : ","))}\(one(of: "", "", "", "\r", " "))"
  }

  private func change(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let place = Int(random.number(0...Int64(bytes.count) - 1))
    let byte = Array("\"\\:,{}[]0000123456789 -.ae\u{7}é".utf8)[Int(random.number(0...27))]
    switch random.number(0...3) {
    case 0: bytes[place] ^= 1 << UInt8(random.number(0...7))
    case 1: bytes[place] = byte
    case 2: bytes.insert(byte, at: place)
    default: bytes.remove(at: place)
    }
  }
}

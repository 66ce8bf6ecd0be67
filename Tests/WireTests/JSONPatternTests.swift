import RoomModel
import TestSupport
import Testing
import Wire

/// A decoder remembers how gifts were written, and so may read the next one without a parser. Nobody must see which.
struct JSONPatternTests {
  private static let rounds = 30_000

  @Test(arguments: [1, 2, 3] as [UInt64])
  func whatCameBeforeChangesNothing(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var kept = EventDecoder()
    var recent = [gift(&random)]
    var refused = 0
    for _ in 0..<Self.rounds {
      // Often one that came before, so that its pattern is known.
      let json = Int.random(in: 0..<4, using: &random) == 0 ? gift(&random) : recent.randomElement(using: &random)!
      if recent.count < 6 { recent.append(json) } else { recent[Int.random(in: 0..<6, using: &random)] = json }
      if case .failure = expectTheSame(Array(json.utf8), &kept) { refused += 1 }
    }
    #expect(refused > Self.rounds / 50 && refused < Self.rounds / 2, "\(refused)")
  }

  /// One that was learnt, with a few bytes changed, lost or put in: into what stays of it as into its values.
  @Test(arguments: [4, 5, 6] as [UInt64])
  func noByteIsOverlooked(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var understood = 0
    for _ in 0..<Self.rounds / 10 {
      let json = Array(gift(&random).utf8)
      var kept = EventDecoder()
      expectTheSame(json, &kept)
      for _ in 0..<10 {
        var other = json
        for _ in 0..<(chance(3, &random) ? 3 : 1) { change(&other, &random) }
        if case .success = expectTheSame(other, &kept) { understood += 1 }
      }
    }
    #expect(understood > Self.rounds / 20, "\(understood)")
  }

  /// Bytes are refused if they are no UTF-8 and read if they are, with a parser and without: every sequence of up to
  /// four bytes at the bounds of UTF-8, in short names and within long ones.
  @Test func everyBoundOfUTF8IsKept() {
    let bounds: [UInt8] = [
      0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1,
      0xf3, 0xf4, 0xf5,
    ]
    let long = "花, and more than sixty-four bytes of what hardly any name has so many of"
    var kept = EventDecoder()
    var understood = 0
    for (length, step) in [(1, 1), (2, 1), (3, 1), (4, 13)] {
      let count = (0..<length).reduce(1) { count, _ in count * bounds.count }
      for number in stride(from: 0, to: count, by: step) {
        var rest = number
        var name: [UInt8] = []
        for _ in 0..<length {
          name.append(bounds[rest % bounds.count])
          rest /= bounds.count
        }
        // Sixteen bytes are looked at at once: it lies at each place among them, and across two.
        name = Array(repeating: UInt8(ascii: "a"), count: number % 17) + name
        if number % 5 == 0 { name = Array(long.utf8) + name }
        let before = #"{"roomId":"r1","gift":{"sender":{"userId":"7","name":""#
        let json = Array(before.utf8) + name + Array(#""},"giftId":"rose"}}"#.utf8)
        if case .success = expectTheSame(json, &kept) { understood += 1 }
      }
    }
    #expect(understood > 100, "\(understood)")
  }

  /// Somewhere, at a digit, or near the end.
  private func change(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let digits = bytes.indices.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[$0] }
    let place =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: Int.random(in: bytes.indices, using: &random)
      case 1: digits.randomElement(using: &random) ?? 0
      default: bytes.count - Int.random(in: 1..<4, using: &random)
      }
    let byte = Array("\"\\:,{}[]0000123456789 -.ae\u{7}é\u{10ffff}".utf8).randomElement(using: &random)!
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes[place] ^= 1 << Int.random(in: 0..<8, using: &random)
    case 1: bytes[place] = byte
    case 2: bytes.insert(byte, at: Bool.random(using: &random) ? place : place + 1)
    default: bytes.remove(at: place)
    }
  }

  @discardableResult
  private func expectTheSame(_ json: [UInt8], _ kept: inout EventDecoder) -> Result<String, NotUnderstood> {
    var fresh = EventDecoder()
    let expected = read(json, &fresh)
    #expect(read(json, &kept) == expected, "\(String(decoding: json, as: UTF8.self))")
    return expected
  }

  private func read(_ json: [UInt8], _ decoder: inout EventDecoder) -> Result<String, NotUnderstood> {
    json.withUnsafeBytes { bytes in
      do throws(NotUnderstood) {
        return .success(try decoder.decode(key: nil, value: bytes, contentType: nil, keyRule: .any).json)
      } catch {
        return .failure(error)
      }
    }
  }

  // MARK: Gifts as senders write them, and as nobody should

  private func gift(_ random: inout SplitMix64) -> String {
    var members = [#""roomId":"r1""#, #""gift":\#(body(&random))"#]
    if chance(3, &random) { members.append(#""eventId":\#(value(&random))"#) }
    spoil(&members, &random)
    return object(members, &random)
  }

  private func body(_ random: inout SplitMix64) -> String {
    var sender = [#""userId":"7""#]
    if chance(2, &random) { sender.append(#""name":"Ann\u0001""#) }
    if chance(2, &random) { sender.append(#""avatarUrl":\#(value(&random, of: Self.texts))"#) }
    spoil(&sender, &random)
    var members = [#""sender":\#(object(sender, &random))"#, #""giftId":"rose""#]
    for name in ["receiverId", "streakId"] where chance(2, &random) {
      members.append(#""\#(name)":\#(value(&random))"#)
    }
    if chance(2, &random) { members.append(#""giftName":\#(value(&random, of: Self.texts))"#) }
    for name in ["count", "value", "holdMs"] where chance(2, &random) {
      members.append(#""\#(name)":\#(value(&random, of: Self.numbers))"#)
    }
    spoil(&members, &random)
    return object(members, &random)
  }

  /// With members that nobody knows, or that come again.
  private func spoil(_ members: inout [String], _ random: inout SplitMix64) {
    if chance(8, &random) { members.append(#""unknown":\#(value(&random))"#) }
    if chance(4, &random) { members.append(#""u":[31,"ab",42,"c"]"#) }
    if chance(8, &random) { members.append(#""aNameOfMoreThan15Bytes":[1,{"a":2.5},null]"#) }
    if chance(12, &random) { members.append(members.randomElement(using: &random)!) }
    if chance(24, &random) { members.remove(at: Int.random(in: members.indices, using: &random)) }
  }

  private static let texts = ["\"3\"", "\"\\u00e9\"", "\"of more than eight bytes 花\"", "\"\"", "null"]
  private static let numbers = ["1", "\"3\"", "250", "null"]
  private static let ids = ["1", "\"3\"", "\"\\u00e9\"", "\"é\"", "250", "-7", "18446744073709551615"]

  /// Now and then one that nothing can be.
  private func value(_ random: inout SplitMix64, of values: [String] = Self.ids) -> String {
    (chance(60, &random) ? ["[]", "{}", "true", "1.5"] : values).randomElement(using: &random)!
  }

  private func object(_ members: [String], _ random: inout SplitMix64) -> String {
    let separator = chance(6, &random) ? " ,\n" : ","
    return "{\((chance(3, &random) ? members.shuffled(using: &random) : members).joined(separator: separator))}"
  }

  private func chance(_ oneIn: Int, _ random: inout SplitMix64) -> Bool {
    Int.random(in: 0..<oneIn, using: &random) == 0
  }
}

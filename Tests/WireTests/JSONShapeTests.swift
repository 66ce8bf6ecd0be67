import RoomModel
import TestSupport
import Testing
import Wire

/// A decoder remembers how gifts were built, and so may read the next one another way. Nobody must see which.
struct JSONShapeTests {
  private static let rounds = 30_000

  @Test(arguments: [1, 2, 3] as [UInt64])
  func whatCameBeforeChangesNothing(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var kept = EventDecoder()
    var recent = [gift(&random)]
    var refused = 0
    for _ in 0..<Self.rounds {
      // Often one that came before, so that its shape is known.
      let json = Int.random(in: 0..<4, using: &random) == 0 ? gift(&random) : recent.randomElement(using: &random)!
      if recent.count < 6 { recent.append(json) } else { recent[Int.random(in: 0..<6, using: &random)] = json }
      var fresh = EventDecoder()
      let expected = read(json, &fresh)
      #expect(read(json, &kept) == expected, "\(json)")
      if case .failure = expected { refused += 1 }
    }
    #expect(refused > Self.rounds / 50 && refused < Self.rounds / 2, "\(refused)")
  }

  private func read(_ json: String, _ decoder: inout EventDecoder) -> Result<String, NotUnderstood> {
    var json = json
    return json.withUTF8 { bytes in
      do throws(NotUnderstood) {
        return .success(
          try decoder.decode(
            key: nil, value: UnsafeRawBufferPointer(bytes), contentType: nil, keyRule: .any
          ).json)
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
    if chance(8, &random) { members.append(#""aNameOfMoreThan15Bytes":[1,{"a":2.5},null]"#) }
    if chance(12, &random) { members.append(members.randomElement(using: &random)!) }
    if chance(24, &random) { members.remove(at: Int.random(in: members.indices, using: &random)) }
  }

  private static let texts = ["\"3\"", "\"\\u00e9\"", "\"\"", "null"]
  private static let numbers = ["1", "\"3\"", "250", "null"]
  private static let ids = ["1", "\"3\"", "\"\\u00e9\"", "250"]

  /// Now and then one that nothing can be.
  private func value(_ random: inout SplitMix64, of values: [String] = Self.ids) -> String {
    (chance(60, &random) ? ["[]", "{}", "true", "1.5"] : values).randomElement(using: &random)!
  }

  private func object(_ members: [String], _ random: inout SplitMix64) -> String {
    "{\((chance(3, &random) ? members.shuffled(using: &random) : members).joined(separator: ","))}"
  }

  private func chance(_ oneIn: Int, _ random: inout SplitMix64) -> Bool {
    Int.random(in: 0..<oneIn, using: &random) == 0
  }
}

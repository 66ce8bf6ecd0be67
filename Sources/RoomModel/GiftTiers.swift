/// The worth that combos need for each tier, and how long they stay then (setting `gift.tiers`; STAGES.md, sections 3
/// and 11): `500:2000,5000:4000`.
public struct GiftTiers: Sendable {
  public struct Tier: Equatable, Sendable {
    /// The least; more than that of the tier before.
    public var worth: Int64
    public var holdMs: Milliseconds

    public init(worth: Int64, holdMs: Milliseconds) {
      self.worth = worth
      self.holdMs = holdMs
    }
  }

  /// The first `count` are there; no allocation, since settings are read with every gift.
  public private(set) var entries = InlineArray<16, Tier>(repeating: Tier(worth: .max, holdMs: 0))
  public private(set) var count = 0

  public static let limit = 16
  public static let worths: ClosedRange<Int64> = 1...1_000_000_000_000_000
  public static let holds: ClosedRange<Milliseconds> = 0...1_000_000_000

  /// None.
  public init() {}

  /// Nil if the text says anything else.
  public init?(_ text: Text) {
    if text.isEmpty { return }
    for entry in text.bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let parts = entry.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard parts.count == 2, let worth = number(parts[0]), let holdMs = number(parts[1]),
        append(Tier(worth: worth, holdMs: holdMs))
      else { return nil }
    }
  }

  private mutating func append(_ tier: Tier) -> Bool {
    guard count < Self.limit, Self.worths.contains(tier.worth), Self.holds.contains(tier.holdMs) else { return false }
    if count > 0, tier.worth <= entries[count - 1].worth { return false }
    entries[count] = tier
    count += 1
    return true
  }
}

/// The number that digits spell; nil if it is anything else, or beyond 64 bits.
private func number(_ digits: Slice<UnsafeRawBufferPointer>) -> Int64? {
  if digits.isEmpty { return nil }
  var number: Int64 = 0
  for byte in digits {
    guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
    let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
    let (sum, carry) = tens.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
    if overflow || carry { return nil }
    number = sum
  }
  return number
}

extension GiftTiers: Equatable {
  public static func == (a: GiftTiers, b: GiftTiers) -> Bool {
    a.count == b.count && (0..<a.count).allSatisfy { a.entries[$0] == b.entries[$0] }
  }
}

extension GiftTiers: CustomStringConvertible {
  /// The text as the setting spells it.
  public var description: String {
    (0..<count).map { "\(entries[$0].worth):\(entries[$0].holdMs)" }.joined(separator: ",")
  }
}

import RoomModel

/// One person sending the same gift to the same receiver again and again (STAGES.md, section 3).
struct Combo: ~Copyable {
  enum Phase: Equatable {
    /// Can become: on a lane, or forgotten (skipped).
    case queued
    /// Can become: leaving.
    case onLane(Int32)
    /// Its view is going. Can become: queued, resting.
    case leaving
    /// Can become: queued, or forgotten.
    case resting
  }

  /// It shows what its first gift said.
  let texts: TextPack<8>
  let value: Int64
  /// The time that it stays once all is shown; 0: by its tier.
  let holdMs: Milliseconds
  /// The offset of the event it started with; names it.
  let offset: Int64
  let hash: UInt32
  /// No other gift joins it.
  let isApart: Bool
  var phase = Phase.queued
  /// The number of combos of the room that had queued before it did so the last time.
  var age: Int64 = 0
  var total: Int64
  var shown: Int64
  /// The highest tier that a `giftShow` of it told.
  var toldTier: Int64
  /// It was taken back while its view was there: the view still leaves, and nobody counts to it any more.
  var isTakenBack = false

  init(_ gift: Lent<Gift>, count: Int64, offset: Int64, hash: UInt32) {
    self.init(
      texts: [
        gift.sender.userId, gift.receiverId, gift.giftId, gift.sender.name, gift.sender.avatarUrl, gift.giftName,
        gift.extra, gift.receiverName,
      ],
      value: gift.value, holdMs: gift.holdMs, offset: offset, hash: hash, isApart: gift.apart != 0, total: count,
      shown: 0)
  }

  init(
    texts: InlineArray<8, Text>, value: Int64, holdMs: Milliseconds, offset: Int64, hash: UInt32, isApart: Bool,
    total: Int64, shown: Int64, toldTier: Int64 = 0
  ) {
    self.texts = TextPack(texts)
    self.value = value
    self.holdMs = holdMs
    self.offset = offset
    self.hash = hash
    self.isApart = isApart
    self.total = total
    self.shown = shown
    self.toldTier = toldTier
  }

  static func hash(_ seed: UInt64, userId: Text, receiverId: Text, giftId: Text) -> UInt32 {
    hash(userId: userId, after: Crowd.hash(seed, receiverId: receiverId, giftId: giftId))
  }

  /// - Parameter gift: The hash of what it sends to whom.
  @inline(__always) static func hash(userId: Text, after gift: TextHash) -> UInt32 {
    var hash = gift
    hash.add(userId)
    return hash.value
  }

  @inline(__always) var userId: Text { texts[0] }
  @inline(__always) var receiverId: Text { texts[1] }
  @inline(__always) var giftId: Text { texts[2] }
  var name: Text { texts[3] }
  var avatarUrl: Text { texts[4] }
  var giftName: Text { texts[5] }
  var extra: Text { texts[6] }
  var receiverName: Text { texts[7] }

  @inline(__always) func isOf(_ gift: Lent<Gift>) -> Bool {
    userId == gift.sender.userId && giftId == gift.giftId && receiverId == gift.receiverId
  }

  var gap: Int64 { total - shown }

  var worth: UInt128 { UInt128(value) * UInt128(gap) }

  /// Its tier, of those in force; it may rise while the combo lasts.
  @inline(__always) func tier(_ rules: borrowing Rules) -> Int64 {
    rules.tiers.tier(value: value, total: total)
  }

  var byteCount: Int { texts.byteCount }

  /// The lane that placement `byUser` gives it.
  func ownLane(of lanes: Int64) -> Int32 { Int32(Self.number(ofUser: userId) % UInt64(lanes)) }

  /// The number that digits spell if it is below 2^64, else FNV-1a 64.
  private static func number(ofUser userId: Text) -> UInt64 {
    var number: UInt64 = 0
    for byte in userId.bytes {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return fnv1a(userId.bytes) }
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      if overflow || carry { return fnv1a(userId.bytes) }
      number = sum
    }
    return number
  }
}

extension Combo {
  /// One tick's step towards the total, which is not shown yet. A gap is counted in even steps: none is smaller than the one
  /// before.
  ///
  /// - Parameter step: The step before; 0: there was none.
  mutating func countUp(_ step: inout Int64, _ catchUpTicks: Int64) {
    step = catchUpTicks == 0 ? 1 : max(step, (gap - 1) / catchUpTicks + 1)
    shown += min(step, gap)
  }

  func show(on lane: Int32, tier: Int64, enterMs: Milliseconds, out: inout CommandOutlet) -> GiftShow {
    let kept = texts.views(in: out.keep(texts.whole))
    return GiftShow(
      comboOffset: offset, lane: Int64(lane), sender: Sender(userId: kept[0], name: kept[3], avatarUrl: kept[4]),
      receiverId: kept[1], receiverName: kept[7], giftId: kept[2], giftName: kept[5], value: value, from: shown,
      total: total, enterMs: enterMs, tier: tier, extra: kept[6])
  }
}

import RoomModel

/// An item that waits for the spot (STAGES.md, section 7).
struct SpotItem: ~Copyable {
  let texts: TextPack<12>
  /// The offset of the event that its combo began with; -1: it is of an event of its own.
  let comboOffset: Int64
  /// The event's value, or the price of one gift.
  let value: Int64
  /// The combo's total when it reached `tier`; of an event both are 0.
  let total: Int64
  let tier: Int64
  /// 0: the setting.
  let durationMs: Milliseconds
  let hash: UInt32
  /// The number of items of the room that had queued before.
  var age: Int64 = 0

  init(
    texts: InlineArray<12, Text>, comboOffset: Int64, value: Int64, total: Int64, tier: Int64,
    durationMs: Milliseconds, seed: UInt64
  ) {
    self.texts = TextPack(texts)
    self.comboOffset = comboOffset
    self.value = value
    self.total = total
    self.tier = tier
    self.durationMs = durationMs
    hash = Self.hash(seed, spotId: texts[0])
  }

  init(_ spot: Lent<Spot>, _ rules: borrowing Rules) {
    self.init(
      texts: [
        spot.spotId, spot.kind, spot.sender.userId, spot.sender.name, spot.sender.avatarUrl, .empty, .empty, .empty,
        spot.text, spot.style, spot.extra, .empty,
      ],
      comboOffset: -1, value: spot.value, total: 0, tier: 0, durationMs: spot.durationMs, seed: rules.seed)
  }

  /// A combo has reached a tier.
  init(of combo: borrowing Combo, tier: Int64, _ rules: borrowing Rules) {
    let id = rules.log + "\(combo.offset)~\(tier)".utf8
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: id.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: id)
    self.init(
      texts: [
        Text(start: copy.baseAddress!, count: copy.count), Text("gift"), combo.userId, combo.name, combo.avatarUrl,
        combo.receiverId, combo.giftId, combo.giftName, .empty, .empty, combo.extra, combo.receiverName,
      ],
      comboOffset: combo.offset, value: combo.value, total: combo.total, tier: tier, durationMs: 0, seed: rules.seed)
  }

  static func hash(_ seed: UInt64, spotId: Text) -> UInt32 {
    var hash = TextHash(seed: seed)
    hash.add(spotId)
    return hash.value
  }

  var spotId: Text { texts[0] }
  var kind: Text { texts[1] }
  var userId: Text { texts[2] }
  var name: Text { texts[3] }
  var receiverId: Text { texts[5] }
  var giftId: Text { texts[6] }
  var giftName: Text { texts[7] }
  var text: Text { texts[8] }

  var isOfCombo: Bool { comboOffset >= 0 }

  var worth: UInt128 { isOfCombo ? UInt128(value) * UInt128(total) : UInt128(value) }

  var byteCount: Int { texts.byteCount }

  func show(for durationMs: Milliseconds, out: inout CommandOutlet) -> SpotShow {
    let kept = texts.views(in: out.keep(texts.whole))
    var show = SpotShow()
    show.spotId = kept[0]
    show.kind = kept[1]
    // Its own id begins with that of the combo.
    if isOfCombo { show.comboId = Text(start: kept[0].start, count: kept[0].bytes.lastIndex(of: UInt8(ascii: "~"))!) }
    show.sender = Sender(userId: kept[2], name: kept[3], avatarUrl: kept[4])
    show.receiverId = kept[5]
    show.receiverName = kept[11]
    show.giftId = kept[6]
    show.giftName = kept[7]
    show.value = value
    show.total = total
    show.tier = tier
    show.text = kept[8]
    show.style = kept[9]
    show.durationMs = durationMs
    show.extra = kept[10]
    return show
  }
}

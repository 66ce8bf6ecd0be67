import RoomModel

/// A pin that is shown (STAGES.md, section 12).
struct RoomPin: ~Copyable {
  let texts: TextPack<7>
  let value: Int64
  /// 1: it goes after those that were paid for.
  let first: Int64
  let startMs: LogTime
  let endMs: LogTime
  /// The time when it is told again; `.max`: it ends before.
  private(set) var toldAgainAt: LogTime

  init(_ pin: Lent<Pin>, at now: LogTime, _ rules: borrowing Rules) {
    self.init(
      texts: [
        pin.pinId, pin.sender.userId, pin.sender.name, pin.sender.avatarUrl, pin.text, pin.style, pin.extra,
      ],
      value: pin.value, first: pin.first, startMs: now,
      endMs: now + (pin.durationMs > 0 ? pin.durationMs : rules.pin.durationMs), toldAgainAt: .max)
  }

  init(
    texts: InlineArray<7, Text>, value: Int64, first: Int64, startMs: LogTime, endMs: LogTime, toldAgainAt: LogTime
  ) {
    self.texts = TextPack(texts)
    self.value = value
    self.first = first
    self.startMs = startMs
    self.endMs = endMs
    self.toldAgainAt = toldAgainAt
  }

  var pinId: Text { texts[0] }
  var userId: Text { texts[1] }

  /// It goes before the other, which is younger.
  func goesBefore(_ other: borrowing RoomPin) -> Bool {
    (first, value, endMs) <= (other.first, other.value, other.endMs)
  }

  mutating func show(at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    toldAgainAt = now + rules.pin.refreshMs
    out.tell(.span(.init(.pinRefresh, id: pinId, ms: rules.pin.refreshMs, until: toldAgainAt)))
    if toldAgainAt >= endMs { toldAgainAt = .max }
    let kept = texts.views(in: out.keep(texts.whole))
    var show = PinShow()
    show.pinId = kept[0]
    show.sender = Sender(userId: kept[1], name: kept[2], avatarUrl: kept[3])
    show.text = kept[4]
    show.style = kept[5]
    show.value = value
    show.first = first
    show.startMs = startMs
    show.endMs = endMs
    show.extra = kept[6]
    out.send(.pinShow(out.lend(show)), at: now)
  }
}

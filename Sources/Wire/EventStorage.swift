import RoomModel

/// What an event refers to that does not stand in its record as it is: digits of ids that came as integers, names
/// without their control characters, prizes, a room's own settings, and the larger bodies themselves. All of it is good until the next `reset()`.
struct EventStorage: ~Copyable {
  /// An event has up to six ids. Room for them all is there from the start, so none moves.
  private var digits = ByteBuffer(capacity: 8 * 24)
  private var name = ByteBuffer(capacity: 64)
  private var text = ByteBuffer(capacity: 64)
  private var prizes: UnsafeMutableBufferPointer<Int64>?
  private(set) var prizeCount = 0
  private var body = LendingPlace()
  /// Where the event's gift has its members, if it was read from JSON.
  var giftPlaces: GiftPlaces?

  /// As they were written, each time that a name came.
  private(set) var writtenSettings: [WrittenSetting] = []
  private var settings: UnsafeMutableBufferPointer<RoomSetting.Value>?

  deinit {
    prizes?.deallocate()
    settings?.deallocate()
  }

  mutating func reset() {
    digits.removeAll()
    giftPlaces = nil
    prizeCount = 0
    if !writtenSettings.isEmpty { writtenSettings.removeAll() }
  }

  mutating func lend<Body: BitwiseCopyable>(_ value: Body) -> Lent<Body> { body.lend(value) }

  mutating func digits(of id: Int64) -> Text {
    let start = digits.count
    digits.append(id)
    return Text(start: digits.base + start, count: digits.count - start)
  }

  mutating func digits(of id: UInt64) -> Text {
    let start = digits.count
    digits.append(id)
    return Text(start: digits.base + start, count: digits.count - start)
  }

  /// An event has one name (of its sender) that may need this, and one other text.
  mutating func stripName(_ text: inout Text) {
    if text.mayHoldControls { text = text.withoutControls(keptIn: &name) }
  }

  mutating func stripText(_ other: inout Text) {
    if other.mayHoldControls { other = other.withoutControls(keptIn: &text) }
  }

  /// What is beyond the limit is counted and otherwise left out.
  mutating func appendPrize(_ prize: Int64) {
    if prizes == nil { prizes = .allocate(capacity: EventRules.prizeLimit) }
    if prizeCount < EventRules.prizeLimit { prizes![prizeCount] = prize }
    prizeCount += 1
  }

  mutating func removePrizes() { prizeCount = 0 }

  mutating func append(_ setting: WrittenSetting) { writtenSettings.append(setting) }

  mutating func removeSettings() { writtenSettings.removeAll() }

  /// No more than there are of them.
  mutating func keep(_ values: [RoomSetting.Value]) -> UnsafeBufferPointer<RoomSetting.Value> {
    let kept = settings ?? .allocate(capacity: RoomSetting.allCases.count)
    settings = kept
    for (place, value) in values.enumerated() { kept.initializeElement(at: place, to: value) }
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(kept).prefix(values.count))
  }

  var keptPrizes: UnsafeBufferPointer<Int64> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(prizes ?? .init(start: nil, count: 0)).prefix(prizeCount))
  }
}

/// A member of `set` as it came.
struct WrittenSetting {
  enum Value {
    case integer(Int64)
    case text(Text)
    /// What no setting is, as messages show it.
    case other(String)
  }

  var name: Text
  var value: Value
}

import JSON
import RoomModel

/// Values of an event that do not stand in its record as they are: digits of ids that came as integers, names
/// without their control characters, lists, a room's own settings, a body that came in parts, and the larger bodies
/// themselves. All of it is good until the next `reset()`.
struct EventStorage: ~Copyable {
  /// An event has up to eight ids beside those of a list. Room for them all is there from the start, so none moves.
  private var digits = ByteBuffer(capacity: (8 + Goal.sideLimit) * 24)
  private var name = ByteBuffer(capacity: 64)
  private var text = ByteBuffer(capacity: 64)
  private var receiver = ByteBuffer(capacity: 64)
  private var joined = ByteBuffer(capacity: 64)
  private var integers: UnsafeMutableBufferPointer<Int64>?
  private(set) var integerCount = 0
  private var points = UnsafeMutableBufferPointer<Point>.allocate(capacity: Taps.pointLimit)
  private(set) var pointCount = 0
  private var ids = UnsafeMutableBufferPointer<Text>.allocate(capacity: Goal.sideLimit)
  private(set) var idCount = 0
  private var body = LendingPlace()
  /// The places of the gift's members, if it was read from JSON.
  private(set) var giftPlaces = GiftPlaces()
  private(set) var hasGiftPlaces = false

  /// The members of `set` as they were written, also a name that came twice.
  private(set) var writtenSettings: [WrittenSetting] = []
  private var settings: UnsafeMutableBufferPointer<RoomSetting.Value>?

  deinit {
    integers?.deallocate()
    points.deallocate()
    ids.deallocate()
    settings?.deallocate()
  }

  mutating func reset() {
    digits.removeAll()
    hasGiftPlaces = false
    integerCount = 0
    pointCount = 0
    idCount = 0
    if !writtenSettings.isEmpty { writtenSettings.removeAll() }
  }

  mutating func note(_ places: GiftPlaces) {
    giftPlaces = places
    hasGiftPlaces = true
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

  var digitCount: Int { digits.count }

  /// Forgets those that were made after there were `count` bytes of them: what they were read of is read again.
  mutating func forgetDigits(after count: Int) { digits.removeAll(after: count) }

  @inline(__always) mutating func strip(_ text: inout Text, _ drawn: DrawnText) {
    if !text.mayHoldControls { return }
    switch drawn {
    case .name: text = text.withoutControls(keptIn: &name)
    case .text: text = text.withoutControls(keptIn: &self.text)
    case .lines: text = text.withoutControls(keptIn: &self.text, keeping: true)
    case .receiver: text = text.withoutControls(keptIn: &receiver)
    }
  }

  /// Joins bytes, of which the first may be the result of an earlier join.
  mutating func join(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    if first.baseAddress != joined.base {
      joined.removeAll()
      joined.append(first)
    }
    joined.append(second)
    return joined.bytes
  }

  /// Appends an integer. One beyond the limit is counted and otherwise left out.
  mutating func append(_ integer: Int64, limit: Int) {
    if integers == nil { integers = .allocate(capacity: limit) }
    if integerCount < limit { integers![integerCount] = integer }
    integerCount += 1
  }

  mutating func removeIntegers() { integerCount = 0 }

  /// Appends a point. One beyond the limit is counted and otherwise left out.
  mutating func append(_ point: Point) {
    if pointCount < points.count { points[pointCount] = point }
    pointCount += 1
  }

  mutating func removePoints() { pointCount = 0 }

  /// Appends an id of a list. One beyond the limit is counted and otherwise left out.
  mutating func append(_ id: Text) {
    if idCount < ids.count { ids[idCount] = id }
    idCount += 1
  }

  mutating func removeIds() { idCount = 0 }

  var hasRoomForId: Bool { idCount < ids.count }

  /// No more than the limit.
  var keptPoints: UnsafeMutableBufferPointer<Point> {
    UnsafeMutableBufferPointer(rebasing: points.prefix(min(pointCount, points.count)))
  }

  /// No more than the limit.
  var keptIds: UnsafeBufferPointer<Text> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(ids).prefix(min(idCount, ids.count)))
  }

  mutating func append(_ setting: WrittenSetting) { writtenSettings.append(setting) }

  mutating func removeSettings() { writtenSettings.removeAll() }

  /// No more than there are of them.
  mutating func keep(_ values: [RoomSetting.Value]) -> UnsafeBufferPointer<RoomSetting.Value> {
    let kept = settings ?? .allocate(capacity: RoomSetting.allCases.count)
    settings = kept
    for (place, value) in values.enumerated() { kept.initializeElement(at: place, to: value) }
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(kept).prefix(values.count))
  }

  var keptIntegers: UnsafeBufferPointer<Int64> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(integers ?? .init(start: nil, count: 0)).prefix(integerCount))
  }
}

/// A member of `set` as it came.
struct WrittenSetting {
  enum Value {
    case integer(Int64)
    case text(Text)
    /// A value that no setting has, as messages show it.
    case other(String)
  }

  var name: Text
  var value: Value
}

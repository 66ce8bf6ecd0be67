import RoomModel

/// A name or a text as banners show it: cut where it is too long, never within what readers see as one character
/// (STAGES.md, section 4).
struct WishText {
  /// The part that is shown.
  let kept: Text
  /// `…` where something was cut off.
  let ellipsis: Text

  /// `limit`: how many scalars it may have, 2 or more.
  init(_ text: Text, limit: Int64) {
    guard text.count > limit else {
      kept = text
      ellipsis = .empty
      return
    }
    var scalars = Scalars(of: text)
    var count: Int64 = 0
    var previous: UInt32 = 0
    // Regional indicators since the run of them began.
    var indicators = 0
    var allowed: Int?
    var latest = 0
    while let scalar = scalars.next() {
      if count == limit {
        kept = Text(start: text.start, count: allowed ?? latest)
        ellipsis = Text("…")
        return
      }
      let place = scalars.placeOfLast
      if count > 0 {
        let isWithinPair = isRegionalIndicator(scalar) && !indicators.isMultiple(of: 2)
        if !joinsWhatIsBefore(scalar), previous != 0x200D, !isWithinPair { allowed = place }
        latest = place
      }
      indicators = isRegionalIndicator(scalar) ? indicators + 1 : 0
      previous = scalar
      count += 1
    }
    kept = text
    ellipsis = .empty
  }
}

private func isRegionalIndicator(_ scalar: UInt32) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar) }

private func joinsWhatIsBefore(_ scalar: UInt32) -> Bool {
  switch scalar {
  case 0x0300...0x036F, 0x200B...0x200F, 0x20E3, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F: true
  default: false
  }
}

/// The Unicode scalars of a text, which must be UTF-8.
struct Scalars: IteratorProtocol {
  private let text: Text
  private var place = 0
  /// The place where the scalar that came last begins.
  private(set) var placeOfLast = 0

  init(of text: Text) { self.text = text }

  mutating func next() -> UInt32? {
    guard place < text.count else { return nil }
    placeOfLast = place
    let first = byte()
    switch first {
    case 0..<0x80: return first
    case 0..<0xE0: return (first & 0x1F) << 6 | byte() & 0x3F
    case 0..<0xF0: return (first & 0x0F) << 12 | (byte() & 0x3F) << 6 | byte() & 0x3F
    default: return (first & 0x07) << 18 | (byte() & 0x3F) << 12 | (byte() & 0x3F) << 6 | byte() & 0x3F
    }
  }

  private mutating func byte() -> UInt32 {
    guard place < text.count else { return 0 }
    defer { place += 1 }
    return UInt32(text.bytes[place])
  }
}

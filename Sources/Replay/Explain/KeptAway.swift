import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// Events that a retract keeps away from then on: all of a muted user, or a wish or an item that comes only later.
struct KeptAway {
  fileprivate enum Whose: Hashable {
    case user(ID)
    case wish(ID)
    case spot(ID)
    case pin(ID)

    /// Nil: it takes back what is there, and remembers nothing.
    init?(_ retract: Retract) {
      switch retract.what {
      case .user(let id, _): self = .user(ID(id))
      case .wish(let id): self = .wish(ID(id))
      case .spot(let id): self = .spot(ID(id))
      case .pin(let id): self = .pin(ID(id))
      case .combo, .goal: return nil
      }
    }
  }

  fileprivate let whose: Whose
  let until: LogTime
  /// The count of events of each kind, in words; and the gifts of all.
  private var counts: [(kind: String, count: Int)] = []
  private var units: Int64 = 0
  private var some: [String] = []

  private static var most: Int { 6 }

  /// Nil: it remembers nothing.
  ///
  /// - Parameter taken: A pin that it took may be pinned again.
  init?(_ retract: Retract, took taken: RemovedItems, at: LogTime, rememberedMs: Milliseconds) {
    guard let whose = Whose(retract) else { return nil }
    if case .pin = whose, !taken.pins.isEmpty { return nil }
    var spanMs = rememberedMs
    if case .user(_, let muteMs) = retract.what { spanMs = muteMs }
    if spanMs <= 0 { return nil }
    self.whose = whose
    until = at + spanMs
  }

  /// Whether another retract of the same takes its place.
  func isReplaced(by retract: Retract) -> Bool { Whose(retract) == whose }

  fileprivate func matches(_ event: RoomEvent) -> Bool {
    switch whose {
    case .user(let id): return event.userId.map { id == $0 } ?? false
    case .wish(let id):
      guard case .wish(let wish) = event.body else { return false }
      return id == wish.wishId
    case .spot(let id):
      guard case .spot(let spot) = event.body else { return false }
      return id == spot.spotId
    case .pin(let id):
      guard case .pin(let pin) = event.body else { return false }
      return id == pin.pinId
    }
  }

  /// - Parameter units: the gifts of it that are not shown.
  mutating func note(_ event: RoomEvent, units: Int64, _ record: SeenRecord) {
    guard matches(event) else { return }
    let kind = event.kindWords
    if let index = counts.firstIndex(where: { $0.kind == kind }) {
      counts[index].count += 1
    } else {
      counts.append((kind, 1))
    }
    if case .gift = event.body { self.units += units }
    if some.count < Self.most { some.append("\(event.words) (\(record.name))") }
  }

  /// `3 gifts (×12 in all), 1 wish`; nil: nothing.
  var countWords: String? {
    if counts.isEmpty { return nil }
    return counts.map { kind, count in
      let words =
        switch kind {
        case "like of a wish": count == 1 ? kind : "likes of wishes"
        default: "\(plural(kind))"
        }
      let all = kind == "gift" ? " (×\(units) in all)" : ""
      return "\(count) \(count == 1 ? kind : words)\(all)"
    }.joined(separator: ", ")
  }

  /// The words for a line: up to that time, at which it is over, or the log ends.
  func words(upTo now: LogTime, isOver: Bool) -> String {
    let span = isOver ? "until \(min(now, until).clock)" : "so far, and goes on until \(until.clock)"
    guard let countWords else { return "kept nothing away \(span)" }
    let count = counts.reduce(0) { $0 + $1.count }
    return "kept away \(span): \(countWords): " + some.joined(separator: "; ")
      + (count > some.count ? "; … and \(count - some.count) more" : "")
  }
}

/// The retracts that a room remembers, to name the one that keeps an event away.
struct RememberedRetracts {
  private var all: [(kept: KeptAway, record: SeenRecord)] = []

  mutating func note(
    _ retract: Retract, took taken: RemovedItems, _ record: SeenRecord, at: LogTime, rememberedMs: Milliseconds
  ) {
    let kept = KeptAway(retract, took: taken, at: at, rememberedMs: rememberedMs)
    // A retract of a pin that it took leaves what is remembered as it was.
    all.removeAll { $0.kept.until <= at || $0.kept.isReplaced(by: retract) && (kept != nil || taken.pins.isEmpty) }
    if let kept { all.append((kept, record)) }
  }

  /// `its user is muted by im.gifts/0/17 until 20:31:02.550`
  func words(for event: RoomEvent, at: LogTime) -> String {
    guard let (kept, record) = all.last(where: { $0.kept.until > at && $0.kept.matches(event) }) else {
      return "its user is muted, or it was taken back before it came, by a retract before this piece of the log"
    }
    if case .user = kept.whose { return "its user is muted by \(record.name) until \(kept.until.clock)" }
    return "it was taken back before it came, by \(record.name)"
  }
}

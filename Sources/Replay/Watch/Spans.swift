import RoomModel
import RoomScreen
import Wire

/// The times that began in a watched room, by the values that settings had then: a later deadline has no other trace of
/// them.
struct Spans {
  struct Span {
    /// Nil: it began before this piece of the log.
    let ms: Milliseconds?
    let origin: Decision.Span.Origin

    /// `, 1000`, for the parentheses behind a setting's name; empty if it isn't known.
    var afterComma: String { ms.map { ", \($0)" } ?? "" }
    /// ` (1000)`, the same.
    var inParentheses: String { ms.map { " (\($0))" } ?? "" }
  }

  private struct Key: Hashable {
    let kind: Decision.Span.Kind
    let number: Int64
    let id: ID
  }

  private var all: [Key: (span: Span, until: LogTime)] = [:]
  private var limit = 256

  subscript(_ kind: Decision.Span.Kind, _ number: Int64 = 0, id id: ID = "") -> Span {
    all[Key(kind: kind, number: number, id: id)]?.span ?? Span(ms: nil, origin: .setting)
  }

  /// The wait of an item that is no longer queued.
  func wait(of item: SkippedItem) -> Span {
    switch item.stage {
    case .gift: self[.giftWait, item.offset]
    // It waits for nothing.
    case .pin: Span(ms: nil, origin: .setting)
    case .wish: self[.wishWait, id: ID(item.id)]
    // Another item of a combo takes the place of the one before, and its wait.
    case .spot: item.offset >= 0 ? self[.spotWait, item.offset] : self[.spotWait, id: ID(item.id)]
    }
  }

  mutating func learn(_ decisions: some Sequence<Decision>, at now: LogTime) {
    for decision in decisions {
      guard case .span(let span) = decision else { continue }
      all[Key(kind: span.kind, number: span.number, id: ID(span.id))] =
        (Span(ms: span.ms, origin: span.origin), span.until)
    }
    guard all.count > limit else { return }
    // An hour later no item is there any more that it was of.
    all = all.filter { $0.value.until > now - 3_600_000 }
    limit = max(256, 2 * all.count)
  }
}

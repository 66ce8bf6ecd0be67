import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Wire

/// One thing that happened to a watched room, and the commands that came of it at once. Texts of the event, the
/// commands and the decisions are good while the step is looked at.
struct RoomStep {
  enum Cause {
    /// A record with an event of this room.
    case event(RoomEvent, SeenRecord, Arrival)
    /// The timer as it was before it fired.
    case timer(TimerPicture)
    case settings(LogSettings)
  }

  let at: LogTime
  let cause: Cause
  /// The room before the step; nil: the observer didn't want it.
  let before: RoomPicture?
  let commands: [RoomCommand]
  let decisions: [Decision]
  /// Those that began before the step.
  let spans: Spans
}

extension RoomStep {
  /// Items that were skipped at once, or joined a crowd.
  var skips: [SkippedItem] { decisions.compactMap(\.skip) }

  /// The cause of a `giftHide` or a `wishGone` that came of this step.
  var hideCause: Decision.HideCause {
    for decision in decisions {
      switch decision {
      case .hidden(let cause, _): return cause
      case .removed(_, let reason): return reason == .ended ? .ended : .retracted
      default: continue
      }
    }
    return .hold
  }
}

extension RoomStep {
  /// The combo for which a view made room, by its offset; nil: there is none.
  var awaited: Int64? {
    for case .hidden(_, let combo) in decisions where combo >= 0 { return combo }
    return nil
  }

  /// The step's own event came of a muted user, or was taken back before it came: `units` of that stage are skipped (gifts,
  /// or 1 a wish, item or pin), or, nil, it is ignored. Nil: neither.
  var takenBack: (stage: Skipped.Stage?, units: Int64)? {
    guard case .event(let event, _, .decided) = cause else { return nil }
    for decision in decisions {
      if case .muted = decision { return (nil, 0) }
      guard let item = decision.skip, item.reason == .retracted, item.stage == event.body.stage else { continue }
      return (item.stage, item.units)
    }
    return nil
  }

  /// The combo that the step's gift counts to, by its offset; nil: it is no gift, or nothing of it counts.
  var gift: (combo: Int64, count: Int64, was: Decision.ComboPlace)? {
    for case .gift(let combo, let count, let was) in decisions { return (combo, count, was) }
    return nil
  }

  /// What the step's grab found.
  var grab: Decision.GrabFate? {
    for case .grab(let grab) in decisions { return grab }
    return nil
  }

  /// What became of the wish, item or rain that the step's event named.
  var item: Decision.ItemFate? {
    guard case .event(let event, _, .decided) = cause else { return nil }
    switch event.body {
    // What a gift brings to the spot is not the event's own.
    case .wish, .wishLike, .spot, .rainStart: break
    default: return nil
    }
    for case .item(let item) in decisions { return item }
    return nil
  }

  /// What was decided about the pin of this id.
  func fate(ofPin id: Text) -> Decision.PinFate? {
    for case .pin(let pin) in decisions where pin.id == id { return pin }
    return nil
  }

  /// What was decided about goals.
  var goals: [Decision.GoalFate] {
    decisions.compactMap { if case .goal(let goal) = $0 { goal } else { nil } }
  }
}

extension RoomEvent.Body {
  /// The stage whose skips are of such events.
  fileprivate var stage: Skipped.Stage? {
    switch self {
    case .gift: .gift
    case .wish: .wish
    case .spot: .spot
    case .pin: .pin
    default: nil
    }
  }
}

/// A record of the log, without its contents.
struct SeenRecord: Equatable {
  /// `topic/partition/offset`.
  let name: String
  let offset: Int64
  /// Kafka's.
  let timestampMs: LogTime
  /// Nil: it is in the project's own form, or nobody asked.
  var message: ForeignMessage?
}

/// A message of a platform's own, for people.
package struct ForeignMessage: Equatable, Encodable, Sendable {
  let cameAs: String
  /// The event in the project's own JSON, as the topic's mapping reads it; nil: it can't.
  let readAs: String?
}

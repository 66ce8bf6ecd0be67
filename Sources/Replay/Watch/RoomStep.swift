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
      case .hidden(let cause): return cause
      case .removed(_, let reason): return reason == .ended ? .ended : .retracted
      case .span, .skipped, .bannerStarted: continue
      }
    }
    return .hold
  }
}

/// A record of the log, without its contents.
struct SeenRecord: Equatable {
  /// `topic/partition/offset`.
  let name: String
  let offset: Int64
  /// Kafka's.
  let timestampMs: LogTime
}

import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Wire

/// One thing that happened to a watched room, and the commands that came of it at once. Texts of the event and of the
/// commands are good while the step is looked at.
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
  /// Items that were skipped at once, or joined a crowd; their texts are good while the step is looked at.
  let skips: [SkippedItem]
}

extension RoomStep {
  /// Reasons for hiding a gift view.
  enum HideCause: String {
    /// All it got was shown, and its hold ran out.
    case hold
    /// Its turn was over, and others waited.
    case turn
    /// A combo of a higher tier waited for its lane.
    case dearer
    /// It was taken back.
    case retracted
    /// The room ended.
    case ended
  }

  /// The cause of a `giftHide` that came of this step.
  var hideCause: HideCause {
    switch cause {
    case .event(_, _, .retract): return .retracted
    case .event(_, _, .roomEnd): return .ended
    case .event, .settings: return .hold
    case .timer(let timer) where timer.kind == .tick:
      guard case .onLane(_, _, _, let turnEndsAt, _, _)? = timer.combo?.place else { return .turn }
      return timer.deadline < turnEndsAt ?? .max ? .dearer : .turn
    case .timer: return .hold
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
}

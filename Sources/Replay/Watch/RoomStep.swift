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
    case .event(_, _, .duplicate), .event(_, _, .known), .event(_, _, .gift), .event(_, _, .wish),
      .event(_, _, .equalWish), .event(_, _, .like), .event(_, _, .tap), .event(_, _, .rainStart),
      .event(_, _, .rainGrab), .event(_, _, .spot), .event(_, _, .takenBack), .event(_, _, .roomSettings), .settings:
      return .hold
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

/// The immediate effect of an event on its room.
enum Arrival {
  case duplicate
  /// The state that the replay began with was written later, and has it.
  case known
  /// `count`: how many of it arrived, 0 if its streak had them all. `before` and `after` are the combo it counts to,
  /// nil where there was none, and where it was skipped.
  case gift(count: Int64, before: ComboPicture?, after: ComboPicture?, skipped: [SkippedCombo])
  /// `before`: it was there already. `after` nil: it was skipped.
  case wish(before: WishPicture?, after: WishPicture?)
  /// The wish of which it is a like, before and after.
  case equalWish(before: WishPicture, after: WishPicture?)
  /// The wish that is liked; nil: there is none.
  case like(before: WishPicture?, after: WishPicture?)
  /// `before`: when the user's last tap stopped counting, or stops; nil: there was none that could.
  case tap(isLike: Bool, before: LogTime?)
  /// The rain of that id before and after; one that is there before runs already, and none after: its id came too
  /// recently, or as many run as may (`isFull`).
  case rainStart(before: RainPicture?, after: RainPicture?, isFull: Bool)
  case rainGrab(GrabMoment)
  /// `before`: an item of that id was there already. `after` nil: it was skipped.
  case spot(before: SpotPicture?, after: SpotPicture?)
  /// Its user is muted, or it was taken back before it came: so many gifts, or 1 a wish or item of the spot, are skipped.
  /// Likes and taps are ignored: 0.
  case takenBack(units: Int64)
  /// Items that it takes back, as they were.
  case retract(combos: [ComboPicture], wishes: [WishPicture], spots: [SpotPicture])
  /// Items that end, as they were.
  case roomEnd(combos: [ComboPicture], wishes: [WishPicture], spots: [SpotPicture])
  /// The room's own settings as they were before.
  case roomSettings(before: OwnSettingsPicture?)
}

/// A grab: the packet that it found, and its result.
struct GrabMoment {
  /// Nil: no such rain runs.
  let rain: RainPicture?
  /// The packet as it was when the grab came; nil: the rain has no such packet.
  let packet: PacketPicture?
  let outcome: GrabResult.Outcome
  let coins: Int64
}

/// A combo that was skipped for too many being queued, or that joined a crowd.
struct SkippedCombo {
  let offset: Int64
  let userId: ID
  let name: String
  let giftId: ID
  let giftName: String
  /// Its gifts that were not shown.
  let units: Int64
  /// Nil: there was none for it.
  let crowd: Int64?

  init(_ item: SkippedItem) {
    offset = item.offset
    userId = ID(item.userId)
    name = item.name.description
    giftId = ID(item.giftId)
    giftName = item.giftName.description
    units = item.units
    crowd = item.crowdOffset
  }
}

import JSON
import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// What a record's event did at once, beside what the step's decisions tell.
enum Arrival {
  case duplicate
  /// The state that the replay began with was written later, and has it.
  case known
  /// - Parameter tapUntil: A tap had to come before then to be a like. The engine forgets a tap whose time is over before
  ///   it looks at the next; nil: it is no tap, or none before it was remembered.
  case decided(tapUntil: LogTime?)
  /// Items that it takes back, as they were.
  case retract(RemovedItems)
  /// Items that end, as they were.
  case roomEnd(RemovedItems)
  /// The room's own settings as they were before.
  case roomSettings(before: OwnSettingsPicture?)
}

/// A combo that was skipped, or that joined a crowd.
struct SkippedCombo {
  let offset: Int64
  let userId: ID
  /// Its gifts that were not shown.
  let units: Int64
  /// Nil: there was none for it.
  let crowd: Int64?
  let limit: Int64
  let crowdWords: String

  init(_ item: SkippedItem) {
    offset = item.offset
    userId = ID(item.userId)
    units = item.units
    crowd = item.crowdOffset
    limit = item.limit
    crowdWords = item.crowdWords
  }
}

extension RoomWatch {
  /// Plays the event.
  mutating func arrive(_ event: RoomEvent, _ record: LogRecord, in partition: PartitionReplay) -> Arrival {
    let room = room.text
    var before: RoomPicture?
    var tapUntil: LogTime?
    switch event.body {
    case .retract, .roomSettings, .roomEnd: before = partition.engine.picture(of: room)
    case .tap(let tap): tapUntil = partition.engine.nextTapIsLikeUntil(of: room, user: tap.userId)
    // Decisions tell all of the others.
    default: break
    }
    let isKnown = partition.engine.knows(room, record: record.offset)
    let applied = partition.engine.apply(
      offset: record.offset, timestampMs: record.timestampMs, event: event, into: &batch)
    if applied == .duplicate { return .duplicate }
    if isKnown { return .known }
    switch event.body {
    case .retract: return .retract(RemovedItems(of: batch.decisions, before!))
    case .roomEnd: return .roomEnd(RemovedItems(of: batch.decisions, before!))
    case .roomSettings: return .roomSettings(before: before?.own)
    default: return .decided(tapUntil: tapUntil)
    }
  }
}

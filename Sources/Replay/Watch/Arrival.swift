import JSON
import RoomEngine
import RoomModel
import RoomScreen
import Wire

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

extension RoomWatch {
  mutating func apply(
    _ record: LogRecord, _ event: RoomEvent?, in partition: PartitionReplay
  ) -> PartitionLog.Applied {
    partition.engine.apply(offset: record.offset, timestampMs: record.timestampMs, event: event, into: &batch)
  }

  /// - Parameter arrival: the effect of the event, by the room as it stands after it.
  mutating func play(
    _ event: RoomEvent, _ record: LogRecord, in partition: PartitionReplay,
    _ arrival: (borrowing CommandBatch) -> Arrival
  ) -> Arrival {
    let isKnown = partition.engine.knows(room.text, record: record.offset)
    if apply(record, event, in: partition) == .duplicate { return .duplicate }
    return isKnown ? .known : arrival(batch)
  }

  /// Nil: it was not taken back before it came. A grab never is.
  mutating func arriveTakenBack(
    _ event: RoomEvent, _ record: LogRecord, at: LogTime, in partition: PartitionReplay
  ) -> Arrival? {
    if case .rainGrab = event.body { return nil }
    let room = room.text
    let isMuted = event.body.user.map { partition.engine.isMuted($0, in: room, at: at) } ?? false
    guard isMuted || partition.engine.isTakenBack(event.body, in: room, at: at) else { return nil }
    return play(event, record, in: partition) { batch in
      let skips = batch.decisions.compactMap(\.skip).filter { $0.reason == .retracted }
      return .takenBack(skips.first?.stage, units: skips.reduce(0) { $0 &+ $1.units })
    }
  }
}

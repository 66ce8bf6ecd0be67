import RoomEngine
import RoomModel

/// A room's gift stage just before a gift arrives, as far as it is needed to say what the gift does.
struct GiftMoment {
  private let combo: ComboPicture?
  private let queue: Queue
  /// Skipped for a full queue, and not yet reported.
  private let unreported: Int64

  private enum Queue {
    case hasRoom
    /// Of all that are queued, only this one may be skipped.
    case isFull(weakest: ComboPicture?)
    /// Its limit was greater before, so more than one may be skipped.
    case isTooLong(RoomPicture)
  }

  init(_ gift: Lent<Gift>, of room: Text, in partition: borrowing PartitionLog) {
    combo = partition.combo(of: room, for: gift)
    let queued = partition.queueLengths(of: room).combos
    let limit = Int(partition.settings.gift.queueLimit)
    if queued < limit {
      queue = .hasRoom
    } else if queued == limit {
      queue = .isFull(weakest: partition.weakestCombo(of: room))
    } else {
      queue = .isTooLong(partition.picture(of: room))
    }
    unreported = queued < limit ? 0 : partition.untoldOverflow(of: room)
  }

  func arrival(
    of gift: Lent<Gift>, offset: Int64, in room: Text, _ partition: borrowing PartitionLog, _ commands: [RoomCommand]
  ) -> Arrival {
    let after = partition.combo(of: room, for: gift)
    let count = after.map { $0.offset == combo?.offset ? $0.total - combo!.total : $0.total }
    if case .hasRoom = queue { return .gift(count: count ?? 0, before: combo, after: after, skipped: []) }

    // A sum that is too large may be anything here: no gifts of a real log are so many.
    let units = reportedUnits(commands, room) &+ partition.untoldOverflow(of: room) &- unreported
    if let count {
      return .gift(count: count, before: combo, after: after, skipped: units > 0 ? others(room, partition) : [])
    }
    var skipped = units > 0 && isTooLong ? others(room, partition) : []
    let own = units &- skipped.reduce(0) { $0 &+ $1.units }
    // A streak that brought nothing leaves all as it was, and there is no combo that it belongs to.
    guard own > 0 else { return .gift(count: 0, before: combo, after: nil, skipped: []) }
    skipped.append(combo.map { SkippedCombo($0, units: own) } ?? SkippedCombo(gift, offset: offset, units: own))
    return .gift(count: own - (combo?.gap ?? 0), before: combo, after: nil, skipped: skipped)
  }

  private var isTooLong: Bool {
    if case .isTooLong = queue { return true }
    return false
  }

  /// Combos that were queued before and are gone.
  private func others(_ room: Text, _ partition: borrowing PartitionLog) -> [SkippedCombo] {
    switch queue {
    case .hasRoom: return []
    case .isFull(let weakest): return weakest.map { [SkippedCombo($0)] } ?? []
    case .isTooLong(let before):
      let now = partition.picture(of: room)
      let still = Set((now.queue + now.lanes.compactMap { $0 }).map(\.offset))
      return before.queue.filter { !still.contains($0.offset) && $0.offset != combo?.offset }.map { SkippedCombo($0) }
    }
  }

  private func reportedUnits(_ commands: [RoomCommand], _ room: Text) -> Int64 {
    commands.reduce(0) { sum, command in
      guard command.roomId == room, case .skipped(let skipped) = command.body, skipped.stage == .gift,
        skipped.reason == .overflow
      else { return sum }
      return sum &+ skipped.units
    }
  }
}

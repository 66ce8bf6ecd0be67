import RoomEngine
import RoomModel

/// A room's gift stage just before a gift arrives, as far as it is needed to say what the gift does.
struct GiftMoment {
  private let combo: ComboPicture?

  init(_ gift: Lent<Gift>, of room: Text, in partition: borrowing PartitionLog) {
    combo = partition.combo(of: room, for: gift)
  }

  /// - Parameter decisions: Those of the room that came of the gift and of nothing else.
  func arrival(
    of gift: Lent<Gift>, offset: Int64, in room: Text, _ partition: borrowing PartitionLog,
    _ decisions: some Sequence<Decision>
  ) -> Arrival {
    let after = partition.combo(of: room, for: gift)
    let skipped = decisions.compactMap(\.skip).filter { $0.stage == .gift && $0.reason == .overflow }
      .map { SkippedCombo($0) }
    if let after {
      let count = after.offset == combo?.offset ? after.total - combo!.total : after.total
      return .gift(count: count, before: combo, after: after, skipped: skipped)
    }
    // A streak that brought nothing leaves all as it was, and there is no combo that it belongs to.
    let own = skipped.first { $0.offset == combo?.offset ?? offset }
    return .gift(count: (own?.units ?? 0) - (combo?.gap ?? 0), before: combo, after: nil, skipped: skipped)
  }
}

internal import RoomEngine
internal import RoomModel
package import RoomScreen
import Wire

/// Gifts and wishes of a run: shown, skipped, and how long they waited.
package struct ShowStatistics: Sendable {
  /// Counts of one kind of gift, or of all wishes.
  package struct Row: Equatable, Sendable {
    package var name = ""
    /// Gifts that were drawn, wishes that flew.
    package var shown: Int64 = 0
    /// Gifts that joined a crowd.
    package var joined: Int64 = 0
    package var skipped: Int64 = 0
    /// The waits from a combo's or a wish's arrival until it is first seen, but for those that were queued where the
    /// log begins.
    package var waits = WaitTimes()

    package init() {}
  }

  /// The rows of gifts, by `giftId`.
  package private(set) var gifts: [ID: Row] = [:]
  package private(set) var wishes = Row()
  /// Items of the spot.
  package private(set) var spots = Row()
  /// Gifts that bars told, and the commands that told them.
  package private(set) var toldUnits: Int64 = 0
  package private(set) var crowdShows: Int64 = 0
  /// What is still to be shown where the log ends.
  package private(set) var leftGifts: Int64 = 0
  package private(set) var leftWishes: Int64 = 0

  package var allGifts: Row {
    gifts.values.reduce(into: Row()) { sum, row in
      sum.shown += row.shown
      sum.joined += row.joined
      sum.skipped += row.skipped
      sum.waits.add(row.waits)
    }
  }

  /// Gifts by the tier that their combo had when they were drawn or skipped.
  package private(set) var tiers: [Int64: Row] = [:]
  private var skips: [Int: Int64] = [:]

  /// Reasons for skips: words for people, and the key to ask with.
  package static let reasons: [(words: String, key: Int)] = Skipped.Stage.allCases.flatMap { stage in
    Skipped.Reason.allCases.map { ("\(plural("\(stage)")) \($0)", key(stage, $0)) }
  }

  /// Gifts, or 1 a wish.
  package subscript(skips key: Int) -> Int64 { skips[key] ?? 0 }

  private static func key(_ stage: Skipped.Stage, _ reason: Skipped.Reason) -> Int {
    Int(stage.rawValue) * Skipped.Reason.allCases.count + Int(reason.rawValue)
  }

  /// A combo on a lane, and the number that stands there.
  private struct Drawn {
    var giftId: ID
    var count: Int64
    var tier: Int64
  }

  private struct Combo: Hashable {
    var partition: Int
    var offset: Int64
  }

  private var drawn: [Combo: Drawn] = [:]
  /// The gifts told of each crowd that is shown, which has few others beside it.
  private var told: [Combo: Int64] = [:]
  private var arrivals = Arrivals()

  /// An event was applied.
  ///
  /// - Parameter number: of the partition, in this run.
  mutating func arrived(_ event: RoomEvent, offset: Int64, number: Int, in partition: PartitionReplay) {
    arrivals.add(event, offset: offset, at: partition.engine.clock, number: number, in: partition)
  }

  /// - Parameter isOwn: it came of its own event, not of a timer.
  mutating func sent(_ command: RoomCommand, isOwn: Bool, number partition: Int) {
    switch command.body {
    case .giftShow(let show):
      let combo = Combo(partition: partition, offset: show.comboOffset)
      // A refresh draws nothing that isn't there.
      guard drawn[combo] == nil else { return drawn[combo]!.tier = show.tier }
      let id = ID(show.giftId)
      drawn[combo] = Drawn(giftId: id, count: show.from, tier: show.tier)
      gifts[id, default: Row()].name = show.giftName.description
      let arrival = arrivals.takeCombo(show.comboOffset, number: partition)
      // A gift that doesn't wait is shown with its own record.
      if let arrival = arrival ?? (isOwn && show.comboOffset == command.recordOffset ? command.atMs : nil) {
        gifts[id]!.waits.add(command.atMs - arrival)
        tiers[show.tier, default: Row()].waits.add(command.atMs - arrival)
      }
    case .giftBump(let bump):
      let combo = Combo(partition: partition, offset: bump.comboOffset)
      guard let before = drawn[combo] else { return }
      gifts[before.giftId]!.shown = gifts[before.giftId]!.shown.adding(bump.count - before.count)
      let sum = tiers[before.tier]?.shown ?? 0
      tiers[before.tier, default: Row()].shown = sum.adding(bump.count - before.count)
      drawn[combo]!.count = bump.count
    case .giftHide(let hide): drawn[Combo(partition: partition, offset: hide.comboOffset)] = nil
    case .wishFly(let fly):
      wishes.shown += 1
      let arrival = arrivals.takeWish(fly.wishId, room: command.roomId, number: partition)
      if let arrival = arrival ?? (isOwn ? command.atMs : nil) { wishes.waits.add(command.atMs - arrival) }
    case .spotShow: spots.shown += 1
    case .crowdShow(let show):
      let crowd = Combo(partition: partition, offset: show.crowdOffset)
      toldUnits = toldUnits.adding(show.units - (told[crowd] ?? 0))
      told[crowd] = show.units
      crowdShows += 1
    // Other commands show no item.
    default: break
    }
  }

  /// An item of the spot was shown after that wait.
  mutating func spotWaited(_ wait: Milliseconds) { spots.waits.add(wait) }

  /// Counts an item that was skipped, or that joined a crowd.
  mutating func skipped(_ item: SkippedItem) {
    if item.crowdOffset != nil {
      let id = ID(item.giftId)
      gifts[id, default: Row()].joined = gifts[id, default: Row()].joined.adding(item.units)
      tiers[item.tier, default: Row()].joined = tiers[item.tier, default: Row()].joined.adding(item.units)
      return
    }
    skips[Self.key(item.stage, item.reason)] = self[skips: Self.key(item.stage, item.reason)].adding(item.units)
    switch item.stage {
    case .gift:
      let id = ID(item.giftId)
      gifts[id, default: Row()].skipped = gifts[id, default: Row()].skipped.adding(item.units)
      tiers[item.tier, default: Row()].skipped = tiers[item.tier, default: Row()].skipped.adding(item.units)
    case .wish: wishes.skipped += item.units
    case .spot: spots.skipped += item.units
    // They count by their reason alone.
    case .pin: break
    }
  }

  /// Counts what a room has yet to show where the log ends.
  mutating func end(_ room: RoomPicture) {
    for combo in room.queue + room.lanes.compactMap({ $0 }) { leftGifts = leftGifts.adding(combo.gap) }
    leftWishes += Int64(room.wishQueue.count)
  }
}

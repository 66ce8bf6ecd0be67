internal import RoomEngine
package import RoomModel

/// What became of gifts and wishes in a run.
package struct ShowStatistics: Sendable {
  /// Of one kind of gift, or of all wishes.
  package struct Row: Equatable, Sendable {
    package var name = ""
    /// Gifts that were drawn, wishes that flew.
    package var shown: Int64 = 0
    package var skipped: Int64 = 0
    /// From a combo's or a wish's arrival until it is first seen.
    package var longestWaitMs: Milliseconds = 0

    package init() {}
  }

  /// By `giftId`.
  package private(set) var gifts: [String: Row] = [:]
  package private(set) var wishes = Row()
  /// Gifts by the tier that their combo had when they were drawn or skipped.
  package private(set) var tiers: [Int64: Row] = [:]
  private var skips: [Int: Int64] = [:]

  /// Why something was skipped: words for people, and what to ask for.
  package static let reasons: [(words: String, key: Int)] = Skipped.Stage.allCases.flatMap { stage in
    Skipped.Reason.allCases.map { ("\(stage)s \($0)", key(stage, $0)) }
  }

  /// Gifts, or 1 a wish.
  package subscript(skips key: Int) -> Int64 { skips[key] ?? 0 }

  private static func key(_ stage: Skipped.Stage, _ reason: Skipped.Reason) -> Int {
    Int(stage.rawValue) * Skipped.Reason.allCases.count + Int(reason.rawValue)
  }

  /// A combo on a lane, and the number that stands there.
  private struct Drawn {
    var giftId: String
    var count: Int64
    var tier: Int64
  }

  private struct Combo: Hashable {
    var partition: Int
    var offset: Int64
  }

  private struct WishName: Hashable {
    var partition: Int
    var room: String
    var wish: String
  }

  private var drawn: [Combo: Drawn] = [:]
  private var arrivals: [Int: Arrivals] = [:]
  private var wishArrivals: [WishName: LogTime] = [:]

  /// An event happened; `maxWaitMs` is the longest that anything can wait under the settings in force.
  mutating func arrived(_ event: RoomEvent, offset: Int64, at time: LogTime, in partition: Int, maxWaitMs: Milliseconds)
  {
    arrivals[partition, default: Arrivals()].append(offset, at: time, keepingMs: maxWaitMs)
    if case .wish(let wish) = event.body {
      let name = WishName(partition: partition, room: event.roomId.description, wish: wish.wishId.description)
      if wishArrivals[name] == nil { wishArrivals[name] = time }
      // Wishes that were skipped leave nothing behind that could be looked for.
      if wishArrivals.count > 100_000 { wishArrivals = wishArrivals.filter { $0.value >= time - maxWaitMs } }
    }
  }

  mutating func sent(_ command: RoomCommand, in partition: Int) {
    switch command.body {
    case .giftShow(let show):
      let combo = Combo(partition: partition, offset: show.comboOffset)
      // A refresh draws nothing that isn't there.
      guard drawn[combo] == nil else { return drawn[combo]!.tier = show.tier }
      let id = show.giftId.description
      drawn[combo] = Drawn(giftId: id, count: show.from, tier: show.tier)
      gifts[id, default: Row()].name = show.giftName.description
      if show.from == 0, let arrival = arrivals[partition]?.time(of: show.comboOffset) {
        gifts[id]!.longestWaitMs = max(gifts[id]!.longestWaitMs, command.atMs - arrival)
        let longest = tiers[show.tier]?.longestWaitMs ?? 0
        tiers[show.tier, default: Row()].longestWaitMs = max(longest, command.atMs - arrival)
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
      let name = WishName(
        partition: partition, room: command.roomId.description, wish: fly.wishId.description)
      if let arrival = wishArrivals.removeValue(forKey: name) {
        wishes.longestWaitMs = max(wishes.longestWaitMs, command.atMs - arrival)
      }
    case .wishLikes, .wishGone, .likeBurst, .rainCountdown, .rainDrop, .rainTally, .rainEnd, .skipped, .roomEnd: break
    }
  }

  mutating func skipped(_ item: SkippedItem) {
    skips[Self.key(item.stage, item.reason)] = self[skips: Self.key(item.stage, item.reason)].adding(item.units)
    switch item.stage {
    case .gift:
      let id = item.giftId.description
      gifts[id, default: Row()].skipped = gifts[id, default: Row()].skipped.adding(item.units)
      tiers[item.tier, default: Row()].skipped = tiers[item.tier, default: Row()].skipped.adding(item.units)
    case .wish: wishes.skipped += item.units
    }
  }
}

/// When the records of a partition came, as far back as anything can wait.
private struct Arrivals: Sendable {
  private var records: [(offset: Int64, time: LogTime)] = []
  private var start = 0

  mutating func append(_ offset: Int64, at time: LogTime, keepingMs: Milliseconds) {
    records.append((offset, time))
    while records[start].time < time - keepingMs { start += 1 }
    if start > 1024, start * 2 > records.count {
      records.removeFirst(start)
      start = 0
    }
  }

  func time(of offset: Int64) -> LogTime? {
    var (low, high) = (start, records.count)
    while low < high {
      let middle = (low + high) / 2
      if records[middle].offset < offset { low = middle + 1 } else { high = middle }
    }
    return low < records.count && records[low].offset == offset ? records[low].time : nil
  }
}

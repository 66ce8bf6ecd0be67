/// Something on a screen: a gift view, a banner, a rain. Its parts are what single commands brought.
protocol ScreenItem {
  /// Removes the parts for which `stays` is false.
  ///
  /// - Parameter stays: asked of each part, with the id of its command, which tells the input partition that it came from,
  ///   and the log time at which it ends without a command (nil: it doesn't).
  /// - Returns: whether any part is left.
  mutating func keepParts(_ stays: (_ command: ID, _ endMs: Int64?) -> Bool) -> Bool

  /// The log time at which a command last told of an item that stays until a command ends it; nil: it ends by itself.
  var toldMs: Int64? { get }

  /// Appends the commands that draw it on another screen. None for what is over in a moment.
  func appendCommands(roomId: ID, to commands: inout [Command])
}

extension ScreenItem {
  var toldMs: Int64? { nil }
}

/// Sees all that is on a screen, kind by kind (`ScreenItems.visit`).
protocol ScreenItemVisitor {
  mutating func visit<Item: ScreenItem>(_ items: inout [Item])
  /// A kind of which one is there at most.
  mutating func visit<Item: ScreenItem>(_ item: inout Item?)
}

/// Removes parts of items, and the items of which nothing is left.
struct ScreenItemFilter: ScreenItemVisitor {
  let stays: (_ command: ID, _ endMs: Int64?) -> Bool

  mutating func visit<Item: ScreenItem>(_ items: inout [Item]) {
    var kept = 0
    for place in items.indices where items[place].keepParts(stays) {
      if kept < place { items.swapAt(kept, place) }
      kept += 1
    }
    items.removeSubrange(kept...)
  }

  mutating func visit<Item: ScreenItem>(_ item: inout Item?) {
    if item?.keepParts(stays) == false { item = nil }
  }
}

/// Removes items of which no command has told for too long, so that none will end them.
struct StaleItemFilter: ScreenItemVisitor {
  let nowMs: Int64
  let staleAfterMs: Int64
  private(set) var found = 0
  /// The log time at which the next item is stale.
  private(set) var nextMs = Int64.max

  init(nowMs: Int64, staleAfterMs: Int64) {
    self.nowMs = nowMs
    self.staleAfterMs = staleAfterMs
  }

  /// Whether what a command last told of at that time (nil: nothing needs to be told) is stale.
  mutating func isStale(toldMs: Int64?) -> Bool {
    guard let endMs = toldMs?.plus(staleAfterMs) else { return false }
    if endMs > nowMs { nextMs = min(nextMs, endMs) } else { found += 1 }
    return endMs <= nowMs
  }

  mutating func visit<Item: ScreenItem>(_ items: inout [Item]) { items.removeAll { isStale(toldMs: $0.toldMs) } }

  mutating func visit<Item: ScreenItem>(_ item: inout Item?) {
    if let there = item, isStale(toldMs: there.toldMs) { item = nil }
  }
}

/// Collects the commands of a snapshot.
struct ScreenItemCommands: ScreenItemVisitor {
  let roomId: ID
  private(set) var commands: [Command] = []

  init(roomId: ID) { self.roomId = roomId }

  mutating func visit<Item: ScreenItem>(_ items: inout [Item]) {
    for item in items { item.appendCommands(roomId: roomId, to: &commands) }
  }

  mutating func visit<Item: ScreenItem>(_ item: inout Item?) { item?.appendCommands(roomId: roomId, to: &commands) }
}

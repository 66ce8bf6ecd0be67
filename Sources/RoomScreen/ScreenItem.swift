/// Something on a screen: a gift view, a banner, a rain. Its parts are what single commands brought.
protocol ScreenItem {
  /// Removes the parts for which `stays` is false.
  ///
  /// - Parameter stays: asked of each part, with the id of its command, which tells the input partition that it came from,
  ///   and the log time at which it ends without a command (nil: it doesn't).
  /// - Returns: whether any part is left.
  mutating func keepParts(_ stays: (_ command: ID, _ endMs: Int64?) -> Bool) -> Bool

  /// Appends the commands that draw it on another screen. None for what is over in a moment.
  func appendCommands(roomId: ID, to commands: inout [Command])
}

/// Sees all that is on a screen, kind by kind (`Screen.visitItems`).
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

extension GiftView: ScreenItem {
  mutating func keepParts(_ stays: (_ command: ID, _ endMs: Int64?) -> Bool) -> Bool {
    if case .leaving(let untilMs) = phase { return stays(command, untilMs) }
    return stays(command, nil)
  }

  func appendCommands(roomId: RoomScreen.ID, to commands: inout [Command]) {
    // One that leaves was hidden.
    guard phase == .shown else { return }
    var now = show
    now.from = count
    now.total = total
    commands.append(Command(roomId: roomId, id: command, atMs: shownAtMs, body: .giftShow(now)))
  }
}

extension Banner: ScreenItem {
  mutating func keepParts(_ stays: (_ command: ID, _ endMs: Int64?) -> Bool) -> Bool { stays(id, landMs) }

  func appendCommands(roomId: RoomScreen.ID, to commands: inout [Command]) {
    var now = fly
    now.likes = likes
    commands.append(Command(roomId: roomId, id: id, atMs: startMs, body: .wishFly(now)))
  }
}

extension Rain: ScreenItem {
  mutating func keepParts(_ stays: (_ command: ID, _ endMs: Int64?) -> Bool) -> Bool {
    if let told = lastCountdown, !stays(told.command, nil) { lastCountdown = nil }
    if let told = lastTally, !stays(told.command, nil) { lastTally = nil }
    drops.removeAll { !stays($0.id, $0.landMs) }
    return !isBlank
  }

  func appendCommands(roomId: RoomScreen.ID, to commands: inout [Command]) {
    if let told = lastCountdown {
      commands.append(Command(roomId: roomId, id: told.command, atMs: told.atMs, body: .rainCountdown(told.body)))
    }
    for drop in drops {
      commands.append(Command(roomId: roomId, id: drop.id, atMs: drop.startMs, body: .rainDrop(drop.body)))
    }
    if let told = lastTally {
      commands.append(Command(roomId: roomId, id: told.command, atMs: told.atMs, body: .rainTally(told.body)))
    }
  }
}

extension Burst: ScreenItem {
  mutating func keepParts(_ stays: (_ command: ID, _ endMs: Int64?) -> Bool) -> Bool { stays(id, endMs) }

  func appendCommands(roomId: RoomScreen.ID, to commands: inout [Command]) {}
}

extension SpotView: ScreenItem {
  mutating func keepParts(_ stays: (_ command: RoomScreen.ID, _ endMs: Int64?) -> Bool) -> Bool {
    stays(command, endMs)
  }

  func appendCommands(roomId: RoomScreen.ID, to commands: inout [Command]) {
    commands.append(Command(roomId: roomId, id: command, atMs: startMs, body: .spotShow(show)))
  }
}

extension CrowdView: ScreenItem {
  mutating func keepParts(_ stays: (_ command: RoomScreen.ID, _ endMs: Int64?) -> Bool) -> Bool { stays(command, nil) }

  func appendCommands(roomId: RoomScreen.ID, to commands: inout [Command]) {
    commands.append(Command(roomId: roomId, id: command, atMs: toldAtMs, body: .crowdShow(show)))
  }
}

/// Commands and results on their way out, with the bytes of their texts.
///
/// It is kept and filled anew, so it allocates only while it grows. A view of a text is good until `removeAll()`.
package struct CommandBatch: ~Copyable {
  package private(set) var commands: [RoomCommand] = []
  /// In the order of the log, one for each grab.
  package private(set) var results: [GrabResult] = []
  /// Where they are wanted: what was skipped, of which commands tell only sums.
  package private(set) var skips: [SkippedItem] = []
  package var keepsSkips = false
  /// One for each combo and wish that these commands begin to draw.
  package private(set) var waits: [ShownWait] = []
  private var arena = TextArena()

  package init() {}

  package mutating func append(_ command: RoomCommand) { commands.append(command) }

  package mutating func append(_ result: GrabResult) { results.append(result) }

  package mutating func append(_ wait: ShownWait) { waits.append(wait) }

  /// Keeps a skip, if it is to.
  @inlinable package mutating func note(_ skip: SkippedItem) {
    if keepsSkips { keepNote(skip) }
  }

  @usableFromInline mutating func keepNote(_ skip: SkippedItem) {
    skips.append(
      SkippedItem(
        roomId: keep(skip.roomId), stage: skip.stage, reason: skip.reason, giftId: keep(skip.giftId), tier: skip.tier,
        units: skip.units))
  }

  /// A copy of `text` that lives as long as the batch's contents.
  package mutating func keep(_ text: Text) -> Text { arena.keep(text) }

  package mutating func keep(_ string: String) -> Text { arena.keep(string) }

  /// The same of points.
  package mutating func keep(_ points: UnsafeBufferPointer<Point>) -> UnsafeBufferPointer<Point> { arena.keep(points) }

  package mutating func removeAll() {
    commands.removeAll(keepingCapacity: true)
    results.removeAll(keepingCapacity: true)
    waits.removeAll(keepingCapacity: true)
    if keepsSkips { skips.removeAll(keepingCapacity: true) }
    arena.removeAll()
  }
}

/// A combo or a wish that was skipped.
package struct SkippedItem {
  package let roomId: Text
  package let stage: Skipped.Stage
  package let reason: Skipped.Reason
  /// Empty for a wish.
  package let giftId: Text
  /// That of its combo; 0 for a wish.
  package let tier: Int64
  /// Gifts that were not shown, or 1 a wish.
  package let units: Int64

  @inlinable package init(
    roomId: Text, stage: Skipped.Stage, reason: Skipped.Reason, giftId: Text, tier: Int64, units: Int64
  ) {
    self.roomId = roomId
    self.stage = stage
    self.reason = reason
    self.giftId = giftId
    self.tier = tier
    self.units = units
  }
}

/// How long a combo or a wish was queued before it was drawn.
package struct ShownWait {
  package let stage: Skipped.Stage
  /// 0 if nothing was before it; of a combo that waited on past `gift.maxWaitMs`, that.
  package let ms: Milliseconds

  package init(stage: Skipped.Stage, ms: Milliseconds) {
    self.stage = stage
    self.ms = ms
  }
}

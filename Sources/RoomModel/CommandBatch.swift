/// Commands and results on their way out, with the bytes of their texts.
///
/// It is kept and filled anew, so it allocates only while it grows. A view of a text is good until `removeAll()`.
public struct CommandBatch: ~Copyable {
  public private(set) var commands: [RoomCommand] = []
  /// In the order of the log, one for each grab.
  public private(set) var results: [GrabResult] = []
  /// Where they are wanted: what was skipped, of which commands tell only sums.
  public private(set) var skips: [SkippedItem] = []
  public var keepsSkips = false
  /// One for each combo and wish that these commands begin to draw.
  public private(set) var waits: [ShownWait] = []
  @usableFromInline var arena = TextArena()

  public init() {}

  public mutating func append(_ command: RoomCommand) { commands.append(command) }

  public mutating func append(_ result: GrabResult) { results.append(result) }

  public mutating func append(_ wait: ShownWait) { waits.append(wait) }

  /// Keeps a skip, if it is to.
  @inlinable public mutating func note(_ skip: SkippedItem) {
    if keepsSkips { keepNote(skip) }
  }

  @usableFromInline mutating func keepNote(_ skip: SkippedItem) {
    skips.append(
      SkippedItem(
        roomId: keep(skip.roomId), stage: skip.stage, reason: skip.reason, giftId: keep(skip.giftId), tier: skip.tier,
        units: skip.units))
  }

  /// A copy of `text` that lives as long as the batch's contents.
  public mutating func keep(_ text: Text) -> Text { arena.keep(text) }

  public mutating func keep(_ string: String) -> Text { arena.keep(string) }

  /// The same of a body.
  @inlinable @inline(__always) public mutating func lend<Value: BitwiseCopyable>(_ value: Value) -> Lent<Value> {
    arena.lend(value)
  }

  /// The same of points.
  public mutating func keep(_ points: UnsafeBufferPointer<Point>) -> UnsafeBufferPointer<Point> { arena.keep(points) }

  public mutating func removeAll() {
    // Most are empty, and to empty what is empty costs as much.
    if !commands.isEmpty { commands.removeAll(keepingCapacity: true) }
    if !results.isEmpty { results.removeAll(keepingCapacity: true) }
    if !waits.isEmpty { waits.removeAll(keepingCapacity: true) }
    if !skips.isEmpty { skips.removeAll(keepingCapacity: true) }
    arena.removeAll()
  }
}

/// A combo or a wish that was skipped.
public struct SkippedItem {
  public let roomId: Text
  public let stage: Skipped.Stage
  public let reason: Skipped.Reason
  /// Empty for a wish.
  public let giftId: Text
  /// That of its combo; 0 for a wish.
  public let tier: Int64
  /// Gifts that were not shown, or 1 a wish.
  public let units: Int64

  @inlinable public init(
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
public struct ShownWait {
  public let stage: Skipped.Stage
  /// 0 if nothing was before it; of a combo that waited on past `gift.maxWaitMs`, that.
  public let ms: Milliseconds

  public init(stage: Skipped.Stage, ms: Milliseconds) {
    self.stage = stage
    self.ms = ms
  }
}

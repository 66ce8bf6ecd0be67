/// Commands and results on their way out, with the bytes of their texts.
///
/// It is kept and filled anew, so it allocates only while it grows. A view of a text, or of the commands, is good until
/// `removeAll()`.
public struct CommandBatch: ~Copyable {
  /// Inlined: what is called is called with a copy of the whole batch.
  public var commands: UnsafeBufferPointer<RoomCommand> {
    @inlinable @inline(__always) get { keptCommands.elements }
  }
  /// Results in the order of the log, one for each grab.
  public private(set) var results: [GrabResult] = []
  /// What the engine decided, as far as somebody listens.
  public var decisions: UnsafeBufferPointer<Decision> {
    @inlinable @inline(__always) get { keptDecisions.elements }
  }
  public var listening = Listening.nobody
  /// One for each combo, wish and item of the spot that these commands begin to draw.
  public var waits: UnsafeBufferPointer<ShownWait> {
    @inlinable @inline(__always) get { keptWaits.elements }
  }
  /// Counts of what crowds took and told meanwhile.
  public var crowds = CrowdCounts()
  /// Retracts that a room forgot before their end meanwhile, since it remembers a limited number.
  public var forgottenRetracts: Int64 = 0
  /// Gifts that added nothing to their streaks meanwhile.
  public var swallowedGifts: Int64 = 0
  @usableFromInline var arena = TextArena()
  @usableFromInline var keptCommands = RefilledList<RoomCommand>()
  @usableFromInline var keptDecisions = RefilledList<Decision>()
  @usableFromInline var keptWaits = RefilledList<ShownWait>()

  public init() {}

  /// Nothing was put in: so it is after half of all gifts.
  @inlinable @inline(__always) public var isEmpty: Bool {
    keptCommands.elements.isEmpty && keptWaits.elements.isEmpty && keptDecisions.elements.isEmpty && results.isEmpty
      && crowds.joinedItems | crowds.refusedItems | forgottenRetracts | swallowedGifts == 0
  }

  @inlinable @inline(__always) public mutating func append(_ command: RoomCommand) { keptCommands.append(command) }

  public mutating func append(_ result: GrabResult) { results.append(result) }

  @inlinable public mutating func append(_ wait: ShownWait) { keptWaits.append(wait) }

  /// Its texts are kept with it.
  public mutating func append(_ decision: Decision) {
    switch decision {
    case .span(var span):
      span.id = keep(span.id)
      keptDecisions.append(.span(span))
    case .removed(var item, let reason):
      item.id = keep(item.id)
      keptDecisions.append(.removed(item, reason))
    case .item(var item):
      item.id = keep(item.id)
      keptDecisions.append(.item(item))
    case .pin(var pin):
      (pin.id, pin.other) = (keep(pin.id), keep(pin.other))
      keptDecisions.append(.pin(pin))
    case .goal(var goal):
      (goal.id, goal.side) = (keep(goal.id), keep(goal.side))
      keptDecisions.append(.goal(goal))
    case .skipped, .hidden, .bannerStarted, .gift, .grab, .muted, .tap, .taps, .unnamed: keptDecisions.append(decision)
    }
  }

  /// The same of a skipped item.
  public mutating func append(_ skip: SkippedItem) {
    var kept = skip
    for text in [\SkippedItem.roomId, \.userId, \.name, \.id, \.text, \.receiverId, \.giftId, \.giftName] {
      kept[keyPath: text] = keep(skip[keyPath: text])
    }
    append(.skipped(lend(kept)))
  }

  /// A copy of `text` that lives as long as the batch's contents.
  public mutating func keep(_ text: Text) -> Text { arena.keep(text) }

  public mutating func keep(_ string: String) -> Text { arena.keep(string) }

  /// Keeps a body in the batch, and lends it.
  @inlinable @inline(__always) public mutating func lend<Value: BitwiseCopyable>(_ value: Value) -> Lent<Value> {
    arena.lend(value)
  }

  /// The same of points, or of senders whose texts are kept ones.
  public mutating func keep<Element: BitwiseCopyable>(
    _ elements: UnsafeBufferPointer<Element>
  ) -> UnsafeBufferPointer<Element> { arena.keep(elements) }

  public mutating func removeAll() {
    keptCommands.removeAll()
    keptWaits.removeAll()
    keptDecisions.removeAll()
    // Most are empty, and to empty what is empty costs as much.
    if !results.isEmpty { results.removeAll(keepingCapacity: true) }
    crowds = CrowdCounts()
    forgottenRetracts = 0
    swallowedGifts = 0
    arena.removeAll()
  }
}

/// Counts of what crowds took and told. Combos are items, gifts are units.
public struct CrowdCounts: Equatable, Sendable {
  public private(set) var joinedItems: Int64 = 0
  public private(set) var joinedUnits: Int64 = 0
  public private(set) var toldItems: Int64 = 0
  public private(set) var toldUnits: Int64 = 0
  /// Senders named, each time that they are.
  public private(set) var names: Int64 = 0
  /// Combos that found no crowd, where a room had as many as it may have.
  public private(set) var refusedItems: Int64 = 0

  public init() {}

  // Sums wrap rather than trap: units of 64 bits may come again and again, and no contract has these sums.

  public mutating func join(units: Int64) {
    joinedItems &+= 1
    joinedUnits &+= units
  }

  public mutating func refuse() { refusedItems &+= 1 }

  public mutating func tell(items: Int64, units: Int64, names: Int64) {
    toldItems &+= items
    toldUnits &+= units
    self.names &+= names
  }

  public mutating func add(_ other: CrowdCounts) {
    joinedItems &+= other.joinedItems
    joinedUnits &+= other.joinedUnits
    toldItems &+= other.toldItems
    toldUnits &+= other.toldUnits
    names &+= other.names
    refusedItems &+= other.refusedItems
  }
}

/// The time that a combo, a wish or an item of the spot was queued before it was drawn.
public struct ShownWait {
  public let stage: Skipped.Stage
  /// 0 if nothing was before it; of a combo that waited on past `gift.maxWaitMs`, that.
  public let ms: Milliseconds

  public init(stage: Skipped.Stage, ms: Milliseconds) {
    self.stage = stage
    self.ms = ms
  }
}

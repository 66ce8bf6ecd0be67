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
  /// Of all that came into it so far: `removeAll()` leaves them, so that a record costs nothing for them.
  public var counts = EngineCounts()
  @usableFromInline var arena = TextArena()
  @usableFromInline var keptCommands = RefilledList<RoomCommand>()
  @usableFromInline var keptDecisions = RefilledList<Decision>()

  public init() {}

  /// Nothing was put in: so it is after half of all gifts.
  @inlinable @inline(__always) public var isEmpty: Bool {
    keptCommands.elements.isEmpty && keptDecisions.elements.isEmpty && results.isEmpty
  }

  @inlinable @inline(__always) public mutating func append(_ command: RoomCommand) { keptCommands.append(command) }

  public mutating func append(_ result: GrabResult) { results.append(result) }

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
    case .skipped, .drawn, .hidden, .bannerStarted, .gift, .grab, .muted, .tap, .taps, .unnamed:
      keptDecisions.append(decision)
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
    keptDecisions.removeAll()
    // Most are empty, and to empty what is empty costs as much.
    if !results.isEmpty { results.removeAll(keepingCapacity: true) }
    arena.removeAll()
  }
}

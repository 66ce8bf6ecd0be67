import RoomModel

/// The outlet of a room's commands: numbers them and puts them in the batch. It is lent to one room after the other.
struct CommandOutlet: ~Copyable {
  private let batch: UnsafeMutablePointer<CommandBatch>
  /// The last record whose turn had come: commands are numbered from there.
  private let lastOffset: Int64
  private var roomId = Text.empty
  private var isRoomIdKept = false
  /// Somebody listens to the room's decisions.
  private(set) var isHeard = false
  private var isHeardOfItems = false
  private var numbering = CommandNumbering()

  private init(_ batch: UnsafeMutablePointer<CommandBatch>, lastOffset: Int64) {
    self.batch = batch
    self.lastOffset = lastOffset
  }

  /// The batch stays where it is: to move it in and out took longer than many a timer.
  @inline(__always) static func lend<Result>(
    _ batch: inout CommandBatch, lastOffset: Int64, _ body: (inout CommandOutlet) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &batch) {
      var out = CommandOutlet($0, lastOffset: lastOffset)
      return body(&out)
    }
  }

  mutating func enter(_ roomId: Text, _ numbering: CommandNumbering) {
    self.roomId = roomId
    self.numbering = numbering
    isRoomIdKept = false
    switch batch.pointee.listening {
    case .nobody: break
    case .toItems: isHeardOfItems = true
    case .toRoom(let id):
      isHeard = id == roomId
      isHeardOfItems = isHeard
    }
  }

  /// Whether somebody listens to that room's decisions.
  @inline(__always) func isHeard(of roomId: @autoclosure () -> Text) -> Bool {
    if case .toRoom(let id) = batch.pointee.listening { id == roomId() } else { false }
  }

  func leave() -> CommandNumbering { numbering }

  @inline(__always) private mutating func keepRoomId() {
    if isRoomIdKept { return }
    roomId = batch.pointee.keep(roomId)
    isRoomIdKept = true
  }

  /// Texts in `body` must be kept ones.
  mutating func send(_ body: RoomCommand.Body, at now: LogTime) {
    keepRoomId()
    let place = numbering.take(after: lastOffset)
    batch.pointee.append(RoomCommand(roomId: roomId, recordOffset: lastOffset, place: place, atMs: now, body: body))
  }

  /// The id that a retract names, which is told whatever becomes of it.
  mutating func sendRetracted(_ retract: Retract, at now: LogTime) {
    var body = Retracted(retract)
    for id in [\Retracted.wishId, \.comboId, \.spotId, \.pinId, \.goalId, \.userId] {
      if !body[keyPath: id].isEmpty { body[keyPath: id] = keep(body[keyPath: id]) }
    }
    send(.retracted(lend(body)), at: now)
  }

  /// A grab's result. It is kept with its texts.
  mutating func reply(to grab: RainGrab, of event: RoomEvent, _ outcome: GrabResult.Outcome, coins: Int64 = 0) {
    keepRoomId()
    batch.pointee.append(
      GrabResult(
        roomId: roomId, recordOffset: lastOffset, eventId: batch.pointee.keep(event.eventId),
        rainId: batch.pointee.keep(grab.rainId),
        packet: grab.packet, userId: batch.pointee.keep(grab.userId), outcome: outcome, coins: coins))
  }

  /// Tells a decision, if somebody listens.
  @inline(__always) func tell(_ decision: @autoclosure () -> Decision) {
    if isHeard { keep(decision()) }
  }

  @inline(never) private func keep(_ decision: Decision) { batch.pointee.append(decision) }

  /// Tells that an item was skipped, or joined a crowd.
  @inline(__always) func note(_ skip: @autoclosure () -> SkippedItem) {
    if isHeardOfItems { keep(skip()) }
  }

  @inline(never) private func keep(_ skip: SkippedItem) {
    var skip = skip
    skip.roomId = roomId
    batch.pointee.append(skip)
  }

  /// Counts for metrics, whether or not somebody listens.
  @inline(__always) func count(_ body: (inout EngineCounts) -> Void) { body(&batch.pointee.counts) }

  /// An item is drawn that had been queued for that time.
  mutating func drawn(_ stage: Skipped.Stage, afterMs ms: Milliseconds) {
    batch.pointee.counts.waits.add(ms, of: stage)
    if isHeardOfItems { keep(Decision.drawn(stage, afterMs: ms)) }
  }

  /// A copy that lives as long as the batch's commands.
  mutating func keep(_ text: Text) -> Text { batch.pointee.keep(text) }

  /// The same of a body whose texts are kept ones.
  mutating func lend<Value: BitwiseCopyable>(_ value: Value) -> Lent<Value> { batch.pointee.lend(value) }

  mutating func keep<Element: BitwiseCopyable>(_ elements: borrowing Block<Element>) -> UnsafeBufferPointer<Element> {
    batch.pointee.keep(UnsafeBufferPointer(start: elements.elements, count: elements.count))
  }

  /// The first of some senders whose texts are kept ones.
  mutating func keep(_ senders: InlineArray<3, Sender>, count: Int) -> UnsafeBufferPointer<Sender> {
    let span = senders.span
    return span.withUnsafeBufferPointer { batch.pointee.keep(UnsafeBufferPointer(rebasing: $0.prefix(count))) }
  }
}

/// Numbers a room's commands since a record, so that no id comes twice (STAGES.md, section 10).
struct CommandNumbering {
  private(set) var offset: Int64 = .min
  private(set) var count: Int64 = 0

  init() {}

  init(offset: Int64, count: Int64) {
    self.offset = offset
    self.count = count
  }

  mutating func take(after lastOffset: Int64) -> Int64 {
    if offset != lastOffset {
      offset = lastOffset
      count = 0
    }
    defer { count += 1 }
    return count
  }
}

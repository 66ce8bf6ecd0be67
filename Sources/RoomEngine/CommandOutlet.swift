import RoomModel

/// Where a room's commands go: it numbers them and puts them in the batch. It is lent to one room after the other.
struct CommandOutlet: ~Copyable {
  private let batch: UnsafeMutablePointer<CommandBatch>
  /// The last record whose turn had come: commands are numbered from there.
  private let lastOffset: Int64
  private var roomId = Text.empty
  private var isRoomIdKept = false
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
  }

  func leave() -> CommandNumbering { numbering }

  /// Texts in `body` must be kept ones.
  mutating func send(_ body: RoomCommand.Body, at now: LogTime) {
    if !isRoomIdKept {
      roomId = batch.pointee.keep(roomId)
      isRoomIdKept = true
    }
    let place = numbering.take(after: lastOffset)
    batch.pointee.append(RoomCommand(roomId: roomId, recordOffset: lastOffset, place: place, atMs: now, body: body))
  }

  /// A grab's result. It is kept with its texts.
  mutating func reply(to grab: RainGrab, of event: RoomEvent, _ outcome: GrabResult.Outcome, coins: Int64 = 0) {
    if !isRoomIdKept {
      roomId = batch.pointee.keep(roomId)
      isRoomIdKept = true
    }
    batch.pointee.append(
      GrabResult(
        roomId: roomId, recordOffset: lastOffset, eventId: batch.pointee.keep(event.eventId),
        rainId: batch.pointee.keep(grab.rainId),
        packet: grab.packet, userId: batch.pointee.keep(grab.userId), outcome: outcome, coins: coins))
  }

  /// For those who want to know which it was.
  mutating func noteSkippedWish(_ reason: Skipped.Reason) {
    batch.pointee.note(SkippedItem(roomId: roomId, stage: .wish, reason: reason, giftId: .empty, tier: 0, units: 1))
  }

  mutating func noteSkip(_ reason: Skipped.Reason, giftId: Text, tier: Int64, units: Int64) {
    batch.pointee.note(
      SkippedItem(roomId: roomId, stage: .gift, reason: reason, giftId: giftId, tier: tier, units: units))
  }

  /// For those who watch how long what is drawn had waited.
  mutating func noteWait(_ stage: Skipped.Stage, ms: Milliseconds) {
    batch.pointee.append(ShownWait(stage: stage, ms: ms))
  }

  /// A copy that lives as long as the batch's commands.
  mutating func keep(_ text: Text) -> Text { batch.pointee.keep(text) }

  /// The same of a body whose texts are kept ones.
  mutating func lend<Value: BitwiseCopyable>(_ value: Value) -> Lent<Value> { batch.pointee.lend(value) }

  mutating func keep(_ points: borrowing Block<Point>) -> UnsafeBufferPointer<Point> {
    batch.pointee.keep(UnsafeBufferPointer(start: points.elements, count: points.count))
  }
}

/// Numbers a room's commands since a record, so that no id comes twice (STAGES.md, section 8).
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

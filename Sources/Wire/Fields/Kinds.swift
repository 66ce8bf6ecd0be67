import RoomModel
import RoomScreen

// Kinds of events are told apart here: one line each.

extension EventKind {
  /// Its list.
  var body: any EventBody.Type {
    switch self {
    case .gift: Gift.self
    case .wish: Wish.self
    case .wishLike: WishLike.self
    case .tap: Tap.self
    case .taps: Taps.self
    case .rainStart: RainStart.self
    case .rainGrab: RainGrab.self
    case .spot: Spot.self
    case .pin: Pin.self
    case .goal: WrittenGoal.self
    case .score: Score.self
    case .retract: WrittenRetract.self
    case .roomSettings: RoomSettings.self
    case .roomEnd: RoomEnding.self
    }
  }

  static let table = KindTable(allCases.map { ($0, $0.body.name, $0.body.number) })
}

extension RoomEvent.Body {
  @inline(__always) init(_ kind: EventKind, _ reader: some EventBodyReader) throws(NotUnderstood) {
    switch kind {
    case .gift: self = .gift(try reader.readGift())
    case .wish: self = .wish(reader.lend(try reader.read(Wish.self)))
    case .wishLike: self = .wishLike(try reader.read(WishLike.self))
    case .tap: self = .tap(try reader.read(Tap.self))
    case .taps: self = .taps(reader.lend(try reader.read(Taps.self)))
    case .rainStart: self = .rainStart(reader.lend(try reader.read(RainStart.self)))
    case .rainGrab: self = .rainGrab(try reader.read(RainGrab.self))
    case .spot: self = .spot(reader.lend(try reader.read(Spot.self)))
    case .pin: self = .pin(reader.lend(try reader.read(Pin.self)))
    case .goal: self = .goal(reader.lend(try reader.read(WrittenGoal.self).whole()))
    case .score: self = .score(try reader.read(Score.self))
    case .retract: self = .retract(try reader.read(WrittenRetract.self).retract())
    case .roomSettings: self = .roomSettings(try reader.read(RoomSettings.self))
    case .roomEnd:
      _ = try reader.read(RoomEnding.self)
      self = .roomEnd
    }
  }

  func write(to writer: some EventBodyWriter) {
    switch self {
    case .gift(let gift): writer.append(gift.whole)
    case .wish(let wish): writer.append(wish.whole)
    case .wishLike(let like): writer.append(like)
    case .tap(let tap): writer.append(tap)
    case .taps(let taps): writer.append(taps.whole)
    case .rainStart(let start): writer.append(start.whole)
    case .rainGrab(let grab): writer.append(grab)
    case .spot(let spot): writer.append(spot.whole)
    case .pin(let pin): writer.append(pin.whole)
    case .goal(let goal): writer.append(WrittenGoal(goal.whole))
    case .score(let score): writer.append(score)
    case .retract(let retract): writer.append(WrittenRetract(retract))
    case .roomSettings(let settings): writer.append(settings)
    case .roomEnd: writer.append(RoomEnding())
    }
  }
}

/// Reads an event's body, and checks it.
protocol EventBodyReader {
  func read<Body: EventBody>(_: Body.Type) throws(NotUnderstood) -> Body
  /// The one kind that passes by the million.
  func readGift() throws(NotUnderstood) -> Lent<Gift>
  /// Good until the next event is read.
  func lend<Body: BitwiseCopyable>(_ body: Body) -> Lent<Body>
}

/// Appends an event's body.
protocol EventBodyWriter {
  func append<Body: EventBody>(_ body: Body)
}

// Kinds of commands are told apart here: one line each.

extension RoomCommand.Body.Kind {
  /// Its list.
  var body: any CommandBody.Type {
    switch self {
    case .giftShow: GiftShow.self
    case .giftBump: GiftBump.self
    case .giftHide: GiftHide.self
    case .wishFly: WishFly.self
    case .wishLikes: WishLikes.self
    case .wishGone: WishGone.self
    case .likeBurst: LikeBurst.self
    case .rainCountdown: RainCountdown.self
    case .rainDrop: RainDrop.self
    case .rainTally: RainTally.self
    case .rainEnd: RainEnd.self
    case .spotShow: SpotShow.self
    case .spotGone: SpotGone.self
    case .crowdShow: CrowdShow.self
    case .crowdHide: CrowdHide.self
    case .pinShow: PinShow.self
    case .pinGone: PinGone.self
    case .goalShow: GoalShow.self
    case .goalCount: GoalCount.self
    case .goalEnd: GoalEnd.self
    case .retracted: Retracted.self
    case .skipped: Skipped.self
    case .roomEnd: RoomEnded.self
    }
  }

  static let table = KindTable(allCases.map { ($0, $0.body.name, $0.body.number) })
}

extension RoomCommand.Body {
  @inline(__always) func write(to writer: some BodyWriter) {
    switch self {
    case .giftShow(let body): writer.append(body.whole)
    case .giftBump(let body): writer.append(body)
    case .giftHide(let body): writer.append(body)
    case .wishFly(let body): writer.append(body.whole)
    case .wishLikes(let body): writer.append(body)
    case .wishGone(let body): writer.append(body)
    case .likeBurst(let body): writer.append(body)
    case .rainCountdown(let body): writer.append(body.whole)
    case .rainDrop(let body): writer.append(body.whole)
    case .rainTally(let body): writer.append(body)
    case .rainEnd(let body): writer.append(body)
    case .spotShow(let body): writer.append(body.whole)
    case .spotGone(let body): writer.append(body)
    case .crowdShow(let body): writer.append(body.whole)
    case .crowdHide(let body): writer.append(body)
    case .pinShow(let body): writer.append(body.whole)
    case .pinGone(let body): writer.append(body)
    case .goalShow(let body): writer.append(body.whole)
    case .goalCount(let body): writer.append(body.whole)
    case .goalEnd(let body): writer.append(body.whole)
    case .retracted(let body): writer.append(body.whole)
    case .skipped(let body): writer.append(body)
    case .roomEnd(let body): writer.append(body)
    }
  }

  /// Nil if a word in it isn't known here.
  @inline(__always) init?(_ kind: Kind, _ reader: some BodyReader) throws(NotUnderstood) {
    switch kind {
    case .giftShow:
      guard let body = try reader.read(GiftShow.self) else { return nil }
      self = .giftShow(reader.lend(body))
    case .giftBump:
      guard let body = try reader.read(GiftBump.self) else { return nil }
      self = .giftBump(body)
    case .giftHide:
      guard let body = try reader.read(GiftHide.self) else { return nil }
      self = .giftHide(body)
    case .wishFly:
      guard let body = try reader.read(WishFly.self) else { return nil }
      self = .wishFly(reader.lend(body))
    case .wishLikes:
      guard let body = try reader.read(WishLikes.self) else { return nil }
      self = .wishLikes(body)
    case .wishGone:
      guard let body = try reader.read(WishGone.self) else { return nil }
      self = .wishGone(body)
    case .likeBurst:
      guard let body = try reader.read(LikeBurst.self) else { return nil }
      self = .likeBurst(body)
    case .rainCountdown:
      guard let body = try reader.read(RainCountdown.self) else { return nil }
      self = .rainCountdown(reader.lend(body))
    case .rainDrop:
      guard let body = try reader.read(RainDrop.self) else { return nil }
      self = .rainDrop(reader.lend(body))
    case .rainTally:
      guard let body = try reader.read(RainTally.self) else { return nil }
      self = .rainTally(body)
    case .rainEnd:
      guard let body = try reader.read(RainEnd.self) else { return nil }
      self = .rainEnd(body)
    case .spotShow:
      guard let body = try reader.read(SpotShow.self) else { return nil }
      self = .spotShow(reader.lend(body))
    case .spotGone:
      guard let body = try reader.read(SpotGone.self) else { return nil }
      self = .spotGone(body)
    case .crowdShow:
      guard let body = try reader.read(CrowdShow.self) else { return nil }
      self = .crowdShow(reader.lend(body))
    case .crowdHide:
      guard let body = try reader.read(CrowdHide.self) else { return nil }
      self = .crowdHide(body)
    case .pinShow:
      guard let body = try reader.read(PinShow.self) else { return nil }
      self = .pinShow(reader.lend(body))
    case .pinGone:
      guard let body = try reader.read(PinGone.self) else { return nil }
      self = .pinGone(body)
    case .goalShow:
      guard let body = try reader.read(GoalShow.self) else { return nil }
      self = .goalShow(reader.lend(body))
    case .goalCount:
      guard let body = try reader.read(GoalCount.self) else { return nil }
      self = .goalCount(reader.lend(body))
    case .goalEnd:
      guard let body = try reader.read(GoalEnd.self) else { return nil }
      self = .goalEnd(reader.lend(body))
    case .retracted:
      guard let body = try reader.read(Retracted.self) else { return nil }
      self = .retracted(reader.lend(body))
    case .skipped:
      guard let body = try reader.read(Skipped.self) else { return nil }
      self = .skipped(body)
    case .roomEnd:
      guard let body = try reader.read(RoomEnded.self) else { return nil }
      self = .roomEnd(body)
    }
  }

  func owned(of log: PublishedLog) -> Command.Body {
    switch self {
    case .giftShow(let body): .giftShow(FieldOwner.own(body.whole, of: log))
    case .giftBump(let body): .giftBump(FieldOwner.own(body, of: log))
    case .giftHide(let body): .giftHide(FieldOwner.own(body, of: log))
    case .wishFly(let body): .wishFly(FieldOwner.own(body.whole, of: log))
    case .wishLikes(let body): .wishLikes(FieldOwner.own(body, of: log))
    case .wishGone(let body): .wishGone(FieldOwner.own(body, of: log))
    case .likeBurst(let body): .likeBurst(FieldOwner.own(body, of: log))
    case .rainCountdown(let body): .rainCountdown(FieldOwner.own(body.whole, of: log))
    case .rainDrop(let body): .rainDrop(FieldOwner.own(body.whole, of: log))
    case .rainTally(let body): .rainTally(FieldOwner.own(body, of: log))
    case .rainEnd(let body): .rainEnd(FieldOwner.own(body, of: log))
    case .spotShow(let body): .spotShow(FieldOwner.own(body.whole, of: log))
    case .spotGone(let body): .spotGone(FieldOwner.own(body, of: log))
    case .crowdShow(let body): .crowdShow(FieldOwner.own(body.whole, of: log))
    case .crowdHide(let body): .crowdHide(FieldOwner.own(body, of: log))
    case .pinShow(let body): .pinShow(FieldOwner.own(body.whole, of: log))
    case .pinGone(let body): .pinGone(FieldOwner.own(body, of: log))
    case .goalShow(let body): .goalShow(FieldOwner.own(body.whole, of: log))
    case .goalCount(let body): .goalCount(FieldOwner.own(body.whole, of: log))
    case .goalEnd(let body): .goalEnd(FieldOwner.own(body.whole, of: log))
    case .retracted(let body): .retracted(FieldOwner.own(body.whole, of: log))
    case .skipped(let body): .skipped(FieldOwner.own(body, of: log))
    case .roomEnd(let body): .roomEnd(FieldOwner.own(body, of: log))
    }
  }
}

extension Command.Body {
  /// Nil if it is none of ours: of a kind that isn't known here, say.
  func borrowed(keptIn batch: UnsafeMutablePointer<CommandBatch>) -> RoomCommand.Body? {
    switch self {
    case .giftShow(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .giftShow(batch.pointee.lend($0)) }
    case .giftBump(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .giftBump($0) }
    case .giftHide(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .giftHide($0) }
    case .wishFly(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .wishFly(batch.pointee.lend($0)) }
    case .wishLikes(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .wishLikes($0) }
    case .wishGone(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .wishGone($0) }
    case .likeBurst(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .likeBurst($0) }
    case .rainCountdown(let shown):
      FieldBorrower.borrow(shown, keptIn: batch).map { .rainCountdown(batch.pointee.lend($0)) }
    case .rainDrop(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .rainDrop(batch.pointee.lend($0)) }
    case .rainTally(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .rainTally($0) }
    case .rainEnd(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .rainEnd($0) }
    case .spotShow(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .spotShow(batch.pointee.lend($0)) }
    case .spotGone(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .spotGone($0) }
    case .crowdShow(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .crowdShow(batch.pointee.lend($0)) }
    case .crowdHide(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .crowdHide($0) }
    case .pinShow(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .pinShow(batch.pointee.lend($0)) }
    case .pinGone(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .pinGone($0) }
    case .goalShow(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .goalShow(batch.pointee.lend($0)) }
    case .goalCount(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .goalCount(batch.pointee.lend($0)) }
    case .goalEnd(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .goalEnd(batch.pointee.lend($0)) }
    case .retracted(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .retracted(batch.pointee.lend($0)) }
    case .skipped(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .skipped($0) }
    case .roomEnd(let shown): FieldBorrower.borrow(shown, keptIn: batch).map { .roomEnd($0) }
    case .unknown: nil
    }
  }
}

/// Appends a command's body.
protocol BodyWriter {
  func append<Body: CommandBody>(_ body: Body)
}

/// Reads a command's body, of a kind that is known already.
protocol BodyReader {
  /// Nil if a word in it isn't known here.
  func read<Body: CommandBody>(_: Body.Type) throws(NotUnderstood) -> Body?
  /// Good until the next command is read.
  func lend<Body: BitwiseCopyable>(_ body: Body) -> Lent<Body>
}

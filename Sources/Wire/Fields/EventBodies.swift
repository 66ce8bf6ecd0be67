import RoomModel

/// Where the kinds are told apart: one line each.
extension EventKind {
  /// Its list.
  var body: any EventBody.Type {
    switch self {
    case .gift: Gift.self
    case .wish: Wish.self
    case .wishLike: WishLike.self
    case .tap: Tap.self
    case .rainStart: RainStart.self
    case .rainGrab: RainGrab.self
    case .spot: Spot.self
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
    case .rainStart: self = .rainStart(reader.lend(try reader.read(RainStart.self)))
    case .rainGrab: self = .rainGrab(try reader.read(RainGrab.self))
    case .spot: self = .spot(reader.lend(try reader.read(Spot.self)))
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
    case .rainStart(let start): writer.append(start.whole)
    case .rainGrab(let grab): writer.append(grab)
    case .spot(let spot): writer.append(spot.whole)
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

import RoomModel

extension EventKind {
  static let table = KindTable(allCases.map { ($0, $0.body.name, $0.body.number) })
}

extension RoomCommand.Body.Kind {
  static let table = KindTable(allCases.map { ($0, $0.body.name, $0.body.number) })
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

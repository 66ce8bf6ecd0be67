/// A command that a room's screen draws (STAGES.md, section 10).
///
/// A screen that obeys its room's commands in their order needs no logic of its own: `Screen` does.
public struct Command: Sendable, Hashable, Identifiable {
  /// The room whose screen it is for.
  public var roomId: ID
  /// `topic/partition/offset/n`: within its room an id never comes again.
  public var id: RoomScreen.ID
  /// The log time when it is acted on: milliseconds since 1970 by the server's clock.
  public var atMs: Int64
  /// The thing to draw, by its kind.
  public var body: Body

  /// A command, as a gateway or a test tells it.
  public init(roomId: ID, id: ID, atMs: Int64, body: Body) {
    self.roomId = roomId
    self.id = id
    self.atMs = atMs
    self.body = body
  }
}

/// The JSON of STAGES.md, section 10. The body is the member that is named for its kind.
extension Command: Codable {
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Member.self)
    roomId = try members.decode(ID.self, forKey: .roomId)
    id = try members.decode(ID.self, forKey: .id)
    atMs = try members.decode(Int64.self, forKey: .atMs)
    body = try Body(members)
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Member.self)
    try members.encode(roomId, forKey: .roomId)
    try members.encode(id, forKey: .id)
    try members.encode(atMs, forKey: .atMs)
    try body.encode(to: &members)
  }

  struct Member: CodingKey {
    let stringValue: String

    init(stringValue: String) { self.stringValue = stringValue }

    var intValue: Int? { nil }

    init?(intValue: Int) { nil }

    static let roomId = Member(stringValue: "roomId")
    static let id = Member(stringValue: "id")
    static let atMs = Member(stringValue: "atMs")
  }
}

extension Command.Sender {
  /// The name by which they are shown: their own, or the id where nobody could see that.
  public var shownName: String { name.unicodeScalars.allSatisfy(\.isInvisible) ? userId.string : name }
}

extension Command.RainDrop {
  /// Makes a packet that falls straight down, and turns all the way.
  public init(rainId: ID, packet: Int, x: Int, fallMs: Int64, angle: Int, spin: Int) {
    self.init(
      rainId: rainId, packet: packet, x: x, fallMs: fallMs, angle: angle, spin: spin, toX: x, spinMs: fallMs)
  }
}

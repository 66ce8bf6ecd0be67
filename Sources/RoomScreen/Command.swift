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
  /// The thing to draw.
  public var body: Body

  /// A command, as a gateway or a test tells it.
  public init(roomId: ID, id: ID, atMs: Int64, body: Body) {
    self.roomId = roomId
    self.id = id
    self.atMs = atMs
    self.body = body
  }

  /// The thing to draw, by its kind.
  public enum Body: Sendable, Hashable {
    /// A combo enters its lane, or stands there.
    case giftShow(GiftShow)
    /// Its number pops.
    case giftBump(GiftBump)
    /// It leaves its lane.
    case giftHide(GiftHide)
    /// A banner starts.
    case wishFly(WishFly)
    /// A banner has more likes.
    case wishLikes(WishLikes)
    /// A banner is taken back.
    case wishGone(WishGone)
    /// Hearts rise.
    case likeBurst(LikeBurst)
    /// A rain is about to start.
    case rainCountdown(RainCountdown)
    /// A packet drops.
    case rainDrop(RainDrop)
    /// The sums of a rain so far.
    case rainTally(RainTally)
    /// A rain is over.
    case rainEnd(RainEnd)
    /// Something fills the screen.
    case spotShow(SpotShow)
    /// The item that fills the screen is taken back.
    case spotGone(SpotGone)
    /// The bar shows a crowd.
    case crowdShow(CrowdShow)
    /// The bar is free.
    case crowdHide(CrowdHide)
    /// Items were not shown.
    case skipped(Skipped)
    /// The room has ended.
    case roomEnd(RoomEnded)
    /// A kind that a newer server knows. It draws nothing here.
    case unknown(kind: String)
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

  fileprivate struct Member: CodingKey {
    let stringValue: String

    init(stringValue: String) { self.stringValue = stringValue }

    var intValue: Int? { nil }

    init?(intValue: Int) { nil }

    static let roomId = Member(stringValue: "roomId")
    static let id = Member(stringValue: "id")
    static let atMs = Member(stringValue: "atMs")
  }
}

extension Command.Body {
  private enum Kind: String, CaseIterable {
    case giftShow, giftBump, giftHide, wishFly, wishLikes, wishGone, likeBurst, rainCountdown, rainDrop, rainTally,
      rainEnd, spotShow, spotGone, crowdShow, crowdHide, skipped, roomEnd

    var member: Command.Member { Command.Member(stringValue: rawValue) }
  }

  fileprivate init(_ members: KeyedDecodingContainer<Command.Member>) throws {
    func body<Value: Decodable>(_ kind: Kind) throws -> Value {
      try members.decode(Value.self, forKey: kind.member)
    }
    guard let kind = Kind.allCases.first(where: { members.contains($0.member) }) else {
      let others = members.allKeys.map(\.stringValue).filter { !["roomId", "id", "atMs"].contains($0) }
      self = .unknown(kind: others.min() ?? "")
      return
    }
    self =
      switch kind {
      case .giftShow: .giftShow(try body(kind))
      case .giftBump: .giftBump(try body(kind))
      case .giftHide: .giftHide(try body(kind))
      case .wishFly: .wishFly(try body(kind))
      case .wishLikes: .wishLikes(try body(kind))
      case .wishGone: .wishGone(try body(kind))
      case .likeBurst: .likeBurst(try body(kind))
      case .rainCountdown: .rainCountdown(try body(kind))
      case .rainDrop: .rainDrop(try body(kind))
      case .rainTally: .rainTally(try body(kind))
      case .rainEnd: .rainEnd(try body(kind))
      case .spotShow: .spotShow(try body(kind))
      case .spotGone: .spotGone(try body(kind))
      case .crowdShow: .crowdShow(try body(kind))
      case .crowdHide: .crowdHide(try body(kind))
      case .skipped: .skipped(try body(kind))
      case .roomEnd: .roomEnd(try body(kind))
      }
  }

  fileprivate func encode(to members: inout KeyedEncodingContainer<Command.Member>) throws {
    switch self {
    case .giftShow(let body): try members.encode(body, forKey: Kind.giftShow.member)
    case .giftBump(let body): try members.encode(body, forKey: Kind.giftBump.member)
    case .giftHide(let body): try members.encode(body, forKey: Kind.giftHide.member)
    case .wishFly(let body): try members.encode(body, forKey: Kind.wishFly.member)
    case .wishLikes(let body): try members.encode(body, forKey: Kind.wishLikes.member)
    case .wishGone(let body): try members.encode(body, forKey: Kind.wishGone.member)
    case .likeBurst(let body): try members.encode(body, forKey: Kind.likeBurst.member)
    case .rainCountdown(let body): try members.encode(body, forKey: Kind.rainCountdown.member)
    case .rainDrop(let body): try members.encode(body, forKey: Kind.rainDrop.member)
    case .rainTally(let body): try members.encode(body, forKey: Kind.rainTally.member)
    case .rainEnd(let body): try members.encode(body, forKey: Kind.rainEnd.member)
    case .spotShow(let body): try members.encode(body, forKey: Kind.spotShow.member)
    case .spotGone(let body): try members.encode(body, forKey: Kind.spotGone.member)
    case .crowdShow(let body): try members.encode(body, forKey: Kind.crowdShow.member)
    case .crowdHide(let body): try members.encode(body, forKey: Kind.crowdHide.member)
    case .skipped(let body): try members.encode(body, forKey: Kind.skipped.member)
    case .roomEnd(let body): try members.encode(body, forKey: Kind.roomEnd.member)
    case .unknown(let kind):
      // Its contents aren't known; that it was there is.
      if !kind.isEmpty { try members.encode([String: String](), forKey: Command.Member(stringValue: kind)) }
    }
  }
}

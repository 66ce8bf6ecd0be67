import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// A gift view on its lane, as far as it has been told.
struct OpenView {
  let combo: Int64
  let lane: Int
  let userId, name, receiverId, giftId, giftName: String
  let value: Int64
  let shownAt: LogTime
  let from: Int64
  /// The id of its `giftShow`; nil: it was there before.
  let id: CommandName?
  let queuedAt: LogTime?
  /// The highest it was told with.
  var tier: Int
  var total: Int64
  var counts: [(at: LogTime, count: Int64)] = []
  private(set) var hidden: (at: LogTime, why: Decision.HideCause)?

  init(_ show: Lent<GiftShow>, at now: LogTime, id: CommandName, queuedAt: LogTime?) {
    combo = show.comboOffset
    lane = Int(show.lane)
    userId = show.sender.userId.description
    name = show.sender.name.description
    receiverId = show.receiverId.description
    giftId = show.giftId.description
    giftName = show.giftName.description
    value = show.value
    shownAt = now
    from = show.from
    self.id = id
    self.queuedAt = queuedAt
    tier = Int(show.tier)
    total = show.total
  }

  /// One that is there where the log begins.
  init?(_ combo: ComboPicture, since now: LogTime) {
    guard case .onLane(let lane, _, _, _, _, let tier) = combo.place else { return nil }
    self.tier = Int(tier)
    self.combo = combo.offset
    self.lane = lane
    userId = combo.userId
    name = combo.name
    receiverId = combo.receiverId
    giftId = combo.giftId
    giftName = combo.giftName
    value = combo.value
    shownAt = now
    from = combo.shown
    id = nil
    queuedAt = nil
    total = combo.total
  }

  mutating func hide(at now: LogTime, _ why: Decision.HideCause) { hidden = (now, why) }

  /// `freeAt` nil: it was still there where the log ended.
  func write(freeAt: LogTime?, into line: inout TimelineRow) {
    line.member("lane", lane)
    line.member("c", combo)
    line.person(userId, name)
    line.gift(giftId, giftName)
    if !receiverId.isEmpty { line.member("to", receiverId) }
    line.member("val", value)
    if let id { line.member("id", id) }
    if let queuedAt, queuedAt < shownAt { line.member("q", queuedAt) }
    line.member("s", shownAt)
    if tier > 0 { line.member("ti", tier) }
    if let hidden {
      line.member("h", hidden.at)
      if hidden.why != .hold { line.member("y", hidden.why.rawValue) }
    }
    if let freeAt { line.member("e", freeAt) }
    line.member("f", from)
    line.member("tot", max(total, counts.last?.count ?? 0))
    line.member("pts", counts)
  }
}

/// A wish on its track, as far as it has been told.
struct OpenBanner {
  let id: ID
  let track: Int
  let userId, name, text: String
  let startedAt: LogTime
  /// The time at which it lands, or was taken back.
  var landsAt: LogTime
  /// The reason why it went before it landed; nil: it landed.
  var goneBy: Decision.HideCause?
  /// The id of its `wishFly`; nil: it flew before.
  let commandId: CommandName?
  let queuedAt: LogTime?
  var likes: [(at: LogTime, count: Int64)]

  init(_ fly: Lent<WishFly>, at now: LogTime, id: CommandName, queuedAt: LogTime?) {
    self.id = ID(fly.wishId)
    track = Int(fly.track)
    userId = fly.sender.userId.description
    name = fly.sender.name.description
    text = fly.text.description
    startedAt = now
    landsAt = now + fly.durationMs
    commandId = id
    self.queuedAt = queuedAt
    likes = fly.likes > 0 ? [(now, fly.likes)] : []
  }

  /// One that flies where the log begins.
  init?(_ wish: WishPicture) {
    guard case .flying(let track, let startedAt, let landsAt) = wish.place else { return nil }
    id = ID(wish.wishId)
    self.track = track
    userId = wish.userId
    name = wish.name
    text = wish.text
    self.startedAt = startedAt
    self.landsAt = landsAt
    commandId = nil
    queuedAt = nil
    likes = wish.likes > 0 ? [(startedAt, wish.likes)] : []
  }

  func write(into line: inout TimelineRow) {
    line.member("track", track)
    line.member("wish", id.string)
    line.person(userId, name)
    line.member("text", text)
    if let commandId { line.member("id", commandId) }
    if let queuedAt, queuedAt < startedAt { line.member("q", queuedAt) }
    line.member("s", startedAt)
    line.member("e", landsAt)
    if let goneBy { line.member("gone", goneBy.rawValue) }
    line.member("pts", likes)
  }
}

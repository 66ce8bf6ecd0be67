import RoomModel

/// An item that fills the screen.
struct OpenSpot {
  private let id: CommandName
  private let at: LogTime
  var endsAt: LogTime
  private let kind: String
  private let user: (id: String, name: String)
  private let gift: (id: String, name: String)
  private let text: String

  init(_ show: Lent<SpotShow>, at: LogTime, id: CommandName) {
    self.id = id
    self.at = at
    endsAt = at + show.durationMs
    kind = show.kind.description
    user = (show.sender.userId.description, show.sender.name.description)
    gift = (show.giftId.description, show.giftName.description)
    text = show.text.description
  }

  func write(into line: inout TimelineRow) {
    line.member("s", at)
    line.member("e", endsAt)
    line.member("kind", kind)
    line.person(user.id, user.name)
    line.gift(gift.id, gift.name)
    line.member("text", text)
    line.member("id", id)
  }
}

/// A crowd that has the bar.
struct OpenCrowd {
  let offset: Int64
  private let id: CommandName
  private let at: LogTime
  private let gift: (id: String, name: String)
  private var told: [(at: LogTime, count: Int64)] = []
  private var names = ""

  init(_ show: Lent<CrowdShow>, at: LogTime, id: CommandName) {
    offset = show.crowdOffset
    self.id = id
    self.at = at
    gift = (show.giftId.description, show.giftName.description)
  }

  mutating func tell(_ show: Lent<CrowdShow>, at now: LogTime) {
    told.append((now, show.units))
    names = show.names.map { $0.name.isEmpty ? $0.userId.description : $0.name.description }.joined(separator: ", ")
  }

  /// - Parameter end: Nil: it is still shown.
  func write(endedAt end: LogTime?, into line: inout TimelineRow) {
    line.member("s", at)
    if let end { line.member("e", end) }
    line.gift(gift.id, gift.name)
    line.member("crowd", offset)
    line.member("pts", told)
    line.member("names", names)
    line.member("id", id)
  }
}

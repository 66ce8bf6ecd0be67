import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// A pin, as far as it has been told.
struct OpenPin {
  let id: ID
  private let user: (id: String, name: String)
  private let text: String
  private let value: Int64
  private let startsAt: LogTime
  /// The time at which it ends, or went before.
  var endsAt: LogTime
  /// The reason why it went before its end; nil: it didn't.
  var goneBy: PinGone.Reason?
  /// The id of its first command; nil: it was there before.
  private let commandId: CommandName?

  init(_ show: Lent<PinShow>, id: CommandName) {
    self.id = ID(show.pinId)
    user = (show.sender.userId.description, show.sender.name.description)
    text = show.text.description
    (value, startsAt, endsAt) = (show.value, show.startMs, show.endMs)
    commandId = id
  }

  /// One that is there where the log begins.
  init(_ pin: PinPicture) {
    id = ID(pin.pinId)
    user = (pin.userId, pin.name)
    text = pin.text
    (value, startsAt, endsAt) = (pin.value, pin.startsAt, pin.endsAt)
    commandId = nil
  }

  func write(into line: inout TimelineRow) {
    line.member("pin", id.string)
    line.person(user.id, user.name)
    line.member("text", text)
    line.member("val", value)
    if let commandId { line.member("id", commandId) }
    line.member("s", startsAt)
    line.member("e", endsAt)
    if let goneBy { line.member("gone", "\(goneBy)") }
  }
}

/// A goal, as far as it has been told.
struct OpenGoal {
  let id: ID
  private var text: String
  private var target: Int64
  private let startsAt: LogTime
  private var counts: [(at: LogTime, count: Int64)]
  /// Sides and their totals.
  private var sides: [(id: String, total: Int64)]
  private let commandId: CommandName?
  private var ended: (at: LogTime, why: GoalEnd.Reason)?

  init(_ show: Lent<GoalShow>, at now: LogTime, id: CommandName) {
    self.id = ID(show.goalId)
    (text, target, startsAt) = (show.text.description, show.target, show.startMs)
    counts = [(now, show.progress)]
    sides = Self.sides(show.sides)
    commandId = id
  }

  /// One that runs where the log begins.
  init(_ goal: GoalPicture) {
    id = ID(goal.goalId)
    (text, target, startsAt) = (goal.text, goal.target, goal.startsAt)
    counts = [(goal.startsAt, goal.progress)]
    sides = goal.sides.map { ($0.id, $0.total) }
    commandId = nil
  }

  private static func sides(_ sides: UnsafeBufferPointer<GoalSide>) -> [(id: String, total: Int64)] {
    sides.map { ($0.id.description, $0.total) }
  }

  /// It was changed, or is told again.
  mutating func tell(_ show: Lent<GoalShow>, at now: LogTime) {
    (text, target) = (show.text.description, show.target)
    count(show.progress, show.sides, at: now)
  }

  mutating func count(_ progress: Int64, _ sides: UnsafeBufferPointer<GoalSide>, at now: LogTime) {
    if progress != counts[counts.count - 1].count { counts.append((now, progress)) }
    self.sides = Self.sides(sides)
  }

  mutating func end(_ end: Lent<GoalEnd>, at now: LogTime) {
    count(end.progress, end.sides, at: now)
    ended = (now, end.reason)
  }

  func write(into line: inout TimelineRow) {
    line.member("goal", id.string)
    line.member("text", text)
    line.member("target", target)
    if let commandId { line.member("id", commandId) }
    line.member("s", startsAt)
    if let ended {
      line.member("e", ended.at)
      line.member("why", "\(ended.why)")
    }
    line.member("pts", counts)
    line.member("sides", sides.map { "\($0.id) \($0.total)" }.joined(separator: ", "))
  }
}

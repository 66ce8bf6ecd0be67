import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// A rain, as far as it has been told.
struct OpenRain {
  let id: ID
  /// The time of its first command; where the log begins if it was there before.
  let shownAt: LogTime
  let startsAt: LogTime
  /// The id of its first command; nil: it was there before.
  let commandId: CommandName?
  /// Each with how long it falls.
  private var drops: [(at: LogTime, count: Int64)] = []
  /// The count of opened packets.
  private var opened: [(at: LogTime, count: Int64)] = []
  private var winners: Int64 = 0
  private var coins: Int64 = 0

  init(_ countdown: RainCountdown, at now: LogTime, id: CommandName) {
    self.id = ID(countdown.rainId)
    shownAt = now
    startsAt = countdown.startMs
    commandId = id
  }

  /// One that runs where the log begins.
  init(_ rain: RainPicture, since now: LogTime) {
    id = ID(rain.rainId)
    shownAt = now
    startsAt = rain.startsAt
    commandId = nil
    if rain.opened > 0 { opened = [(now, rain.opened)] }
    (winners, coins) = (rain.winners, rain.coins)
  }

  mutating func add(_ drop: Lent<RainDrop>, at now: LogTime) { drops.append((now, drop.fallMs)) }

  mutating func add(_ tally: RainTally, at now: LogTime) {
    opened.append((now, tally.opened))
    (winners, coins) = (tally.winners, tally.coins)
  }

  /// `endedAt` nil: it still ran where the log ended.
  func write(endedAt: LogTime?, into line: inout TimelineRow) {
    line.member("rain", id.string)
    if let commandId { line.member("id", commandId) }
    line.member("s", shownAt)
    line.member("b", startsAt)
    if let endedAt { line.member("e", endedAt) }
    line.member("won", winners)
    line.member("coins", coins)
    line.member("drops", drops)
    line.member("pts", opened)
  }
}

import RoomScreen

/// Commands of one log of one room, with ids as a worker gives them.
struct Script {
  private(set) var commands: [Command] = []
  var screen = Screen("r")
  private let log: String

  static let ann = Command.Sender(userId: "1", name: "Ann")

  init(log: String = "t/0") { self.log = log }

  @discardableResult mutating func at(_ atMs: Int64, _ body: Command.Body) -> Command {
    let command = Command(roomId: "r", id: "\(log)/\(commands.count)/0", atMs: atMs, body: body)
    commands.append(command)
    screen.apply(command)
    return command
  }
}

extension Command.Body {
  static func show(
    _ combo: ID, lane: Int, from: Int64 = 0, total: Int64 = 1, enterMs: Int64 = 250
  ) -> Self {
    .giftShow(
      Command.GiftShow(
        comboId: combo, lane: lane, sender: Script.ann, giftId: "rose", giftName: "玫瑰", value: 10, from: from,
        total: total, enterMs: enterMs))
  }

  static func bump(_ combo: ID, lane: Int, count: Int64) -> Self {
    .giftBump(Command.GiftBump(comboId: combo, lane: lane, count: count, tickMs: 300))
  }

  static func hide(_ combo: ID, lane: Int, count: Int64, exitMs: Int64 = 250) -> Self {
    .giftHide(Command.GiftHide(comboId: combo, lane: lane, count: count, exitMs: exitMs))
  }

  static func fly(_ wish: ID, track: Int = 0, durationMs: Int64 = 6000, likes: Int64 = 2) -> Self {
    .wishFly(
      Command.WishFly(
        wishId: wish, track: track, sender: Script.ann, text: "hi", width: 100, durationMs: durationMs, likes: likes))
  }

  static func likes(_ wish: ID, _ likes: Int64) -> Self {
    .wishLikes(Command.WishLikes(wishId: wish, likes: likes))
  }

  static func burst(_ count: Int64) -> Self {
    .likeBurst(Command.LikeBurst(count: count, points: [.init(x: 1, y: 2)]))
  }

  static func countdown(_ rain: ID, left: Int64, startMs: Int64) -> Self {
    .rainCountdown(Command.RainCountdown(rainId: rain, left: left, startMs: startMs, durationMs: 10_000))
  }

  static func drop(_ rain: ID, _ packet: Int, fallMs: Int64 = 4000) -> Self {
    .rainDrop(Command.RainDrop(rainId: rain, packet: packet, x: 500, fallMs: fallMs, angle: 10, spin: 20))
  }

  static func tally(_ rain: ID, opened: Int64) -> Self {
    .rainTally(Command.RainTally(rainId: rain, opened: opened, winners: opened / 3, coins: opened))
  }

  static func end(_ rain: ID) -> Self { .rainEnd(Command.RainEnd(rainId: rain)) }
}

/// A combo on its lane.
public struct GiftView: Sendable, Hashable, Identifiable {
  /// Whether it stays or leaves.
  public enum Phase: Sendable, Hashable {
    /// It enters until `enteredMs`, then it stands; → leaving.
    case shown
    /// It was hidden; → gone.
    case leaving(untilMs: Int64)
  }

  /// The last command that showed it: the first, or what refreshed it.
  let command: ID
  let show: Command.GiftShow
  /// Whether it stays or leaves.
  public private(set) var phase = Phase.shown
  /// The last number drawn; 0 before the first.
  public private(set) var count: Int64
  /// The number of gifts that have arrived, as far as commands told.
  public private(set) var total: Int64
  /// The log time at which it began to enter, or was refreshed.
  public let shownAtMs: Int64
  /// The log time at which the number popped last; nil if this screen saw none pop.
  public private(set) var bumpedAtMs: Int64?

  public var id: RoomScreen.ID { show.comboId }
  /// The lane, from 0 at the top.
  public var lane: Int { show.lane }
  /// The viewer who sends.
  public var sender: Command.Sender { show.sender }
  /// The id of the person in the room it is for; empty: the room.
  public var receiverId: ID { show.receiverId }
  /// The receiver's name as it is drawn; may be empty.
  public var receiverName: String { show.receiverName }
  /// The gift, by the platform's catalogue.
  public var giftId: ID { show.giftId }
  /// The name to draw; may be empty.
  public var giftName: String { show.giftName }
  /// The tier of its worth, from 0.
  public var tier: Int { show.tier }
  /// The price of one.
  public var value: Int64 { show.value }
  /// The platform's own, as the first gift had it.
  public var extra: String { show.extra }
  /// The milliseconds that it takes to enter; 0 if it stands already.
  public var enterMs: Int64 { show.enterMs }
  /// The log time at which it stands.
  public var enteredMs: Int64 { shownAtMs.plus(show.enterMs) }

  init(_ show: Command.GiftShow, command: ID, atMs: Int64, bumpedAtMs: Int64?) {
    self.command = command
    self.show = show
    count = show.from
    total = max(show.total, show.from)
    shownAtMs = atMs
    self.bumpedAtMs = bumpedAtMs
  }

  mutating func bump(to count: Int64, atMs: Int64) {
    self.count = count
    total = max(total, count)
    bumpedAtMs = atMs
  }

  mutating func leave(with count: Int64, untilMs: Int64) {
    self.count = count
    total = max(total, count)
    phase = .leaving(untilMs: untilMs)
  }
}

extension GiftView: ScreenItem {
  var toldMs: Int64? { phase == .shown ? max(shownAtMs, bumpedAtMs ?? shownAtMs) : nil }

  mutating func keepParts(_ stays: (_ command: ID, _ endMs: Int64?) -> Bool) -> Bool {
    if case .leaving(let untilMs) = phase { return stays(command, untilMs) }
    return stays(command, nil)
  }

  func appendCommands(roomId: RoomScreen.ID, to commands: inout [Command]) {
    // One that leaves was hidden.
    guard phase == .shown else { return }
    var now = show
    now.from = count
    now.total = total
    commands.append(Command(roomId: roomId, id: command, atMs: shownAtMs, body: .giftShow(now)))
  }
}

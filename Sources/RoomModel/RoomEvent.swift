/// An event of a viewer or of the platform, as it was understood (STAGES.md, section 2): every value is within its
/// range, names carry no control characters, defaults are filled in. Texts belong to the decoder, which keeps them
/// until its next event.
public struct RoomEvent {
  /// Empty: never a duplicate.
  public var eventId: Text
  public var roomId: Text
  public var body: Body

  /// The limit of an id, in bytes.
  public static var idLimit: Int { 256 }
  /// The limit of a combo's id, which begins with a topic's name, and of a spot's, which may begin with that.
  public static var comboIdLimit: Int { 1024 }

  @inlinable @inline(__always) public init(eventId: Text, roomId: Text, body: Body) {
    self.eventId = eventId
    self.roomId = roomId
    self.body = body
  }
}

public struct Sender: BitwiseCopyable, Sendable {
  public var userId = Text.empty
  public var name = Text.empty
  public var avatarUrl = Text.empty

  public init() {}

  @inlinable @inline(__always) public init(userId: Text, name: Text = .empty, avatarUrl: Text = .empty) {
    self.userId = userId
    self.name = name
    self.avatarUrl = avatarUrl
  }
}

public struct Gift: BitwiseCopyable {
  public var sender: Sender
  /// The receiver in the room; empty: nobody in particular.
  public var receiverId: Text
  /// The name of the receiver.
  public var receiverName: Text
  public var giftId: Text
  public var giftName: Text
  /// The number of gifts, 1…1,000,000; with a streak the number of that streak so far, 1…1,000,000,000.
  public var count: Int64
  /// The price of one.
  public var value: Int64
  /// Not empty: `count` is cumulative within this streak.
  public var streakId: Text
  /// 1: it begins a combo of its own, which no other gift joins.
  public var apart: Int64
  /// The time that it stays once all is shown; 0: by its tier.
  public var holdMs: Milliseconds
  /// The platform's own; no rule looks at it.
  public var extra: Text

  @inlinable @inline(__always) public init(
    sender: Sender, receiverId: Text = .empty, receiverName: Text = .empty, giftId: Text, giftName: Text = .empty,
    count: Int64 = 1, value: Int64 = 0, streakId: Text = .empty, apart: Int64 = 0, holdMs: Milliseconds = 0,
    extra: Text = .empty
  ) {
    self.sender = sender
    self.receiverId = receiverId
    self.receiverName = receiverName
    self.giftId = giftId
    self.giftName = giftName
    self.count = count
    self.value = value
    self.streakId = streakId
    self.apart = apart
    self.holdMs = holdMs
    self.extra = extra
  }
}

public struct Wish: BitwiseCopyable {
  public var sender: Sender
  public var text: Text
  /// The event's id where none was given; never empty.
  public var wishId: Text
  public var style: Text
  public var extra: Text

  @inlinable public init(
    sender: Sender, text: Text, wishId: Text, style: Text = .empty, extra: Text = .empty
  ) {
    self.sender = sender
    self.text = text
    self.wishId = wishId
    self.style = style
    self.extra = extra
  }
}

public struct WishLike {
  public var userId: Text
  public var wishId: Text

  @inlinable public init(userId: Text, wishId: Text) {
    self.userId = userId
    self.wishId = wishId
  }
}

public struct Tap {
  public var userId: Text
  /// Thousandths of the stage, 0…999.
  public var x: Int64
  public var y: Int64

  @inlinable public init(userId: Text, x: Int64, y: Int64) {
    self.userId = userId
    self.x = x
    self.y = y
  }
}

/// Likes that a client has told from taps by itself, gathered.
public struct Taps: BitwiseCopyable {
  public var userId: Text
  public var runId: Text
  /// The number of likes of this run so far, 1…1,000,000,000.
  public var count: Int64
  /// The places of some of them. The decoder's, like the texts.
  public var points: UnsafeBufferPointer<Point>

  /// The most points that an event has.
  public static var pointLimit: Int { 16 }

  @inlinable public init(
    userId: Text, runId: Text, count: Int64, points: UnsafeBufferPointer<Point> = .init(start: nil, count: 0)
  ) {
    self.userId = userId
    self.runId = runId
    self.count = count
    self.points = points
  }
}

public struct RainStart: BitwiseCopyable {
  public var rainId: Text
  public var durationMs: Milliseconds
  public var perSecond: Int64
  /// Seconds.
  public var countdown: Int64
  /// Coins.
  public var budget: Int64
  public var winEvery: Int64
  /// The decoder's, like the texts. Empty: one packet in `winEvery` wins.
  public var prizes: UnsafeBufferPointer<Int64>
  public var extra: Text

  @inlinable public init(
    rainId: Text, durationMs: Milliseconds, perSecond: Int64, countdown: Int64, budget: Int64, winEvery: Int64,
    prizes: UnsafeBufferPointer<Int64>, extra: Text = .empty
  ) {
    self.rainId = rainId
    self.durationMs = durationMs
    self.perSecond = perSecond
    self.countdown = countdown
    self.budget = budget
    self.winEvery = winEvery
    self.prizes = prizes
    self.extra = extra
  }
}

public struct RainGrab {
  public var rainId: Text
  public var packet: Int64
  public var userId: Text

  @inlinable public init(rainId: Text, packet: Int64, userId: Text) {
    self.rainId = rainId
    self.packet = packet
    self.userId = userId
  }
}

/// An item that is to fill the screen.
public struct Spot: BitwiseCopyable {
  public var sender: Sender
  /// The platform's word for what it is; never empty.
  public var kind: Text
  /// The event's id where none was given; never empty.
  public var spotId: Text
  public var text: Text
  public var style: Text
  /// The worth by which it comes before others.
  public var value: Int64
  /// 0: the setting.
  public var durationMs: Milliseconds
  public var extra: Text

  @inlinable public init(
    sender: Sender, kind: Text, spotId: Text, text: Text = .empty, style: Text = .empty, value: Int64 = 0,
    durationMs: Milliseconds = 0, extra: Text = .empty
  ) {
    self.sender = sender
    self.kind = kind
    self.spotId = spotId
    self.text = text
    self.style = style
    self.value = value
    self.durationMs = durationMs
    self.extra = extra
  }
}

/// Takes something back, wherever it is (STAGES.md, section 9).
public struct Retract {
  public enum What {
    /// The wish of this id.
    case wish(Text)
    /// The combo of this id, as commands name it: `topic/partition/offset`; and what came of it to the spot.
    case combo(Text)
    /// The item of the spot with this id.
    case spot(Text)
    /// The pin of this id.
    case pin(Text)
    /// The goal of this id.
    case goal(Text)
    /// All combos, wishes, items of the spot and pins of this user, who is muted for so long; 0: not at all.
    case user(Text, muteMs: Milliseconds)
  }

  public var what: What

  @inlinable public init(_ what: What) { self.what = what }
}

/// Settings of a room, in force from now on whatever the worker's are.
public struct RoomSettings {
  /// The decoder's, like the texts; each setting once. Empty: the worker's settings are in force again.
  public var set: UnsafeBufferPointer<RoomSetting.Value>
  public var forMs: Milliseconds

  @inlinable public init(set: UnsafeBufferPointer<RoomSetting.Value>, forMs: Milliseconds) {
    self.set = set
    self.forMs = forMs
  }
}

/// What a viewer did, as it was understood (STAGES.md, section 2): every value is within its range, names carry no
/// control characters, defaults are filled in. Texts belong to the decoder, which keeps them until its next event.
package struct RoomEvent {
  /// Empty: never a duplicate.
  package var eventId: Text
  package var roomId: Text
  package var body: Body

  /// Of an id, in bytes.
  package static var idLimit: Int { 256 }
  /// Of a combo's id, which begins with a topic's name.
  package static var comboIdLimit: Int { 1024 }

  package enum Body {
    case gift(Gift)
    case wish(Wish)
    case wishLike(WishLike)
    case tap(Tap)
    case rainStart(RainStart)
    case rainGrab(RainGrab)
    case retract(Retract)
    case roomSettings(RoomSettings)
    case roomEnd
  }

  @inlinable @inline(__always) package init(eventId: Text, roomId: Text, body: Body) {
    self.eventId = eventId
    self.roomId = roomId
    self.body = body
  }
}

package struct Sender {
  package var userId = Text.empty
  package var name = Text.empty
  package var avatarUrl = Text.empty

  package init() {}

  @inlinable @inline(__always) package init(userId: Text, name: Text = .empty, avatarUrl: Text = .empty) {
    self.userId = userId
    self.name = name
    self.avatarUrl = avatarUrl
  }
}

package struct Gift {
  package var sender: Sender
  /// Whom in the room it is for; empty: nobody in particular.
  package var receiverId: Text
  package var giftId: Text
  package var giftName: Text
  /// Without a streak: how many, 1…1,000,000. With one: how many of that streak so far, 1…1,000,000,000.
  package var count: Int64
  /// The price of one.
  package var value: Int64
  /// Not empty: `count` is cumulative within this streak.
  package var streakId: Text
  /// How long it stays once all is shown; 0: by its tier.
  package var holdMs: Milliseconds

  @inlinable @inline(__always) package init(
    sender: Sender, receiverId: Text = .empty, giftId: Text, giftName: Text = .empty, count: Int64 = 1,
    value: Int64 = 0, streakId: Text = .empty, holdMs: Milliseconds = 0
  ) {
    self.sender = sender
    self.receiverId = receiverId
    self.giftId = giftId
    self.giftName = giftName
    self.count = count
    self.value = value
    self.streakId = streakId
    self.holdMs = holdMs
  }
}

package struct Wish {
  package var sender: Sender
  package var text: Text
  /// That of the event where none was given; never empty.
  package var wishId: Text
  package var style: Text

  @inlinable package init(sender: Sender, text: Text, wishId: Text, style: Text = .empty) {
    self.sender = sender
    self.text = text
    self.wishId = wishId
    self.style = style
  }
}

package struct WishLike {
  package var userId: Text
  package var wishId: Text

  @inlinable package init(userId: Text, wishId: Text) {
    self.userId = userId
    self.wishId = wishId
  }
}

package struct Tap {
  package var userId: Text
  /// Thousandths of the stage, 0…999.
  package var x: Int64
  package var y: Int64

  @inlinable package init(userId: Text, x: Int64, y: Int64) {
    self.userId = userId
    self.x = x
    self.y = y
  }
}

package struct RainStart {
  package var rainId: Text
  package var durationMs: Milliseconds
  package var perSecond: Int64
  /// Seconds.
  package var countdown: Int64
  /// Coins.
  package var budget: Int64
  package var winEvery: Int64
  /// The decoder's, like the texts. Empty: one packet in `winEvery` wins.
  package var prizes: UnsafeBufferPointer<Int64>

  @inlinable package init(
    rainId: Text, durationMs: Milliseconds, perSecond: Int64, countdown: Int64, budget: Int64, winEvery: Int64,
    prizes: UnsafeBufferPointer<Int64>
  ) {
    self.rainId = rainId
    self.durationMs = durationMs
    self.perSecond = perSecond
    self.countdown = countdown
    self.budget = budget
    self.winEvery = winEvery
    self.prizes = prizes
  }
}

package struct RainGrab {
  package var rainId: Text
  package var packet: Int64
  package var userId: Text

  @inlinable package init(rainId: Text, packet: Int64, userId: Text) {
    self.rainId = rainId
    self.packet = packet
    self.userId = userId
  }
}

/// Takes something back, wherever it is (STAGES.md, section 7).
package struct Retract {
  package enum What {
    /// The wish of this id.
    case wish(Text)
    /// The combo of this id, as commands name it: `topic/partition/offset`.
    case combo(Text)
    /// All combos and wishes of this user, who is muted for so long; 0: not at all.
    case user(Text, muteMs: Milliseconds)
  }

  package var what: What

  @inlinable package init(_ what: What) { self.what = what }
}

/// From now on these are in force in this room, whatever the worker's settings are.
package struct RoomSettings {
  /// The decoder's, like the texts; each setting once. Empty: the worker's settings are in force again.
  package var set: UnsafeBufferPointer<RoomSetting.Value>
  package var forMs: Milliseconds

  @inlinable package init(set: UnsafeBufferPointer<RoomSetting.Value>, forMs: Milliseconds) {
    self.set = set
    self.forMs = forMs
  }
}

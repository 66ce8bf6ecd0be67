package import RoomModel

/// A combo on its lane.
package struct GiftView: Equatable, Sendable {
  package enum Phase: Equatable, Sendable {
    /// It enters until `enteredMs`, then it stands; → leaving.
    case shown
    /// It was hidden; → gone.
    case leaving(untilMs: LogTime)
  }

  package let comboOffset: Int64
  package private(set) var phase = Phase.shown
  package let sender: Person
  package let receiverId: String
  package let giftId: String
  package let giftName: String
  package let value: Int64
  /// The last number drawn.
  package private(set) var count: Int64
  /// How many have arrived, as far as commands told.
  package private(set) var total: Int64
  package let shownAtMs: LogTime
  package let enterMs: Milliseconds
  /// When the number popped last.
  package private(set) var bumpedAtMs: LogTime?

  package var enteredMs: LogTime { shownAtMs + enterMs }

  init(_ show: GiftShow, atMs: LogTime) {
    comboOffset = show.comboOffset
    sender = Person(show.sender)
    receiverId = show.receiverId.description
    giftId = show.giftId.description
    giftName = show.giftName.description
    value = show.value
    count = show.from
    total = show.total
    shownAtMs = atMs
    enterMs = show.enterMs
  }

  /// It is told again what is on this lane: nothing moves.
  mutating func refresh(_ show: GiftShow) {
    count = show.from
    total = show.total
  }

  mutating func bump(to count: Int64, atMs: LogTime) {
    self.count = count
    total = max(total, count)
    bumpedAtMs = atMs
  }

  mutating func leave(with count: Int64, untilMs: LogTime) {
    self.count = count
    total = max(total, count)
    phase = .leaving(untilMs: untilMs)
  }
}

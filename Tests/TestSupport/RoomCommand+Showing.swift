package import RoomModel

/// The effect of a command on a screen, by its kind: the one table of the tests that each kind passes.
package enum Showing {
  /// It brings something that stays until a time or another command. Late joiners are told it again.
  case brings
  /// It brings something that is over in a moment, or counted from when a screen began.
  case tells
  /// It changes what others have brought.
  case changes
}

extension RoomCommand.Body.Kind {
  package var showing: Showing {
    switch self {
    case .giftShow, .wishFly, .rainCountdown, .rainDrop, .rainTally, .spotShow, .crowdShow, .pinShow, .goalShow,
      .roomEnd:
      .brings
    case .likeBurst, .skipped: .tells
    case .giftBump, .giftHide, .wishLikes, .wishGone, .rainEnd, .spotGone, .crowdHide, .pinGone, .goalCount, .goalEnd,
      .retracted:
      .changes
    }
  }

  /// The timeline of a log has an item of its own for it. The others are parts of one, or events stand there for them.
  package var isTimelineItem: Bool {
    switch self {
    case .giftShow, .wishFly, .likeBurst, .rainCountdown, .spotShow, .crowdShow, .pinShow, .goalShow, .skipped: true
    case .giftBump, .giftHide, .wishLikes, .wishGone, .rainDrop, .rainTally, .rainEnd, .spotGone, .crowdHide,
      .pinGone, .goalCount, .goalEnd, .retracted, .roomEnd:
      false
    }
  }
}

import RoomEngine
import RoomModel

/// Reasons for commands of the like stage and the rain stage.
extension Reason {
  static func burst(_ step: RoomStep, _ settings: LikeSettings) -> Reason {
    let pace = "paceMs, \(settings.paceMs)"
    guard case .timer = step.cause else {
      return Reason(5, "likes", "the tap is a like, and the last burst was sent its pace (\(pace)) ago or more")
    }
    return Reason(5, "likes", "likes came within the pace (\(pace)) of the last burst; it is over now")
  }

  static func countdown(_ countdown: Lent<RainCountdown>, _ step: RoomStep) -> Reason {
    if case .timer = step.cause {
      return Reason(
        6, "rainStart", "the countdown goes down by one each second: the rain starts \(countdown.startMs.clock)")
    }
    return Reason(6, "rainStart", "a rain begins with its countdown, \(countdown.left) s")
  }

  static func drop(_ drop: Lent<RainDrop>) -> Reason {
    Reason(
      6, "rainStart",
      "packet \(drop.packet) was due; where it drops and how long it falls are numbers that follow from the rain's id")
  }

  static func tally(_ step: RoomStep) -> Reason {
    guard case .timer(let timer) = step.cause else {
      return Reason(6, "rainGrab", "a packet was opened, and the last tally was sent tallyMs ago or more")
    }
    return timer.kind == .rainEnds
      ? Reason(6, "rainGrab", "packets were opened since the last tally, and the rain ends: it is told before")
      : Reason(6, "rainGrab", "packets were opened within tallyMs of the last tally; those are over now")
  }

  static var rainEnd: Reason {
    Reason(6, "rainStart", "the last packet landed graceMs ago: nothing can be opened any more")
  }
}

import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// Reasons for commands of the like stage and the rain stage.
extension Reason {
  static func burst(_ step: RoomStep) -> Reason {
    guard case .timer = step.cause else {
      var likes = "the tap is a like"
      for case .taps(_, _, let counted, _) in step.decisions {
        likes = "\(counted) of the likes that the run told count"
      }
      return Reason(.bursts, "\(likes), and no earlier burst's pace (paceMs) was running")
    }
    let pace = "paceMs\(step.spans[.burst].afterComma)"
    return Reason(.bursts, "likes came within the pace (\(pace)) of the last burst; it is over now")
  }

  static func countdown(_ countdown: Lent<RainCountdown>, _ step: RoomStep) -> Reason {
    if case .timer = step.cause {
      return Reason(
        .rainStarts, "the countdown goes down by one each second: the rain starts \(countdown.startMs.clock)")
    }
    return Reason(.rainStarts, "a rain begins with its countdown, \(countdown.left) s")
  }

  static func drop(_ drop: Lent<RainDrop>) -> Reason {
    Reason(
      .packets,
      "packet \(drop.packet) was due; where it drops and how long it falls are numbers that follow from the rain's id")
  }

  static func tally(_ tally: RainTally, _ step: RoomStep) -> Reason {
    let pace = "tallyMs\(step.spans[.rainTally, id: ID(tally.rainId)].inParentheses)"
    guard case .timer(let timer) = step.cause else {
      return Reason(
        .tallies,
        tally.opened == 1
          ? "the first packet was opened" : "a packet was opened, and the last tally was sent \(pace) ago or more")
    }
    return timer.kind == .rainEnds
      ? Reason(.tallies, "packets were opened since the last tally, and the rain ends: it is told before")
      : Reason(.tallies, "packets were opened within \(pace) of the last tally; those are over now")
  }

  static func rainEnd(_ end: RainEnd, _ step: RoomStep) -> Reason {
    let grace = "graceMs\(step.spans[.rainGrace, id: ID(end.rainId)].inParentheses)"
    if case .timer(let timer) = step.cause, timer.rain?.packets == 0 {
      return Reason(.packets, "its time was over \(grace) ago; it was too short for a packet")
    }
    return Reason(.packets, "the last packet landed \(grace) ago: nothing can be opened any more")
  }
}

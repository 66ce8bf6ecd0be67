import RoomEngine
import RoomModel

/// The reasons of commands of the spot and of crowds.
extension Reason {
  static func spot(_ show: Lent<SpotShow>, _ step: RoomStep) -> Reason {
    if case .timer(let timer) = step.cause, timer.kind == .spotBecomesFree {
      return Reason(.shown, "the spot became free: of the queued items it was worth most, of equals the longest queued")
    }
    return show.comboId.isEmpty
      ? Reason(.itemComes, "it came, and the spot was free")
      : Reason(.items, "its combo's giftShow told tier \(show.tier) for the first time, and the spot was free")
  }

  static func crowd(_ show: Lent<CrowdShow>, _ step: RoomStep, _ settings: CrowdSettings) -> Reason {
    switch step.cause {
    case .timer(let timer) where timer.kind == .crowdTurnIsOver:
      return Reason(
        .bar,
        "the turn before is over (showMs\(step.spans[.crowdTurn].afterComma)): of the crowds with something untold, "
          + "that which has waited for waitMs (\(settings.waitMs)) the longest, or else the dearest, is shown")
    case .timer(let timer) where timer.kind == .pacedCrowdShow:
      return Reason(
        .bar,
        "more joined within paceMs\(step.spans[.crowdShow].inParentheses) of the last crowdShow; it is over now")
    case .event(let event, _, .retract):
      return Reason(.takingBack, "\(event.words), whom it named; this names nobody of that user")
    case .event, .timer, .settings:
      return show.items == 1
        ? Reason(.bar, "a combo found no lane, and the bar was free: its crowd is shown at once")
        : Reason(
          .bar,
          "a combo joined the crowd that is shown, whose last crowdShow was "
            + "paceMs\(step.spans[.crowdShow].inParentheses) ago or more"
        )
    }
  }
}

import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The reasons of commands of pins and goals.
extension Reason {
  static func pin(_ show: Lent<PinShow>, _ step: RoomStep) -> Reason {
    guard case .timer = step.cause else { return Reason(.pinComes, "it came, and there was room for it") }
    let span = step.spans[.pinRefresh, id: ID(show.pinId)].inParentheses
    return Reason(.pinEnds, "its last pinShow was refreshMs\(span) ago: it is told again, as it is")
  }

  /// One that a retract or the room's end took has its reason already.
  static func gone(_ gone: PinGone, _ step: RoomStep) -> Reason {
    guard let (limit, other) = step.pushing(out: gone.pinId) else { return Reason(.pinComes, "\(gone.reason)") }
    return Reason(
      .pinComes,
      "limit (\(limit)) pins or more were shown, and \(other), came: of all of them this one was the least")
  }

  static func goal(_ show: Lent<GoalShow>, _ step: RoomStep) -> Reason {
    if case .timer = step.cause {
      let span = step.spans[.goalRefresh, id: ID(show.goalId)].inParentheses
      return Reason(.goalCounts, "its last goalShow was refreshMs\(span) ago: it is told again, as it is")
    }
    for goal in step.goals where goal.id == show.goalId {
      if case .changed = goal.fate { return Reason(.goalBegins, "it runs, and this event changed it") }
    }
    return Reason(.goalBegins, "it begins")
  }

  static func count(_ count: Lent<GoalCount>, _ step: RoomStep) -> Reason {
    let pace = "paceMs\(step.spans[.goalPace, id: ID(count.goalId)].inParentheses)"
    guard case .event = step.cause else {
      return Reason(
        .goalCounts,
        "it was counted within \(pace) of the last goalShow or goalCount; those are over now")
    }
    let words = step.goals.first { $0.id == count.goalId }?.words ?? "its progress changed"
    let isReached = count.reached == 1 && step.goals.contains { $0.id == count.goalId && $0.reaches }
    return Reason(
      .goalCounts,
      isReached
        ? "\(words): its target is reached, which is told at once"
        : "\(words); the last goalShow or goalCount was \(pace) ago or more")
  }

  static func end(_ end: Lent<GoalEnd>, _ step: RoomStep) -> Reason {
    guard end.reason == .over else { return Reason(.goalEnds, "\(end.reason)") }
    let grace = step.spans[.goalGrace, id: ID(end.goalId)]
    return Reason(
      .goalEnds,
      grace.ms == 0 ? "its time is over" : "its time was over graceMs\(grace.inParentheses) ago")
  }
}

extension Decision.GoalFate {
  /// The amount made its progress the target or more. Of a goal with sides it is the side's, which is no less.
  fileprivate var reaches: Bool { target > 0 && progress >= target && progress - amount < target }
}

extension Lent<Pin> {
  /// `阿花 (7): hi (p1), value 50`
  var words: String {
    pinWords(
      by: named(self.sender.name.description, self.sender.userId.description), self.text.description, ID(self.pinId),
      self.value, isFirst: self.first != 0)
  }
}

extension PinPicture {
  var words: String { pinWords(by: named(name, userId), text, ID(pinId), value, isFirst: isFirst) }
}

private func pinWords(by whom: String, _ text: String, _ id: ID, _ value: Int64, isFirst: Bool) -> String {
  "\(whom): \(text.printable) (\(id.printable))" + (isFirst ? ", first" : "")
    + (value > 0 ? ", value \(value)" : "")
}

extension GoalPicture {
  /// `roses (g1): 30 of 100`
  var words: String {
    let name = text.isEmpty ? goalId.printable : "\(text.printable) (\(goalId.printable))"
    return "\(name): \(sum)"
  }

  /// `30 of 100`, `70 (a 20, b 50)`
  var sum: String {
    let all = sides.map { "\($0.id.printable) \($0.total)" }.joined(separator: ", ")
    return "\(progress)" + (target > 0 ? " of \(target)" : "") + (all.isEmpty ? "" : " (\(all))")
  }
}

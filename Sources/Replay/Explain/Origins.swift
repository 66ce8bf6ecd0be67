import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The events behind what stands in a room: gifts by combo, wishes and likes by wish, the likes of the next burst, rains
/// and what was opened since their last tally, and what was skipped and not yet told. It holds no more than the room
/// does, and of many gifts of one combo only the first and the last.
struct Origins {
  struct Origin {
    let record: SeenRecord
    let eventId: ID
    let at: LogTime
    let words: String
  }

  struct Story {
    var first: Origin
    var later: [Origin] = []
    var left = 0

    mutating func add(_ origin: Origin) {
      later.append(origin)
      if later.count > 8 {
        later.removeFirst()
        left += 1
      }
    }
  }

  private var combos: [Int64: Story] = [:]
  private var wishes: [ID: Story] = [:]
  private(set) var likes: Story?
  private var rains: [ID: Origin] = [:]
  private(set) var grabs: [ID: Story] = [:]
  /// The skips, by stage and reason.
  private var skips = [[String]](repeating: [], count: 16)
  private var leftSkips = [Int](repeating: 0, count: 16)
  /// The items of the spot by id; combos there by the ids of their combos.
  private var spots: [ID: Story] = [:]
  /// Pins, goals, and what goals counted since they were told last.
  private var pins: [ID: Origin] = [:]
  private var goals: [ID: Origin] = [:]
  private(set) var counts: [ID: Story] = [:]
  /// What joined each crowd since it was told last.
  private var joined: [Int64: Joined] = [:]
  /// The crowd that was told last: what joins it from then on is all that is behind its next command.
  private var toldCrowd: Int64?

  private struct Joined {
    var lines: [String] = []
    /// The number of those before them.
    var left = 0
    /// Nothing had joined before that this piece of the log doesn't have.
    let isWhole: Bool
  }

  /// Called before its commands are looked at.
  mutating func learn(from step: RoomStep) {
    switch step.cause {
    case .event(let event, let record, _):
      let origin = Origin(record: record, eventId: ID(event.eventId), at: step.at, words: event.words)
      if let combo = step.gift?.combo {
        combos[combo] == nil ? combos[combo] = Story(first: origin) : combos[combo]!.add(origin)
      }
      switch (event.body, step.item?.fate) {
      case (.wish(let wish), .queued), (.wish(let wish), .began): wishes[ID(wish.wishId)] = Story(first: origin)
      case (.wish, .liked), (.wishLike, .liked): wishes[ID(step.item!.id)]?.add(origin)
      case (.rainStart(let start), .began): rains[ID(start.rainId)] = origin
      case (.spot(let spot), .queued): spots[ID(spot.spotId)] = Story(first: origin)
      // The others are behind no command but those that they cause at once.
      default: break
      }
      if case .rainGrab(let grab) = event.body, let fate = step.grab, fate.outcome == .won || fate.outcome == .empty {
        grabs.add(origin, to: ID(grab.rainId))
      }
      for decision in step.decisions { learn(decision, from: origin) }
      for goal in step.goals where goal.fate.isCounted { counts.add(origin, to: ID(goal.id)) }
    case .timer, .settings: break
    }
    for item in step.skips { note(item, at: step.at) }
  }

  private mutating func learn(_ decision: Decision, from origin: Origin) {
    switch decision {
    case .tap(true), .taps(_, _, 1..., _):
      likes == nil ? likes = Story(first: origin) : likes!.add(origin)
    case .pin(let pin):
      if case .shown = pin.fate { pins[ID(pin.id)] = origin }
    case .goal(let goal):
      if case .began = goal.fate { goals[ID(goal.id)] = origin }
    // Others begin nothing.
    default: break
    }
  }

  private mutating func note(_ item: SkippedItem, at: LogTime) {
    let words = "\(at.clock) \(item.words)"
    guard let crowd = item.crowdOffset else { return skip(item.stage, item.reason, words) }
    // An item that began the crowd named it.
    let isWhole = crowd == toldCrowd || crowd == item.offset
    joined[crowd, default: Joined(isWhole: isWhole)].lines.append(words)
    if joined[crowd]!.lines.count > 20 {
      joined[crowd]!.lines.removeFirst()
      joined[crowd]!.left += 1
    }
  }

  private mutating func skip(_ stage: Skipped.Stage, _ reason: Skipped.Reason, _ words: String) {
    let index = Self.index(stage, reason)
    skips[index].append(words)
    if skips[index].count > 20 {
      skips[index].removeFirst()
      leftSkips[index] += 1
    }
  }

  /// Called after its commands were looked at.
  mutating func forget(after step: RoomStep) {
    for command in step.commands {
      switch command.body {
      case .skipped(let skipped):
        skips[Self.index(skipped.stage, skipped.reason)] = []
        leftSkips[Self.index(skipped.stage, skipped.reason)] = 0
      case .likeBurst: likes = nil
      case .pinGone(let gone): pins[ID(gone.pinId)] = nil
      case .goalShow(let show): counts[ID(show.goalId)] = nil
      case .goalCount(let count): counts[ID(count.goalId)] = nil
      case .goalEnd(let end): (goals[ID(end.goalId)], counts[ID(end.goalId)]) = (nil, nil)
      case .rainTally(let tally): grabs[ID(tally.rainId)] = nil
      case .rainEnd(let end): rains[ID(end.rainId)] = nil
      case .spotShow(let show): spots[ID(show.spotId)] = nil
      case .crowdShow(let show): (joined[show.crowdOffset], toldCrowd) = (nil, show.crowdOffset)
      // The origin of any other goes on, or ends with a timer or an event.
      default: break
      }
    }
    for case .pin(let pin) in step.decisions {
      if case .over = pin.fate { pins[ID(pin.id)] = nil }
    }
    for item in step.skips where item.stage == .gift { combos[item.offset] = nil }
    switch step.cause {
    case .event(_, _, .retract(let removed)):
      for combo in removed.combos { combos[combo.offset] = nil }
      for wish in removed.wishes { wishes[ID(wish.wishId)] = nil }
      for item in removed.spots { spots[ID(item.spotId)] = nil }
    case .event(_, _, .roomEnd):
      (combos, wishes, likes, rains, grabs, spots) = ([:], [:], nil, [:], [:], [:])
      (joined, toldCrowd) = ([:], nil)
    case .timer(let timer):
      switch timer.kind {
      case .restRunsOut: combos[timer.combo!.offset] = nil
      case .bannerLands, .wishWaitRunsOut: wishes[ID(timer.wish!.wishId)] = nil
      case .spotWaitRunsOut: spots[ID(timer.spot!.spotId)] = nil
      default: break
      }
    // Other events end nothing.
    case .event, .settings: break
    }
  }

  static func index(_ stage: Skipped.Stage, _ reason: Skipped.Reason) -> Int {
    Int(stage.rawValue) * Skipped.Reason.allCases.count + Int(reason.rawValue)
  }

  // MARK: Lines

  func lines(ofCombo offset: Int64, _ partitionName: String) -> [String] {
    guard let story = combos[offset] else {
      return ["combo \(partitionName)/\(offset), which was there when this piece of the log began"]
    }
    let isWhole = story.first.record.offset == offset
    let gifts =
      isWhole ? "of these gifts" : "which was there when this piece of the log began, and of these gifts since"
    return ["combo \(partitionName)/\(offset), \(gifts):"] + lines(story)
  }

  func lines(ofWish id: ID) -> [String] {
    guard let story = wishes[id] else {
      return ["wish \(id.printable), which was there when this piece of the log began"]
    }
    return lines(story)
  }

  func lines(ofRain id: ID) -> [String] {
    [rains[id].map(Self.line) ?? "rain \(id.printable), which was there when this piece of the log began"]
  }

  func lines(ofPin id: ID) -> [String] {
    [pins[id].map(Self.line) ?? "pin \(id.printable), which was there when this piece of the log began"]
  }

  func lines(ofGoal id: ID) -> [String] {
    [goals[id].map(Self.line) ?? "goal \(id.printable), which was there when this piece of the log began"]
  }

  func lines(ofSpot show: Lent<SpotShow>, _ partitionName: String) -> [String] {
    if let combo = show.comboOffset { return lines(ofCombo: combo, partitionName) }
    let id = ID(show.spotId)
    guard let story = spots[id] else {
      return ["item \(id.printable), which was there when this piece of the log began"]
    }
    return lines(story)
  }

  /// It is told when something has joined it, so where nothing is known to have that was before.
  func lines(ofCrowd offset: Int64, _ partitionName: String) -> [String] {
    let before = "crowd \(partitionName)/\(offset), which was there when this piece of the log began"
    guard let joined = joined[offset] else { return [before] }
    let left = joined.left > 0 ? ["… \(joined.left) more before …"] : []
    return (joined.isWhole ? [] : ["\(before), and since then"]) + left + joined.lines
  }

  func lines(_ story: Story) -> [String] {
    let left = story.left > 0 ? ["… \(story.left) more …"] : []
    return [Self.line(story.first)] + left + story.later.map(Self.line)
  }

  func lines(ofSkips index: Int) -> [String] {
    let left = leftSkips[index] > 0 ? ["… \(leftSkips[index]) more before …"] : []
    return left + skips[index]
  }

  private static func line(_ origin: Origin) -> String {
    let id = origin.eventId.isEmpty ? "" : " (event \(origin.eventId.printable))"
    return "\(origin.at.clock) \(origin.record.name)\(id): \(origin.words)"
  }
}

extension [ID: Origins.Story] {
  fileprivate mutating func add(_ origin: Origins.Origin, to id: ID) {
    self[id] == nil ? self[id] = Origins.Story(first: origin) : self[id]!.add(origin)
  }
}

extension Decision.GoalFate.Fate {
  fileprivate var isCounted: Bool { if case .counted = self { true } else { false } }
}

extension Lent<SpotShow> {
  /// Nil: it is of an event of its own.
  fileprivate var comboOffset: Int64? { CommandID(self.comboId.bytes)?.offset }
}

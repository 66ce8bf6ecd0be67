import RoomEngine
import RoomModel

/// The events behind what stands in a room: gifts by combo, wishes and likes by wish, the likes of the next burst, rains
/// and what was opened since their last tally, and what was skipped and not yet told. It holds no more than the room
/// does, and of many gifts of one combo only the first and the last.
struct Origins {
  private struct Origin {
    let record: SeenRecord
    let eventId: String
    let at: LogTime
    let words: String
  }

  private struct Story {
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
  private var wishes: [String: Story] = [:]
  private var likes: Story?
  private var rains: [String: Origin] = [:]
  private var grabs: [String: Story] = [:]
  /// By stage and reason.
  private var skips = [[String]](repeating: [], count: 8)
  private var leftSkips = [Int](repeating: 0, count: 8)

  /// Before its commands are looked at.
  mutating func learn(from step: RoomStep) {
    switch step.cause {
    case .event(let event, let record, let arrival):
      let origin = Origin(record: record, eventId: event.eventId.description, at: step.at, words: event.words)
      switch arrival {
      case .gift(let count, let before, let after, let skipped):
        if count > 0, let combo = after?.offset ?? before?.offset {
          combos[combo] == nil ? combos[combo] = Story(first: origin) : combos[combo]!.add(origin)
        }
        for combo in skipped {
          skip(.gift, .overflow, "\(step.at.clock) \(combo.words), \(counted(combo.units, "gift")) not shown")
        }
      case .wish(nil, let after):
        guard case .wish(let wish) = event.body else { return }
        if after != nil {
          wishes[wish.wishId.description] = Story(first: origin)
        } else {
          skip(.wish, .overflow, "\(step.at.clock) \(event.words)")
        }
      case .like(let before?, let after?) where after.likes > before.likes:
        wishes[after.wishId]?.add(origin)
      case .tap(isLike: true, _):
        likes == nil ? likes = Story(first: origin) : likes!.add(origin)
      case .takenBack(let units):
        guard units > 0 else { return }
        if case .gift = event.body {
          skip(.gift, .retracted, "\(step.at.clock) \(event.words), \(counted(units, "gift")) not shown")
        } else {
          skip(.wish, .retracted, "\(step.at.clock) \(event.words)")
        }
      case .retract(let combos, let wishes): end(combos, wishes, .retracted, step)
      case .roomEnd(let combos, let wishes): end(combos, wishes, .ended, step)
      case .rainStart(nil, let rain?):
        rains[rain.rainId] = origin
      case .rainGrab(let moment) where moment.outcome == .won || moment.outcome == .empty:
        guard let rain = moment.rain?.rainId else { return }
        grabs[rain] == nil ? grabs[rain] = Story(first: origin) : grabs[rain]!.add(origin)
      default: break
      }
    case .timer(let timer):
      if timer.kind == .giftWaitRunsOut, let combo = timer.combo, combo.tier == 0 {
        skip(.gift, .expired, "\(step.at.clock) \(combo.words), \(counted(combo.gap, "gift")) not shown")
      } else if timer.kind == .wishWaitRunsOut, let wish = timer.wish {
        skip(.wish, .expired, "\(step.at.clock) \(wish.words)")
      }
    case .settings: break
    }
  }

  private mutating func end(
    _ combos: [ComboPicture], _ wishes: [WishPicture], _ reason: Skipped.Reason, _ step: RoomStep
  ) {
    for combo in combos where combo.gap > 0 {
      skip(.gift, reason, "\(step.at.clock) \(combo.words), \(counted(combo.gap, "gift")) not shown")
    }
    for wish in wishes {
      if case .queued = wish.place { skip(.wish, reason, "\(step.at.clock) \(wish.words)") }
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

  /// After its commands were looked at.
  mutating func forget(after step: RoomStep) {
    for command in step.commands {
      switch command.body {
      case .skipped(let skipped):
        skips[Self.index(skipped.stage, skipped.reason)] = []
        leftSkips[Self.index(skipped.stage, skipped.reason)] = 0
      case .likeBurst: likes = nil
      case .rainTally(let tally): grabs[tally.rainId.description] = nil
      case .rainEnd(let end): rains[end.rainId.description] = nil
      default: break
      }
    }
    switch step.cause {
    case .event(_, _, .gift(_, _, _, let skipped)):
      for combo in skipped { combos[combo.offset] = nil }
    case .event(_, _, .retract(let taken, let gone)):
      for combo in taken { combos[combo.offset] = nil }
      for wish in gone { wishes[wish.wishId] = nil }
    case .event(_, _, .roomEnd): (combos, wishes, likes, rains, grabs) = ([:], [:], nil, [:], [:])
    case .timer(let timer):
      switch timer.kind {
      case .giftWaitRunsOut where timer.combo!.tier > 0: break
      case .restRunsOut, .giftWaitRunsOut: combos[timer.combo!.offset] = nil
      case .bannerLands, .wishWaitRunsOut: wishes[timer.wish!.wishId] = nil
      default: break
      }
    default: break
    }
  }

  private static func index(_ stage: Skipped.Stage, _ reason: Skipped.Reason) -> Int {
    Int(stage.rawValue) * Skipped.Reason.allCases.count + Int(reason.rawValue)
  }

  // MARK: Lines

  func lines(behind command: RoomCommand, partitionName: String) -> [String] {
    switch command.body {
    case .giftShow(let show): lines(ofCombo: show.comboOffset, partitionName)
    case .giftBump(let bump): lines(ofCombo: bump.comboOffset, partitionName)
    case .giftHide(let hide): lines(ofCombo: hide.comboOffset, partitionName)
    case .wishFly(let fly): lines(ofWish: fly.wishId.description)
    case .wishLikes(let likes): lines(ofWish: likes.wishId.description)
    case .wishGone(let gone): lines(ofWish: gone.wishId.description)
    case .likeBurst: likes.map { lines($0) } ?? []
    case .rainCountdown(let countdown): lines(ofRain: countdown.rainId.description)
    case .rainDrop(let drop): lines(ofRain: drop.rainId.description)
    case .rainTally(let tally): grabs[tally.rainId.description].map { lines($0) } ?? []
    case .rainEnd(let end): lines(ofRain: end.rainId.description)
    case .roomEnd: []
    case .skipped(let skipped): lines(ofSkips: Self.index(skipped.stage, skipped.reason))
    }
  }

  private func lines(ofCombo offset: Int64, _ partitionName: String) -> [String] {
    guard let story = combos[offset] else {
      return ["combo \(partitionName)/\(offset), which was there when this piece of the log began"]
    }
    let isWhole = story.first.record.offset == offset
    let gifts =
      isWhole ? "of these gifts" : "which was there when this piece of the log began, and of these gifts since"
    return ["combo \(partitionName)/\(offset), \(gifts):"] + lines(story)
  }

  private func lines(ofWish id: String) -> [String] {
    guard let story = wishes[id] else {
      return ["wish \(id.printable), which was there when this piece of the log began"]
    }
    return lines(story)
  }

  private func lines(ofRain id: String) -> [String] {
    [rains[id].map(Self.line) ?? "rain \(id.printable), which was there when this piece of the log began"]
  }

  private func lines(_ story: Story) -> [String] {
    let left = story.left > 0 ? ["… \(story.left) more …"] : []
    return [Self.line(story.first)] + left + story.later.map(Self.line)
  }

  private func lines(ofSkips index: Int) -> [String] {
    let left = leftSkips[index] > 0 ? ["… \(leftSkips[index]) more before …"] : []
    return left + skips[index]
  }

  private static func line(_ origin: Origin) -> String {
    let id = origin.eventId.isEmpty ? "" : " (event \(origin.eventId.printable))"
    return "\(origin.at.clock) \(origin.record.name)\(id): \(origin.words)"
  }
}

import RoomEngine
import RoomModel
import TestSupport
import Testing

/// Laws of every log with goals: what they count, looked at by other means than the engine's.
struct GoalLaws {
  private struct Counted {
    let by: Goal.By
    let gift: String
    let receiver: String
    let home: String
    let sides: [String]
    var endMs: LogTime
    /// By side; "": of a goal without sides.
    var added: [String: Int64] = [:]
    var scores: [String: Int64] = [:]

    var totals: [Int64] { sides.map { max(added[$0] ?? 0, scores[$0] ?? 0) } }
    var progress: Int64 {
      sides.isEmpty
        ? min(Goal.most, (added[""] ?? 0) + (scores[""] ?? 0)) : totals.reduce(0) { min(Goal.most, $0 + $1) }
    }
  }

  /// One room without streaks, mutes and runs, so that what arrives is what the events say.
  private func events(seed: UInt64) -> [(at: LogTime, event: RoomEvent)] {
    var random = SplitMix64(seed: seed)
    var at: LogTime = 0
    return (0..<300).map { number in
      at += random.number(0...400)
      let user = random.one(of: ["1", "2"])
      let goal = "g\(random.number(0...2))"
      switch random.number(0...9) {
      case 0:
        let sides: [String] = random.one(of: [[], ["host", "b"]])
        return (
          at,
          .goal(
            goal, by: random.one(of: sides.isEmpty ? [.value, .units, .likes, .none] : [.value, .units]),
            gift: random.one(of: ["", "rose"]), to: sides.isEmpty ? random.one(of: ["", "host"]) : "",
            target: random.one(of: [0, 100]), sides: sides, home: sides.isEmpty ? "" : random.one(of: ["", "b"]),
            durationMs: random.one(of: [0, 1000, 9000]))
        )
      case 1...2: return (at, .score(goal, random.one(of: ["", "host", "b"]), random.number(0...500)))
      case 3...4: return (at, .taps(user, "run\(number)", random.number(1...90)))
      default:
        return (
          at,
          .gift(
            user, random.one(of: ["rose", "car"]), count: random.number(1...9), value: random.number(0...20),
            to: random.one(of: ["", "host", "b", "c"]), apart: random.once(in: 3))
        )
      }
    }
  }

  @Test(arguments: 0..<80 as Range<UInt64>)
  func `a goal's progress is what counted of the log's gifts, likes and scores`(seed: UInt64) {
    var settings = EngineSettings()
    settings.goal.paceMs = SplitMix64.pace(seed)
    var log = PartitionLog(settings: settings, hashSeed: seed, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var goals: [String: Counted] = [:]
    var offset: Int64 = 0
    func check(_ batch: borrowing CommandBatch) {
      for command in batch.commands {
        switch command.body {
        case .goalShow(let show) where goals[show.goalId.description] != nil:
          #expect(goals[show.goalId.description]!.progress == show.progress)
        case .goalCount(let count):
          #expect(goals[count.goalId.description]?.progress == count.progress)
          #expect(goals[count.goalId.description]?.totals == count.sides.map(\.total))
        case .goalEnd(let end):
          let counted = goals.removeValue(forKey: end.goalId.description)
          #expect(counted?.progress == end.progress && counted?.totals == end.sides.map(\.total))
        default: break
        }
      }
    }
    for (at, event) in events(seed: seed) {
      // What is due before is told without the event.
      _ = log.fireTimers(through: at, into: &batch)
      check(batch)
      batch.removeAll()
      count(event, at: at, in: &goals)
      _ = log.apply(offset: offset, timestampMs: at, event: event, into: &batch)
      check(batch)
      batch.removeAll()
      offset += 1
    }
    _ = log.fireTimers(through: 1 << 50, into: &batch)
    check(batch)
    #expect(goals.isEmpty)
  }

  private func count(_ event: RoomEvent, at: LogTime, in goals: inout [String: Counted]) {
    switch event.body {
    case .goal(let goal):
      let id = goal.goalId.description
      let spanMs = goal.durationMs > 0 ? goal.durationMs : goals[id] == nil ? Goal.standardMs : nil
      if goals[id] == nil {
        goals[id] = Counted(
          by: goal.by, gift: goal.giftId.description, receiver: goal.receiverId.description,
          home: goal.home.description, sides: goal.sides.map(\.description), endMs: 0)
      }
      if let spanMs { goals[id]!.endMs = at + spanMs }
    case .score(let score):
      let (id, side) = (score.goalId.description, score.side.description)
      guard let goal = goals[id], goal.sides.isEmpty == side.isEmpty, side.isEmpty || goal.sides.contains(side) else {
        return
      }
      goals[id]!.scores[side] = max(goal.scores[side] ?? 0, score.total)
    case .taps(let taps):
      for (id, goal) in goals where goal.by == .likes && at < goal.endMs {
        goals[id]!.added["", default: 0] += taps.count
      }
    case .gift(let gift):
      for (id, goal) in goals where at < goal.endMs && (goal.by == .value || goal.by == .units) {
        guard goal.gift.isEmpty || goal.gift == gift.giftId.description else { continue }
        let receiver = gift.receiverId.description
        let amount = goal.by == .value ? gift.value * gift.count : gift.count
        if goal.sides.isEmpty {
          if goal.receiver.isEmpty || goal.receiver == receiver { goals[id]!.added["", default: 0] += amount }
        } else if goal.sides.contains(receiver) {
          goals[id]!.added[receiver, default: 0] += amount
        } else if !goal.home.isEmpty {
          goals[id]!.added[goal.home, default: 0] += amount
        }
      }
    default: break
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `a second brings no more counts of a goal than its pace allows, and two`(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 600, changesSettings: false, setsRooms: false)
    var partition = PartitionLog(settings: log.settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var counts: [String: [LogTime]] = [:]
    for input in log.inputs {
      partition.take(input, into: &batch)
      for command in batch.commands {
        if case .goalCount(let count) = command.body {
          counts["\(command.roomId) \(count.goalId)", default: []].append(command.atMs)
        }
        // A goal that begins anew is another.
        if case .goalEnd(let end) = command.body { counts["\(command.roomId) \(end.goalId)"] = [] }
      }
      for times in counts.values {
        let last = times.last ?? 0
        #expect(times.filter { $0 > last - 1000 }.count <= 1000 / Int(log.settings.goal.paceMs) + 2)
      }
      batch.removeAll()
    }
  }
}

extension SplitMix64 {
  fileprivate static func pace(_ seed: UInt64) -> Milliseconds { seed.isMultiple(of: 2) ? 100 : 700 }
}

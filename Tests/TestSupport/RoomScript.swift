package import RoomEngine
import RoomModel

/// A room's evening as a table: when, what comes, what is drawn.
///
///        0 | gift ann rose 1 | show ann rose lane 1 from 0 total 1
///      550 |                 | bump lane 1 count 1
///     1850 |                 | hide lane 1 count 1
///
/// A line's input is a record with that timestamp:
///
///     gift USER GIFT COUNT [value N] [to RECEIVER] [streak ID] [apart 1] [hold N] [id EVENT]
///     wish USER ID [TEXT] [id EVENT]
///     like USER ID [id EVENT]
///     tap USER X Y [id EVENT]
///     taps USER RUN COUNT
///     rain ID DURATION [every N] [countdown N] [budget N] [prizes A,B,…]    N packets a second
///     grab USER RAIN PACKET [id EVENT]      its result stands among what is drawn, after the record's commands
///     spot USER ID [value N] [for N]
///     pin USER ID [value N] [first 1] [for N]
///     goal ID [by WORD] [to RECEIVER] [target N] [sides A,B,…] [home A] [for N]
///     score GOAL TOTAL [side A]
///     retract user USER [mute N] | retract wish ID | retract combo OFFSET | retract spot ID | retract pin ID |
///       retract goal ID
///     own NAME VALUE … [for N]        the room's own settings; none: the worker's again
///     end                             the room ends
///     broken                          a record that can't be understood
///
/// or what happens to the log: `idle` (timers fire up to then) and `set NAME VALUE` (a setting changes). After the
/// last line all timers fire. A line without a time is at that of the line before.
///
/// A room of at most 200 inputs is drawn twice: by one owner, and with another owner for each line, who has the room's state
/// as it was written and the inputs before.
package struct RoomScript {
  struct Line: Equatable {
    var at: LogTime
    var text: String
  }

  private enum Input {
    case record(RoomEvent?)
    case idle
    case change((inout EngineSettings) -> Void)
  }

  private var inputs: [(at: LogTime, input: Input)] = []
  /// The offset of each input, or of the record after it.
  private var offsets: [Int64] = []
  private var expected: [Line] = []
  private let settings: EngineSettings

  /// - Parameter isPlain: See ``EngineSettings/plain``.
  package init(_ script: String, settings: EngineSettings = EngineSettings(), isPlain: Bool = true) {
    self.settings = isPlain ? settings.plain : settings
    var at: LogTime = 0
    var records: Int64 = 0
    for line in script.split(separator: "\n") {
      let columns = line.split(separator: "|", omittingEmptySubsequences: false).map { words($0) }
      precondition(columns.count == 3, "a line has three columns: \(line)")
      if let time = columns[0].first { at = LogTime(time)! }
      if !columns[1].isEmpty {
        offsets.append(records)
        inputs.append((at, Self.input(columns[1])))
        if case .record = inputs.last!.input { records += 1 }
      }
      if !columns[2].isEmpty { expected.append(Line(at: at, text: columns[2].joined(separator: " "))) }
    }
  }

  /// Nil: just the lines of the script were drawn; otherwise both, line by line.
  package func difference() -> String? {
    if let difference = difference(play(isHandedOver: false)) { return difference }
    // Each owner takes all inputs so far.
    guard inputs.count <= 200 else { return nil }
    return difference(play(isHandedOver: true)).map { "with another owner for each line:\n\($0)" }
  }

  private func difference(_ drawn: [Line]) -> String? {
    if drawn == expected { return nil }
    var text = ""
    for i in 0..<max(drawn.count, expected.count) {
      let wanted = i < expected.count ? expected[i] : nil
      let got = i < drawn.count ? drawn[i] : nil
      if wanted == got, let got {
        text += "  \(got.at) | \(got.text)\n"
      } else {
        if let wanted { text += "- \(wanted.at) | \(wanted.text)\n" }
        if let got { text += "+ \(got.at) | \(got.text)\n" }
      }
    }
    return text
  }

  /// All that is drawn, each with its time.
  package var drawn: [String] { play(isHandedOver: false).map { "\($0.at) \($0.text)" } }

  private var newLog: PartitionLog { PartitionLog(settings: settings, hashSeed: 1, keepsChanges: true, log: "in/0") }

  private func play(isHandedOver: Bool) -> [Line] {
    var log = newLog
    var batch = CommandBatch()
    var lines: [Line] = []
    var clocks: [LogTime] = []
    var states: [String: [UInt8]] = [:]
    for i in inputs.indices {
      if isHandedOver { log = handedOver(&log, &states, clocks, &lines) }
      take(i, to: &log, into: &batch)
      clocks.append(log.clock)
      lines += batch.commands.map { Line(at: $0.atMs, text: $0.line) }
      lines += batch.results.map { Line(at: inputs[i].at, text: $0.line) }
      batch.removeAll()
    }
    if isHandedOver { log = handedOver(&log, &states, clocks, &lines) }
    _ = log.fireTimers(through: 1 << 40, into: &batch)
    return lines + batch.commands.map { Line(at: $0.atMs, text: $0.line) }
  }

  private func take(_ i: Int, to log: inout PartitionLog, into batch: inout CommandBatch) {
    let (at, input) = inputs[i]
    switch input {
    case .record(let event):
      _ = log.apply(offset: offsets[i], timestampMs: at, event: event, into: &batch)
    case .idle:
      _ = log.fireTimers(through: at, into: &batch)
    case .change(let change):
      var settings = log.settings
      change(&settings)
      log.change(to: settings)
    }
  }

  /// The log of the next owner.
  ///
  /// - Parameters:
  ///   - states: The state of each room that was written last.
  ///   - clocks: The time of the log after each input so far.
  ///   - lines: Gets what is drawn once more, which should be nothing.
  private func handedOver(
    _ old: inout PartitionLog, _ states: inout [String: [UInt8]], _ clocks: [LogTime], _ lines: inout [Line]
  ) -> PartitionLog {
    old.writeChanged(into: &states)
    var new = newLog
    try! new.install(states)
    var batch = CommandBatch()
    for (i, clock) in clocks.enumerated() {
      switch inputs[i].input {
      case .record(let event):
        new.note(offset: offsets[i], timestampMs: inputs[i].at, event: event, into: &batch)
      // A journal tells the time.
      case .idle: new.advanceClock(to: clock)
      case .change: take(i, to: &new, into: &batch)
      }
    }
    lines += batch.commands.map { Line(at: $0.atMs, text: "again: \($0.line)") }
    return new
  }

  private static func input(_ words: [Substring]) -> Input {
    var words = words.map(String.init)
    func option(_ name: String) -> String {
      guard let place = words.lastIndex(of: name), place + 1 < words.count else { return "" }
      defer { words.removeSubrange(place...place + 1) }
      return words[place + 1]
    }
    switch words[0] {
    case "gift":
      return .record(
        .gift(
          words[1], words[2], count: Int64(words[3])!, value: Int64(option("value")) ?? 10, to: option("to"),
          streak: option("streak"), apart: option("apart") == "1", hold: Int64(option("hold")) ?? 0, id: option("id")))
    case "wish":
      let id = option("id")
      return .record(.wish(words[1], words[2], words.count > 3 ? words[3] : "hi", id: id))
    case "like":
      return .record(.like(words[1], words[2], id: option("id")))
    case "tap":
      return .record(.tap(words[1], x: Int64(words[2])!, y: Int64(words[3])!, id: option("id")))
    case "taps": return .record(.taps(words[1], words[2], Int64(words[3])!))
    case "pin":
      return .record(
        .pin(
          words[1], words[2], value: Int64(option("value")) ?? 0, first: option("first") == "1",
          durationMs: Int64(option("for")) ?? 0))
    case "goal":
      let by = option("by")
      return .record(
        .goal(
          words[1], by: Goal.By.allCases.first { "\($0)" == by } ?? .value, to: option("to"),
          target: Int64(option("target")) ?? 0, sides: option("sides").split(separator: ",").map { String($0) },
          home: option("home"), durationMs: Int64(option("for")) ?? 0))
    case "score": return .record(.score(words[1], option("side"), Int64(words[2])!))
    case "rain":
      return .record(
        .rain(
          words[1], durationMs: Int64(words[2])!, perSecond: Int64(option("every")) ?? 4,
          countdown: Int64(option("countdown")) ?? 0, budget: Int64(option("budget")) ?? 1000,
          prizes: option("prizes").split(separator: ",").map { Int64($0)! }))
    case "grab":
      return .record(.grab(words[1], words[2], Int64(words[3])!, id: option("id")))
    case "retract" where words[1] == "user":
      return .record(.takeBack(user: words[2], muteMs: Int64(option("mute")) ?? 0))
    case "spot":
      return .record(
        .spot(words[1], words[2], value: Int64(option("value")) ?? 0, durationMs: Int64(option("for")) ?? 0))
    case "retract" where words[1] == "pin": return .record(.takeBack(pin: words[2]))
    case "retract" where words[1] == "goal": return .record(.takeBack(goal: words[2]))
    case "retract" where words[1] == "spot": return .record(.takeBack(spot: words[2]))
    case "retract" where words[1] == "wish": return .record(.takeBack(wish: words[2]))
    case "retract": return .record(.takeBack(combo: "in/0/\(words[2])"))
    case "own":
      let forMs = Int64(option("for")) ?? 86_400_000
      return .record(.own(stride(from: 1, to: words.count, by: 2).map { (words[$0], words[$0 + 1]) }, forMs: forMs))
    case "end": return .record(.end())
    case "broken": return .record(nil)
    case "idle": return .idle
    case "set": return .change(setting(words[1], words[2]))
    default: preconditionFailure("no such input: \(words)")
    }
  }

  private static func setting(_ name: String, _ value: String) -> (inout EngineSettings) -> Void {
    let number = Int64(value) ?? 0
    switch name {
    case "gift.lanes": return { $0.gift.lanes = number }
    case "gift.placement": return { $0.gift.placement = .init(rawValue: value)! }
    case "gift.order": return { $0.gift.order = .init(rawValue: value)! }
    case "gift.tiers": return { $0.gift.tiers = GiftTiers(Text(value))! }
    case "gift.leastMs": return { $0.gift.leastMs = number }
    case "gift.exitMs": return { $0.gift.exitMs = number }
    case "gift.tickMs": return { $0.gift.tickMs = number }
    case "gift.holdMs": return { $0.gift.holdMs = number }
    case "gift.turnMs": return { $0.gift.turnMs = number }
    case "gift.streakMs": return { $0.gift.streakMs = number }
    case "gift.queueLimit": return { $0.gift.queueLimit = number }
    case "gift.maxWaitMs": return { $0.gift.maxWaitMs = number }
    case "gift.refreshMs": return { $0.gift.refreshMs = number }
    case "wish.tracks": return { $0.wish.tracks = number }
    case "wish.intervalMs": return { $0.wish.intervalMs = number }
    case "wish.durationMs": return { $0.wish.durationMs = number }
    case "wish.likesMs": return { $0.wish.likesMs = number }
    case "wish.mergeMs": return { $0.wish.mergeMs = number }
    case "like.doubleTapMs": return { $0.like.doubleTapMs = number }
    case "like.paceMs": return { $0.like.paceMs = number }
    case "like.maxPoints": return { $0.like.maxPoints = number }
    case "pin.limit": return { $0.pin.limit = number }
    case "goal.limit": return { $0.goal.limit = number }
    case "goal.paceMs": return { $0.goal.paceMs = number }
    case "rain.limit": return { $0.rain.limit = number }
    case "rain.fallMinMs": return { $0.rain.fallMinMs = number }
    case "rain.graceMs": return { $0.rain.graceMs = number }
    case "rain.tallyMs": return { $0.rain.tallyMs = number }
    case "rain.rememberMs": return { $0.rain.rememberMs = number }
    case "dedupe.windowMs": return { $0.dedupe.windowMs = number }
    default: preconditionFailure("no such setting: \(name)")
    }
  }
}

private func words(_ column: Substring) -> [Substring] { column.split(separator: " ") }

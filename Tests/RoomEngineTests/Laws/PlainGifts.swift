import RoomEngine
import RoomModel
import TestSupport

/// STAGES.md, section 3, and the skips of section 9, for one room whose settings stay, said as plainly as can be: all
/// timers are looked for anew each time. It gives the lines that `RoomCommand.line` does, with their times.
struct PlainGifts {
  struct Gift {
    var user: Int
    var gift: String
    var receiver: String
    var count: Int64
    var value: Int64
    var streak: String
    var holdMs: Int64
  }

  private enum State {
    case queued(sinceMs: Int64, waits: Bool)
    case onLane(Int, View)
    case leaving(Int, freeAtMs: Int64)
    /// Its lane has become free just now.
    case between
    case resting(untilMs: Int64)
  }

  private struct View {
    var shownAtMs: Int64
    var ticks: Int64 = 1
    var step: Int64 = 0
    var holdEndsMs: Int64?
    var lastShowMs: Int64
    var toldTier: Int
  }

  private struct Combo {
    let first: Gift
    var total: Int64
    var shown: Int64 = 0
    var state: State
    /// Grows with each time that one is queued.
    var queuedAs = 0
  }

  private struct Skips {
    var items = 0
    var units: Int64 = 0
    var lastMs: Int64?
    var dueMs: Int64?
  }

  private enum Timer {
    case free(Int), hold(Int), tick(Int), rest(Int), wait(Int), skips(String)
  }

  private let settings: GiftSettings
  private let tiers: [(worth: Int64, holdMs: Int64)]
  private var clock = Int64.min
  private var now: Int64 = 0
  /// The combos by age; those that are forgotten are nil.
  private var combos: [Combo?] = []
  private var streaks: [String: (greatest: Int64, lastMs: Int64)] = [:]
  private var queuings = 0
  private var skips = ["overflow": Skips(), "expired": Skips()]
  private(set) var lines: [String] = []

  init(_ settings: GiftSettings, tiers: [(worth: Int64, holdMs: Int64)]) {
    self.settings = settings
    self.tiers = tiers
  }

  mutating func take(_ gift: Gift, at timeMs: Int64) {
    // A late record comes when the log's clock stands.
    clock = max(clock, timeMs)
    fire(through: clock)
    now = clock
    arrive(gift)
  }

  mutating func fire(through timeMs: Int64) {
    while let (due, timer) = next(), due <= timeMs {
      clock = max(clock, due)
      now = due
      fire(timer)
    }
  }

  private mutating func draw(_ line: String) { lines.append("\(now) \(line)") }

  // MARK: Timers

  /// The least: by deadline, then in the order of the page, then by lane or age.
  private func next() -> (Int64, Timer)? {
    var all: [(due: Int64, kind: Int, place: Int, timer: Timer)] = []
    for (i, combo) in combos.enumerated() {
      switch combo?.state {
      case .leaving(let lane, let freeAt): all.append((freeAt, 0, lane, .free(i)))
      case .onLane(let lane, let view):
        if let end = view.holdEndsMs { all.append((end, 1, lane, .hold(i))) }
        all.append((view.shownAtMs + settings.enterMs + view.ticks * settings.tickMs, 2, lane, .tick(i)))
      case .resting(let until): all.append((until, 3, i, .rest(i)))
      case .queued(let since, waits: true): all.append((since + settings.maxWaitMs, 4, combo!.queuedAs, .wait(i)))
      case .queued, .between, nil: break
      }
    }
    for (kind, reason) in ["overflow", "expired"].enumerated() {
      if let due = skips[reason]!.dueMs { all.append((due, 5 + kind, 0, .skips(reason))) }
    }
    return all.min { ($0.due, $0.kind, $0.place) < ($1.due, $1.kind, $1.place) }.map { ($0.due, $0.timer) }
  }

  private mutating func fire(_ timer: Timer) {
    switch timer {
    case .free(let i):
      combos[i]!.state = .between
      giveLanes()
      if combos[i]!.total > combos[i]!.shown {
        queue(i)
        giveLanes()
      } else {
        combos[i]!.state = .resting(untilMs: now + settings.comboWindowMs)
      }
    case .hold(let i): hide(i)
    case .tick(let i): tick(i)
    case .rest(let i): combos[i] = nil
    case .wait(let i):
      guard case .queued(let since, _) = combos[i]!.state else { return }
      combos[i]!.state = .queued(sinceMs: since, waits: false)
      if tier(combos[i]!) == 0 { skip(i, "expired") }
    case .skips(let reason): tellSkips(reason)
    }
  }

  // MARK: Worth

  private func tier(_ combo: Combo) -> Int { tiers.count { $0.worth <= combo.first.value * combo.total } }
  private func worth(_ combo: Combo) -> Int64 { combo.first.value * (combo.total - combo.shown) }

  // MARK: Arrival

  private mutating func arrive(_ gift: Gift) {
    var count = gift.count
    if !gift.streak.isEmpty {
      let key = "\(gift.user) \(gift.receiver) \(gift.gift) \(gift.streak)"
      var greatest: Int64 = 0
      if let streak = streaks[key], now < streak.lastMs + settings.streakMs { greatest = streak.greatest }
      count = max(0, gift.count - greatest)
      streaks[key] = (max(greatest, gift.count), now)
    }
    if count == 0 { return }
    let known = combos.firstIndex {
      $0?.first.user == gift.user && $0?.first.receiver == gift.receiver && $0?.first.gift == gift.gift
    }
    if let i = known {
      combos[i]!.total += count
      switch combos[i]!.state {
      case .resting: queue(i)
      case .onLane(let lane, var view):
        view.holdEndsMs = nil
        combos[i]!.state = .onLane(lane, view)
      case .queued, .leaving, .between: break
      }
    } else {
      combos.append(Combo(first: gift, total: count, state: .between))
      queue(combos.count - 1)
    }
    giveLanes()
    while queued.count > settings.queueLimit {
      skip(
        queued.min {
          let (a, b) = (combos[$0]!, combos[$1]!)
          return (tier(a), worth(a), -a.queuedAs) < (tier(b), worth(b), -b.queuedAs)
        }!, "overflow")
    }
  }

  private mutating func queue(_ i: Int) {
    queuings += 1
    combos[i]!.queuedAs = queuings
    combos[i]!.state = .queued(sinceMs: now, waits: true)
  }

  /// The longest queued first.
  private var queued: [Int] {
    combos.indices.filter { if case .queued = combos[$0]?.state { true } else { false } }
      .sorted { combos[$0]!.queuedAs < combos[$1]!.queuedAs }
  }

  // MARK: Lanes

  private var takenLanes: [Int] {
    combos.compactMap {
      switch $0?.state {
      case .onLane(let lane, _), .leaving(let lane, _): lane
      case .queued, .between, .resting, nil: nil
      }
    }
  }

  private func canTake(_ i: Int, lane: Int) -> Bool {
    settings.placement == .bottomFirst || combos[i]!.first.user % Int(settings.lanes) == lane
  }

  private mutating func giveLanes() {
    while true {
      let free = (0..<Int(settings.lanes)).filter { !takenLanes.contains($0) }
      let candidates = queued.filter { i in free.contains { canTake(i, lane: $0) } }
      // Of equals the first, which is the longest queued.
      let best =
        switch settings.order {
        case .fifo: candidates.first
        case .tier: candidates.first { i in candidates.allSatisfy { tier(combos[$0]!) <= tier(combos[i]!) } }
        case .value: candidates.first { i in candidates.allSatisfy { worth(combos[$0]!) <= worth(combos[i]!) } }
        }
      guard let best else { return }
      let lane = free.last { canTake(best, lane: $0) }!
      combos[best]!.state = .onLane(
        lane, View(shownAtMs: now, lastShowMs: now, toldTier: tier(combos[best]!)))
      show(best, lane, isAgain: settings.enterMs == 0)
    }
  }

  private mutating func show(_ i: Int, _ lane: Int, isAgain: Bool) {
    let combo = combos[i]!
    let tier = tier(combo)
    draw(
      "show \(combo.first.user) \(combo.first.gift) lane \(lane) from \(combo.shown) total \(combo.total)"
        + (tier > 0 ? " tier \(tier)" : "") + (isAgain ? " again" : ""))
  }

  private mutating func tick(_ i: Int) {
    guard case .onLane(let lane, var view) = combos[i]!.state else { return }
    view.ticks += 1
    let tier = tier(combos[i]!)
    if settings.refreshMs > 0 && now - view.lastShowMs >= settings.refreshMs || tier != view.toldTier {
      show(i, lane, isAgain: true)
      (view.lastShowMs, view.toldTier) = (now, tier)
    }
    let gap = combos[i]!.total - combos[i]!.shown
    if gap > 0 {
      let even = settings.catchUpTicks == 0 ? 1 : (gap + settings.catchUpTicks - 1) / settings.catchUpTicks
      view.step = settings.catchUpTicks == 0 ? 1 : max(view.step, 1, even)
      combos[i]!.shown += min(view.step, gap)
      draw("bump lane \(lane) count \(combos[i]!.shown)")
    } else {
      view.step = 0
      if view.holdEndsMs == nil {
        let own = combos[i]!.first.holdMs
        view.holdEndsMs = now + (own > 0 ? own : tier > 0 ? tiers[tier - 1].holdMs : settings.holdMs)
      }
    }
    combos[i]!.state = .onLane(lane, view)
    if givesWay(i, lane, view) { hide(i) }
  }

  private func givesWay(_ i: Int, _ lane: Int, _ view: View) -> Bool {
    let waiting = queued.filter { canTake($0, lane: lane) }
    let soonFree =
      settings.placement == .byUser
      ? 0 : combos.count { if case .leaving = $0?.state { true } else { false } }
    if settings.turnMs > 0, now >= view.shownAtMs + settings.turnMs, waiting.count > soonFree { return true }
    guard settings.order == .tier, settings.leastMs > 0, now >= view.shownAtMs + settings.leastMs else { return false }
    return waiting.count { tier(combos[$0]!) > tier(combos[i]!) } > soonFree
  }

  private mutating func hide(_ i: Int) {
    guard case .onLane(let lane, _) = combos[i]!.state else { return }
    draw("hide lane \(lane) count \(combos[i]!.shown)")
    combos[i]!.state = .leaving(lane, freeAtMs: now + settings.exitMs)
  }

  // MARK: Skips

  private mutating func skip(_ i: Int, _ reason: String) {
    skips[reason]!.items += 1
    skips[reason]!.units += combos[i]!.total - combos[i]!.shown
    combos[i] = nil
    guard skips[reason]!.dueMs == nil else { return }
    if let last = skips[reason]!.lastMs, now - last < 1000 {
      skips[reason]!.dueMs = last + 1000
    } else {
      tellSkips(reason)
    }
  }

  private mutating func tellSkips(_ reason: String) {
    let told = skips[reason]!
    draw("skipped gift \(reason) \(told.items) units \(told.units)")
    skips[reason] = Skips(lastMs: now)
  }
}

import RoomEngine
import RoomModel
import RoomScreen

/// A wait that is not over: of a combo for a lane, of a wish for a track, of an item for the spot, or of a gift in a
/// crowd for the bar. The causes are told once it is, by those who had the place meanwhile.
struct Waiting {
  private enum Place {
    /// - Parameter leaving: the stretch before it was queued.
    case lane(combo: Int64, [Choice], leaving: Stretch?)
    /// - Parameter intervals: `intervalMs` from each time on: the next start goes by what it is now.
    case track(wish: ID, ahead: [WishPicture], intervals: [(from: LogTime, ms: Milliseconds)])
    case spot
    case bar(crowd: Int64)
  }

  /// The lanes that a combo can take from then on: they change with settings.
  struct Choice {
    let from: LogTime
    /// The one that it needs; nil: any will do.
    let own: Int?
    let count: Int
    let words: String

    init(of combo: ComboPicture, at now: LogTime, _ settings: GiftSettings) {
      from = now
      (own, count) = (combo.ownLane, Int(settings.lanes))
      words =
        own.map { "it needs lane \($0), its user's (placement \(settings.placement.rawValue))" }
        ?? "it needs no lane of its own (placement \(settings.placement.rawValue))"
    }
  }

  private var place: Place
  private let since: LogTime
  /// Holds from that number on began later.
  private let mark: Int

  private init(_ place: Place, since now: LogTime, _ holders: Holders) {
    (self.place, since, mark) = (place, now, holders.next)
  }

  init(of combo: Int64, _ choice: Choice, leaving: Stretch?, _ holders: Holders) {
    self.init(.lane(combo: combo, [choice], leaving: leaving), since: choice.from, holders)
  }

  /// - Parameter ahead: the wishes that start before it, in their order.
  init(of wish: ID, behind ahead: [WishPicture], at now: LogTime, _ settings: WishSettings, _ holders: Holders) {
    let intervals = [(from: now, ms: settings.intervalMs)]
    self.init(.track(wish: wish, ahead: ahead, intervals: intervals), since: now, holders)
  }

  init(forSpotAt now: LogTime, _ holders: Holders) { self.init(.spot, since: now, holders) }

  init(ofCrowd crowd: Int64, at now: LogTime, _ holders: Holders) { self.init(.bar(crowd: crowd), since: now, holders) }

  /// Returns, in words, what it waits for from now on, if settings changed that.
  ///
  /// - Parameter picture: after the change.
  mutating func change(to settings: EngineSettings, at now: LogTime, _ picture: RoomPicture) -> String? {
    switch place {
    case .lane(let combo, let choices, let leaving):
      guard let own = picture.queue.first(where: { $0.offset == combo }) else { return nil }
      let (old, new) = (choices[choices.count - 1], Choice(of: own, at: now, settings.gift))
      if (new.own, new.count, new.words) == (old.own, old.count, old.words) { return nil }
      place = .lane(combo: combo, choices + [new], leaving: leaving)
      return "from here on " + (new.own == old.own ? "there are \(counted(new.count, "lane"))" : new.words)
    case .track(let wish, let ahead, let intervals):
      let ms = settings.wish.intervalMs
      if ms == intervals[intervals.count - 1].ms { return nil }
      place = .track(wish: wish, ahead: ahead, intervals: intervals + [(now, ms)])
      return "from here on intervalMs is \(ms)"
    case .spot, .bar: return nil
    }
  }

  /// Nil: it took no time.
  ///
  /// - Parameter got: the lane or track that it has now; nil: none.
  func wait(until end: LogTime, on got: Int? = nil, _ holders: Holders) -> Wait? {
    var path = Stretches(from: since, until: end)
    switch place {
    case .lane(_, let choices, let leaving):
      if let leaving { path.all.append(leaving) }
      return wait(until: end, for: choices, on: got, &path, holders)
    case .track(let wish, let ahead, let intervals):
      if pass(ahead, &path, holders) { pass(intervals, of: wish, on: got, until: end, &path, holders) }
      return Wait(for: "a track", path.all)
    case .spot:
      let gap = "gapMs after the item before it"
      for hold in holders[.spot] {
        let isLater = hold.number >= mark
        path.pass(to: hold.from, gap)
        path.pass(
          to: hold.leftAt, by: "\(hold.who)'s item", isLater ? "was shown on the spot before it" : "held the spot",
          isLater ? hold.command : nil)
      }
      path.pass(to: end, gap)
      return Wait(for: "the spot", path.all)
    case .bar(let crowd):
      for hold in holders[.bar] {
        path.pass(to: hold.from, "the bar was free")
        if hold.item == ID("\(crowd)") {
          path.pass(to: hold.leftAt, by: "its own crowd", "was on the bar, and told what joined before it")
        } else {
          path.pass(
            to: hold.leftAt, by: "the crowd of \(hold.who)", "had its turn on the bar",
            hold.number >= mark ? hold.command : nil)
        }
      }
      path.pass(to: end, "the bar was free")
      return Wait(for: Wait.bar, path.all)
    }
  }

  /// It is told by the lane that it needed or got; where that is none, or was not in use yet, by the lowest one on the
  /// screen.
  private func wait(
    until end: LogTime, for choices: [Choice], on got: Int?, _ path: inout Stretches, _ holders: Holders
  ) -> Wait? {
    var told: [Int] = []
    for (index, choice) in choices.enumerated() {
      let lane = choice.own ?? min(got ?? .max, choice.count - 1)
      told.append(lane)
      path.end = index + 1 < choices.count ? min(choices[index + 1].from, end) : end
      let free = "lane \(lane) was free, and lanes were not given yet"
      for hold in holders[.lane(lane)] {
        path.pass(to: hold.from, free)
        let isCut = path.end < end && hold.leftAt > path.end
        let how = hold.number >= mark ? "went before it on" : "held"
        let ending =
          isCut
          ? "; then the settings changed"
          : hold.leftAt > end ? " still" : hold.cause.map { " until \($0.words)" } ?? ""
        path.pass(to: hold.leftAt, by: hold.who, "\(how) lane \(lane)\(ending)", isCut ? nil : hold.hide)
        path.pass(to: hold.until, by: hold.who, "left lane \(lane)")
      }
      path.pass(to: end, free)
    }
    let isSure = got != nil || choices[choices.count - 1].own != nil
    let last = told[told.count - 1]
    if told.contains(where: { $0 != last }) { return Wait(for: "a lane", path.all) }
    return Wait(for: isSure ? "lane \(last)" : "a lane (on lane \(last) meanwhile)", path.all)
  }

  /// The wishes before it were first in the queue. False: one still is.
  private func pass(_ ahead: [WishPicture], _ path: inout Stretches, _ holders: Holders) -> Bool {
    for wish in ahead {
      let id = ID(wish.wishId)
      let (who, words) = ("\(brief(wish.name, wish.userId))'s wish", "\(id.printable) was before it")
      if let (track, flight) = holders.flight(of: id, from: mark) {
        path.pass(to: flight.from, by: who, "\(words), which then flew on track \(track)", flight.command)
      } else if let gone = holders.goneWishes[id] {
        path.pass(to: gone.at, by: who, "\(words), \(gone.how)")
      } else {
        path.pass(to: .max, by: who, words)
        return false
      }
    }
    return true
  }

  /// It was first in the queue: for the interval after the last start, then for a track.
  private func pass(
    _ intervals: [(from: LogTime, ms: Milliseconds)], of wish: ID, on got: Int?, until end: LogTime,
    _ path: inout Stretches, _ holders: Holders
  ) {
    let flights = holders.flights(but: wish, from: mark)
    let last = flights.values.max { $0.number < $1.number }
    // Where no track took it, each was held all the time. Of these the one that began first is nearest to its end.
    let track = got ?? flights.min { ($0.value.from, $0.key) < ($1.value.from, $1.key) }?.key
    for (index, interval) in intervals.enumerated() {
      path.end = index + 1 < intervals.count ? min(intervals[index + 1].from, end) : end
      if let last {
        path.pass(
          to: last.from + interval.ms, by: "\(last.who)'s banner",
          "had started less than intervalMs (\(interval.ms)) before", last.command)
      }
      guard let track, let holder = flights[track] else {
        path.pass(to: end, "no track took it yet")
        continue
      }
      let rest = flights.count > 1 ? ", as others were on the rest" : ""
      let who = "\(holder.who)'s banner"
      path.pass(to: holder.leftAt, by: who, "was on track \(track)\(rest)", holder.command)
      path.pass(
        to: end, by: who, "was taken back, and its track \(track) stays taken until it would have landed\(rest)")
    }
  }
}

extension Decision.HideCause {
  /// The words for `until …`, and for a view's own story.
  var words: String {
    switch self {
    case .hold: "its hold ran out"
    case .turn: "its turn ended"
    case .dearer: "its least time was over and a higher tier waited"
    case .retracted: "it was taken back"
    case .ended: "the room ended"
    }
  }
}

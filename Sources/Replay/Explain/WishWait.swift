import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The banners of a room that started last: what holds the next one up.
struct Flights {
  struct Flight {
    let wishId: ID
    let who: String
    let at: LogTime
    let command: CommandName?
    /// It was taken back then; its track stays taken.
    var goneAt: LogTime?
  }

  private(set) var last: Flight?
  private(set) var tracks: [Int: Flight] = [:]

  /// The banners in flight where the log begins.
  init(_ picture: RoomPicture = RoomPicture()) {
    for wish in picture.flying {
      guard case .flying(let track, let startedAt, _) = wish.place else { continue }
      note(
        Flight(
          wishId: ID(wish.wishId), who: brief(wish.name, wish.userId), at: startedAt, command: nil),
        on: track)
    }
  }

  private mutating func note(_ flight: Flight, on track: Int) {
    tracks[track] = flight
    if flight.at >= last?.at ?? .min { last = flight }
  }

  mutating func note(_ command: RoomCommand, room: ID, in partition: PartitionReplay) {
    if case .wishFly(let fly) = command.body {
      note(
        Flight(
          wishId: ID(fly.wishId),
          who: brief(fly.sender.name.description, fly.sender.userId.description), at: command.atMs,
          command: CommandName(partition, command)),
        on: Int(fly.track))
    } else if case .wishGone(let gone) = command.body {
      for (track, flight) in tracks where flight.wishId == gone.wishId && flight.goneAt == nil {
        tracks[track]?.goneAt = command.atMs
      }
    } else if case .roomEnd = command.body {
      (last, tracks) = (nil, [:])
    }
  }
}

/// The wait of a queued wish: for those before it, then the interval after the last start, then a track.
struct WishWait {
  private let wishId: ID
  /// The wishes that start before it, in their order.
  private var ahead: [(wishId: ID, who: String)]
  private var headSince: LogTime
  private var stretches: [Stretch] = []
  private var isNew = true
  /// `intervalMs` from each time on: the next start goes by what it is now.
  private var intervals: [(from: LogTime, ms: Milliseconds)]

  /// Nil: it is not queued.
  ///
  /// - Parameter settings: in force in the room.
  init?(of wishId: ID, at now: LogTime, in picture: RoomPicture, _ settings: WishSettings) {
    guard let place = picture.wishQueue.firstIndex(where: { ID($0.wishId) == wishId }) else { return nil }
    self.wishId = wishId
    ahead = picture.wishQueue[..<place].map { (ID($0.wishId), brief($0.name, $0.userId)) }
    headSince = now
    intervals = [(now, settings.intervalMs)]
  }

  /// Returns, in words, the interval from now on, if settings changed it.
  mutating func change(to settings: WishSettings, at now: LogTime) -> String? {
    if settings.intervalMs == intervals[intervals.count - 1].ms { return nil }
    intervals.append((now, settings.intervalMs))
    return "from here on intervalMs is \(settings.intervalMs)"
  }

  mutating func follow(_ step: RoomStep, in partition: PartitionReplay) {
    defer { isNew = false }
    if isNew { return }
    for item in step.skips where item.stage == .wish {
      remove(item.id, at: step.at, item.reason == .expired ? "whose wait ran out" : "which was taken back")
    }
    for command in step.commands {
      guard case .wishFly(let fly) = command.body else { continue }
      remove(
        fly.wishId, at: command.atMs, "which then flew on track \(fly.track)",
        CommandName(partition, command))
    }
  }

  private mutating func remove(_ id: Text, at now: LogTime, _ how: String, _ command: CommandName? = nil) {
    guard let place = ahead.firstIndex(where: { $0.wishId == id }) else { return }
    let gone = ahead.remove(at: place)
    guard place == 0 else { return }
    stretches.append(
      Stretch(
        from: headSince, until: now, who: "\(gone.who)'s wish", words: "\(gone.wishId.printable) was before it, \(how)",
        command: command))
    headSince = now
  }

  /// - Parameters:
  ///   - track: on which it then flew; nil: it didn't.
  ///   - flights: before it flew.
  func wait(until end: LogTime, track: Int?, _ flights: Flights) -> Wait? {
    var all = stretches
    if let head = ahead.first {
      all.append(
        Stretch(
          from: headSince, until: end, who: "\(head.who)'s wish", words: "\(head.wishId.printable) was before it"))
    } else {
      let last = flights.last
      // Where no track took it, each was held all the time. Of these the one that began first is nearest to its end.
      let track = track ?? flights.tracks.min { ($0.value.at, $0.key) < ($1.value.at, $1.key) }?.key
      let holder = track.flatMap { flights.tracks[$0] }
      for (index, (from, intervalMs)) in intervals.enumerated() {
        let from = max(from, headSince)
        let until = min(index + 1 < intervals.count ? intervals[index + 1].from : end, end)
        guard from < until else { continue }
        let intervalEnd = min(max(last.map { $0.at + intervalMs } ?? from, from), until)
        all.append(
          Stretch(
            from: from, until: intervalEnd, who: last.map { "\($0.who)'s banner" },
            words: "had started less than intervalMs (\(intervalMs)) before", command: last?.command))
        guard let holder, let track else {
          all.append(Stretch(from: intervalEnd, until: until, words: "no track took it yet"))
          continue
        }
        let rest = flights.tracks.count > 1 ? ", as others were on the rest" : ""
        let goneAt = min(max(holder.goneAt ?? until, intervalEnd), until)
        let who = "\(holder.who)'s banner"
        all.append(
          Stretch(
            from: intervalEnd, until: goneAt, who: who, words: "was on track \(track)\(rest)", command: holder.command))
        all.append(
          Stretch(
            from: goneAt, until: until, who: who,
            words: "was taken back, and its track \(track) stays taken until it would have landed\(rest)"))
      }
    }
    return Wait(for: "a track", all)
  }
}

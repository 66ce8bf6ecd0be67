import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The items that have had the places of a watched room (its lanes, its tracks, the spot and the bar of crowds), which
/// others waited for.
struct Holders {
  enum Place: Hashable { case lane(Int), track(Int), spot, bar }

  struct Hold {
    /// Holds are counted as they begin.
    let number: Int
    /// The offset of a combo or a crowd, or the id of a wish or an item of the spot.
    let item: ID
    /// The sender, or the gift of a crowd.
    let who: String
    let from: LogTime
    /// The time at which the item hid, ended or was taken back; `.max`: none of these.
    var leftAt: LogTime = .max
    /// The time at which its place became free; `.max`: that is not known.
    var until: LogTime = .max
    var cause: Decision.HideCause?
    /// The command that showed it; nil: it was there before.
    var command: CommandName?
    var hide: CommandName?
    /// Of the spot: `阿花 (7): entrance (e1)`; empty: it was there before.
    var words = ""
  }

  private var holds: [Place: [Hold]] = [:]
  /// Wishes that left their queue without flying.
  private(set) var goneWishes: [ID: (at: LogTime, how: String)] = [:]
  /// The number of the next hold.
  private(set) var next = 0
  /// Somebody waits, so that all holds are kept; else the last of each place are.
  var isAsked = false

  init() {}

  /// The holders of a room where the log goes on from a state.
  init(_ picture: RoomPicture, at now: LogTime) {
    for (lane, combo) in picture.lanes.enumerated() {
      guard let combo else { continue }
      var (leftAt, until) = (LogTime.max, LogTime.max)
      if case .leaving(_, let freeAt, _) = combo.place { (leftAt, until) = (now, freeAt) }
      begin(.lane(lane), "\(combo.offset)", brief(combo.name, combo.userId), at: now, until: until, leftAt: leftAt)
    }
    for wish in picture.flying {
      guard case .flying(let track, let startedAt, let landsAt) = wish.place else { continue }
      begin(.track(track), ID(wish.wishId), brief(wish.name, wish.userId), at: startedAt, until: landsAt)
    }
    if let spot = picture.spot, case .shown(let until) = spot.place {
      begin(.spot, ID(spot.spotId), spot.userId.printable, at: now, leftAt: until)
    }
    if let crowd = picture.crowds.first(where: \.isShown) {
      begin(.bar, "\(crowd.offset)", named(crowd.giftName, crowd.giftId), at: now)
    }
  }

  /// The holds of a place, in their order: the last, and all since somebody waits.
  subscript(_ place: Place) -> [Hold] { holds[place] ?? [] }

  /// The last banner of each track but for one.
  func flights(but wish: ID, from number: Int) -> [Int: Hold] {
    var flights: [Int: Hold] = [:]
    for case (.track(let track), let all) in holds {
      flights[track] = all.last { $0.item != wish || $0.number < number }
    }
    return flights
  }

  /// The banner of a wish that flew since then, and its track.
  func flight(of wish: ID, from number: Int) -> (track: Int, hold: Hold)? {
    for case (.track(let track), let all) in holds {
      if let hold = all.first(where: { $0.item == wish && $0.number >= number }) { return (track, hold) }
    }
    return nil
  }

  // MARK: Learning

  /// - Parameters:
  ///   - commands: of the room.
  ///   - cause: of what hides with them.
  mutating func learn(
    _ commands: some Sequence<RoomCommand>, hiddenBy cause: Decision.HideCause, in partition: PartitionReplay
  ) {
    if !isAsked {
      for (place, all) in holds where all.count > 1 { holds[place] = all.suffix(1) }
      goneWishes = [:]
    }
    for command in commands {
      let (at, name) = (command.atMs, CommandName(partition, command))
      switch command.body {
      case .giftShow(let show):
        begin(.lane(Int(show.lane)), "\(show.comboOffset)", brief(show.sender), at: at, by: name)
      case .giftHide(let hide):
        end(.lane(Int(hide.lane)), at: at, until: at + hide.exitMs, cause, by: name)
      case .wishFly(let fly):
        begin(.track(Int(fly.track)), ID(fly.wishId), brief(fly.sender), at: at, until: at + fly.durationMs, by: name)
      case .wishGone(let gone):
        for (place, all) in holds where all.last!.item == ID(gone.wishId) && all.last!.until > at {
          end(place, at: at, cause, by: name)
        }
      case .spotShow(let show):
        begin(.spot, ID(show.spotId), brief(show.sender), at: at, leftAt: at + show.durationMs, show.words, by: name)
      case .spotGone: end(.spot, at: at, cause, by: name)
      case .crowdShow(let show):
        begin(.bar, "\(show.crowdOffset)", named(show.giftName.description, show.giftId.description), at: at, by: name)
      case .crowdHide: end(.bar, at: at, .hold, by: name)
      // No other has a place.
      default: break
      }
    }
  }

  /// All that was there is gone with the room.
  mutating func forget(after commands: [RoomCommand]) {
    for command in commands {
      if case .roomEnd = command.body { (holds, goneWishes) = ([:], [:]) }
    }
  }

  mutating func learn(_ skips: [SkippedItem], at now: LogTime) {
    for item in skips where item.stage == .wish && (item.reason == .expired || item.reason == .retracted) {
      goneWishes[ID(item.id)] = (now, item.reason == .expired ? "whose wait ran out" : "which was taken back")
    }
  }

  private mutating func begin(
    _ place: Place, _ item: ID, _ who: String, at now: LogTime, until: LogTime = .max, leftAt: LogTime = .max,
    _ words: String = "", by command: CommandName? = nil
  ) {
    if let last = self[place].last, last.leftAt > now, last.until > now {
      // What is there already is told again.
      if last.item == item { return }
      end(place, at: now, .turn, by: command)
    }
    holds[place, default: []].append(
      Hold(
        number: next, item: item, who: who, from: now, leftAt: leftAt, until: until, command: command, words: words))
    next += 1
  }

  private mutating func end(
    _ place: Place, at now: LogTime, until: LogTime? = nil, _ cause: Decision.HideCause, by command: CommandName?
  ) {
    guard var hold = holds[place]?.popLast() else { return }
    (hold.leftAt, hold.until) = (min(hold.leftAt, now), until ?? hold.until)
    (hold.cause, hold.hide) = (cause, command)
    holds[place]!.append(hold)
  }
}

private func brief(_ sender: Sender) -> String { brief(sender.name.description, sender.userId.description) }

extension Lent<SpotShow> {
  /// `阿花 (7): entrance (e1)`
  fileprivate var words: String {
    let what =
      self.giftId.isEmpty
      ? self.kind.description.printable : named(self.giftName.description, self.giftId.description)
    let who = named(self.sender.name.description, self.sender.userId.description)
    return "\(who): \(what) (\(self.spotId.description.printable))"
  }
}

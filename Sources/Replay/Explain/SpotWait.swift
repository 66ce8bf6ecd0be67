import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The wait of an item for the spot: the items that are shown before it, and the gaps after them.
struct SpotWait {
  /// Changes where another item of the combo takes its place in the queue.
  var spotId: ID
  /// Shown last; nil: an item of which only the gap after it was left.
  private var holder: String?
  private var endsAt: LogTime
  private var command: CommandName?
  /// The holder was shown while this one was queued.
  private var isLater = false
  private var since: LogTime
  private var stretches: [Stretch] = []

  /// - Parameter last: the item that was shown last: the picture has no name of the one on the spot.
  init(of spotId: ID, at now: LogTime, in picture: RoomPicture, _ last: ShownSpot?) {
    self.spotId = spotId
    since = now
    endsAt = now
    guard let shown = picture.spot, case .shown(let until) = shown.place else { return }
    holder = brief(last.flatMap { $0.spotId == ID(shown.spotId) ? $0.name : nil } ?? "", shown.userId)
    endsAt = until
  }

  mutating func follow(_ step: RoomStep, in partition: PartitionReplay) {
    for command in step.commands {
      switch command.body {
      case .spotGone: endsAt = min(endsAt, command.atMs)
      case .spotShow(let show) where ID(show.spotId) != spotId:
        stretches += parts(until: command.atMs)
        since = command.atMs
        holder = brief(show.sender.name.description, show.sender.userId.description)
        endsAt = command.atMs + show.durationMs
        self.command = CommandName(partition, command)
        isLater = true
      // The room's end ends the wait, too; nothing else is on the spot.
      default: break
      }
    }
  }

  private func parts(until end: LogTime) -> [Stretch] {
    let shownUntil = min(max(endsAt, since), end)
    return [
      Stretch(
        from: since, until: shownUntil, who: holder.map { "\($0)'s item" },
        words: isLater ? "was shown on the spot before it" : "held the spot", command: command),
      Stretch(from: shownUntil, until: end, words: "gapMs after the item before it"),
    ]
  }

  func wait(until end: LogTime) -> Wait? { Wait(for: "the spot", stretches + parts(until: end)) }
}

/// The wait of a gift that joined a crowd, until the bar tells it.
struct BarWait {
  private let crowd: Int64
  /// The gift of the crowd on the bar; nil: none is.
  private var shown: (crowd: Int64, words: String)?
  private var command: CommandName?
  private var since: LogTime
  private var stretches: [Stretch] = []

  init(of crowd: Int64, at now: LogTime, in picture: RoomPicture) {
    self.crowd = crowd
    since = now
    shown = picture.crowds.first { $0.isShown }.map { ($0.offset, named($0.giftName, $0.giftId)) }
  }

  mutating func follow(_ step: RoomStep, in partition: PartitionReplay) {
    for command in step.commands {
      switch command.body {
      case .crowdShow(let show) where show.crowdOffset != shown?.crowd && show.crowdOffset != crowd:
        turn(to: (show.crowdOffset, named(show.giftName.description, show.giftId.description)), at: command.atMs)
        self.command = CommandName(partition, command)
      case .crowdHide:
        turn(to: nil, at: command.atMs)
        self.command = nil
      // The room's end ends the wait, too; nothing else has the bar.
      default: break
      }
    }
  }

  private mutating func turn(to next: (crowd: Int64, words: String)?, at now: LogTime) {
    stretches.append(part(until: now))
    since = now
    shown = next
  }

  private func part(until end: LogTime) -> Stretch {
    guard let shown else { return Stretch(from: since, until: end, words: "the bar was free") }
    if shown.crowd == crowd {
      return Stretch(
        from: since, until: end, who: "its own crowd", words: "was on the bar, and told what joined before it")
    }
    return Stretch(
      from: since, until: end, who: "the crowd of \(shown.words)", words: "had its turn on the bar", command: command)
  }

  func wait(until end: LogTime) -> Wait? { Wait(for: Wait.bar, stretches + [part(until: end)]) }
}

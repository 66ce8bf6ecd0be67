import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Wire

/// Turns a room's steps into the data of its picture: rows, told apart by their kind, in `output`.
///
/// `p` a partition; `v` a gift view, once it is gone; `w` a banner, once it has landed; `r` a rain, once it is over; `l` a
/// burst of likes; `b` a crowd on the bar, once its turn is over; `o` what fills the screen, once it is known how long; `i` a
/// pin and `g` a goal, once it has ended; `q` how long the queues are and what arrived; `e` an event, a duplicate too; `x` a combo, wish or item of the spot that was skipped; `j` a combo
/// that joined a crowd; `s` a command `skipped`; `c` settings changed; `d` a dead letter; `doubt` the reason why a partition
/// may have been otherwise.
struct TimelineRecorder: RoomObserver {
  private(set) var output = TimelineBlock()
  var parts: [Part] = []
  private(set) var time: ClosedRange<LogTime>?
  /// Skipped combos and wishes that were told one by one; beyond the limit, the commands `skipped` tell them.
  private var skipCount = 0
  /// Events that were told one by one; beyond the limit, only their number is.
  private var eventCount = 0
  let room: ID

  private static var skipLimit: Int { 100_000 }
  private static var eventLimit: Int { 200_000 }
  static var span: Milliseconds { 100 }

  init(room: ID) {
    self.room = room
    output.row("room") { $0.member("name", room.string) }
  }

  /// Views, banners and rains that are open in one partition.
  struct Part {
    let name: String
    var lanes: [Int: OpenView] = [:]
    var banners: [OpenBanner] = []
    var rains: [OpenRain] = []
    var spot: OpenSpot?
    var pins: [OpenPin] = []
    var goals: [OpenGoal] = []
    var crowd: OpenCrowd?
    /// The times since which queued combos and wishes have waited.
    var combosSince: [Int64: LogTime] = [:]
    var wishesSince: [ID: LogTime] = [:]
    var interval: Interval?
    var lastQueued = (combos: 0, wishes: 0)
  }

  /// Counts of one `span`.
  struct Interval {
    let start: LogTime
    var most: (combos: Int, wishes: Int)
    var last: (combos: Int, wishes: Int)
    var arrived = 0
    var duplicates = 0
  }

  mutating func takeBlock() -> [UInt8] { output.take() }

  func wantsPicture(at offset: Int64, in partition: PartitionReplay) -> Bool { false }

  mutating func observe(_ step: RoomStep, in partition: PartitionReplay) {
    // Its settings are of no interest before anything came of the room in this partition.
    if case .settings = step.cause, !isKnown(partition) { return }
    let part = part(partition)
    extendTime(to: step.at)
    switch step.cause {
    case .event(let event, let record, let arrival):
      tell(event, record, arrival, at: step.at, part)
      arrived(step, event, arrival, part)
    case .timer(let timer): fired(timer, part)
    case .settings(let settings):
      put("c", part, at: step.at) { $0.member("words", settings.changedJSON) }
    }
    for item in step.skips { skipped(item, part, at: step.at) }
    for command in step.commands { sent(command, of: step, part, partition) }
    if case .timer(let timer) = step.cause { ended(timer, part) }
    endPins(step, part)
    measure(step, part, partition)
  }

  mutating func observeDeadLetter(_ record: LogRecord, _ reason: NotUnderstood, in partition: PartitionReplay) {
    guard record.key?.elementsEqual(room.string.utf8) ?? false else { return }
    let part = part(partition)
    extendTime(to: partition.engine.clock)
    put("d", part, at: partition.engine.clock) {
      $0.member("id", partition.name(ofRecord: record.offset))
      if let eventId = record.eventId { $0.member("ev", eventId.string) }
      $0.member("why", reason.description)
    }
  }

  mutating func observeDoubt(_ why: String, of partition: PartitionReplay) {
    let part = part(partition)
    output.row("doubt") {
      $0.member("p", part)
      $0.member("why", why)
    }
  }

  /// Takes over views and banners that are there where the log begins.
  mutating func observeBeginning(_ picture: RoomPicture, of partition: PartitionReplay) {
    guard !picture.isEmpty else { return }
    let part = part(partition)
    let now = partition.engine.clock
    for case let combo? in picture.lanes {
      guard case .onLane(let lane, _, _, _, _, _) = combo.place else { continue }
      parts[part].lanes[lane] = OpenView(combo, since: now)
    }
    parts[part].banners = picture.flying.compactMap { OpenBanner($0) }
    parts[part].rains = picture.rains.map { OpenRain($0, since: now) }
    parts[part].pins = picture.pins.map { OpenPin($0) }
    parts[part].goals = picture.goals.map { OpenGoal($0) }
  }

  /// Writes what is still open, and the end.
  mutating func end(_ partitions: [PartitionReplay]) {
    for part in parts.indices {
      guard let partition = partitions.first(where: { $0.name == parts[part].name }) else { continue }
      if partition.engine.clock > .min, time != nil { extendTime(to: partition.engine.clock) }
      for lane in parts[part].lanes.keys.sorted() { close(parts[part].lanes[lane]!, freeAt: nil, part) }
      for banner in parts[part].banners { close(banner, part) }
      for rain in parts[part].rains { close(rain, endedAt: nil, part) }
      closeSpot(part)
      closeCrowd(part, at: nil)
      for pin in parts[part].pins { close(pin, part) }
      for goal in parts[part].goals { close(goal, part) }
      flush(part)
    }
    writeEnd()
  }

  private mutating func writeEnd() {
    let range = time ?? 0...0
    output.row("end") {
      $0.member("from", range.lowerBound)
      $0.member("to", range.upperBound)
      $0.member("more", max(0, skipCount - Self.skipLimit))
      if eventCount > Self.eventLimit { $0.member("untold", eventCount - Self.eventLimit) }
    }
  }

  private func isKnown(_ partition: PartitionReplay) -> Bool { parts.contains { $0.name == partition.name } }

  private mutating func part(_ partition: PartitionReplay) -> Int {
    if let known = parts.firstIndex(where: { $0.name == partition.name }) { return known }
    parts.append(Part(name: partition.name))
    output.row("p") {
      $0.member("p", parts.count - 1); $0.member("name", partition.name)
    }
    return parts.count - 1
  }

  private mutating func extendTime(to now: LogTime) {
    time = time.map { min($0.lowerBound, now)...max($0.upperBound, now) } ?? now...now
  }

  /// A row of something that happened.
  mutating func put(_ kind: StaticString, _ part: Int, at now: LogTime, _ more: (inout TimelineRow) -> Void) {
    output.row(kind) {
      $0.member("p", part)
      $0.member("t", now)
      more(&$0)
    }
  }
}

// MARK: Events

extension TimelineRecorder {
  private mutating func tell(
    _ event: RoomEvent, _ record: SeenRecord, _ arrival: Arrival, at now: LogTime, _ part: Int
  ) {
    eventCount += 1
    guard eventCount <= Self.eventLimit else { return }
    put("e", part, at: now) {
      $0.member("o", record.offset)
      if !event.eventId.isEmpty { $0.member("id", event.eventId.description) }
      if let userId = event.userId { $0.person(userId.description, event.body.senderName?.description ?? "") }
      $0.member("what", event.kindWords)
      if case .gift(let gift) = event.body {
        $0.gift(gift.giftId.description, gift.giftName.description)
      }
      if case .duplicate = arrival { $0.member("dup", 1) }
    }
  }

  private mutating func arrived(_ step: RoomStep, _ event: RoomEvent, _ arrival: Arrival, _ part: Int) {
    switch step.gift?.was {
    case .new, .resting: parts[part].combosSince[step.gift!.combo] = step.at
    // It waits already, or no more.
    default: break
    }
    switch (event.body, step.item?.fate, arrival) {
    case (.wish(let wish), .queued, _), (.wish(let wish), .began, _): parts[part].wishesSince[ID(wish.wishId)] = step.at
    case (_, _, .retract(let removed)), (_, _, .roomEnd(let removed)):
      for combo in removed.combos where combo.gap == 0 { parts[part].combosSince[combo.offset] = nil }
      for wish in removed.wishes {
        if case .flying = wish.place { parts[part].wishesSince[ID(wish.wishId)] = nil }
      }
    // Nothing else begins a wait, or ends one.
    default: break
    }
  }

  private mutating func skipped(_ item: SkippedItem, _ part: Int, at now: LogTime) {
    let since: LogTime? =
      switch item.stage {
      case .gift: parts[part].combosSince.removeValue(forKey: item.offset)
      case .wish: parts[part].wishesSince.removeValue(forKey: ID(item.id))
      case .spot, .pin: nil
      }
    skipCount += 1
    guard skipCount <= Self.skipLimit else { return }
    put(item.crowdOffset == nil ? "x" : "j", part, at: now) {
      $0.member("st", item.stage.words)
      $0.member("re", item.reason.words)
      if let since, since < now { $0.member("q", since) }
      $0.person(item.userId.description, item.name.description)
      if item.stage == .wish || item.stage == .pin || item.stage == .spot && item.giftId.isEmpty {
        $0.member("text", item.text.description)
      } else {
        $0.gift(item.giftId.description, item.giftName.description)
      }
      $0.member("units", item.units)
    }
  }

  private mutating func fired(_ timer: TimerPicture, _ part: Int) {
    guard timer.kind == .laneBecomesFree, let combo = timer.combo else { return }
    if combo.gap > 0 { parts[part].combosSince[combo.offset] = timer.deadline }
    guard case .leaving(let lane, _, _) = combo.place, let view = parts[part].lanes.removeValue(forKey: lane) else {
      return
    }
    close(view, freeAt: timer.deadline, part)
  }

  private mutating func ended(_ timer: TimerPicture, _ part: Int) {
    guard timer.kind == .bannerLands,
      let index = parts[part].banners.firstIndex(where: { $0.id == ID(timer.wish!.wishId) })
    else { return }
    close(parts[part].banners.remove(at: index), part)
  }

  /// The time of pins is over, of which no command tells.
  private mutating func endPins(_ step: RoomStep, _ part: Int) {
    for case .pin(let pin) in step.decisions {
      guard case .over = pin.fate, let index = parts[part].pins.firstIndex(where: { $0.id == pin.id }) else { continue }
      close(parts[part].pins.remove(at: index), part)
    }
  }

  mutating func close(_ pin: OpenPin, _ part: Int) {
    output.row("i") {
      $0.member("p", part)
      pin.write(into: &$0)
    }
  }

  mutating func close(_ goal: OpenGoal, _ part: Int) {
    output.row("g") {
      $0.member("p", part)
      goal.write(into: &$0)
    }
  }

  mutating func closeSpot(_ part: Int) {
    guard let spot = parts[part].spot else { return }
    parts[part].spot = nil
    output.row("o") {
      $0.member("p", part)
      spot.write(into: &$0)
    }
  }

  /// - Parameter now: Nil: it is still shown.
  mutating func closeCrowd(_ part: Int, at now: LogTime?) {
    guard let crowd = parts[part].crowd else { return }
    parts[part].crowd = nil
    output.row("b") {
      $0.member("p", part)
      crowd.write(endedAt: now, into: &$0)
    }
  }

  mutating func close(_ view: OpenView, freeAt: LogTime?, _ part: Int) {
    output.row("v") {
      $0.member("p", part)
      view.write(freeAt: freeAt, into: &$0)
    }
  }

  mutating func close(_ rain: OpenRain, endedAt: LogTime?, _ part: Int) {
    output.row("r") {
      $0.member("p", part)
      rain.write(endedAt: endedAt, into: &$0)
    }
  }

  mutating func close(_ banner: OpenBanner, _ part: Int) {
    output.row("w") {
      $0.member("p", part)
      banner.write(into: &$0)
    }
  }
}

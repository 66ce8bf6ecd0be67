import RoomEngine
import RoomModel
import TestSupport
import Testing

/// Laws of every log in which users are muted, rooms end and have settings of their own.
struct ModerationLaws {
  private func events(_ log: RandomLog) -> [LogInput] {
    log.inputs.map { input in
      guard case .record(let offset, let timestampMs, var event?) = input else { return input }
      // So that none is a duplicate.
      event.eventId = .empty
      return .record(offset: offset, timestampMs: timestampMs, event: event)
    }
  }

  private func event(_ input: LogInput) -> RoomEvent? {
    if case .record(_, _, let event) = input { return event }
    return nil
  }

  /// Plays a log, and hands out what came of each of its entries.
  private func play(
    _ inputs: [LogInput], _ settings: EngineSettings, _ body: (LogInput, LogTime, [RoomCommand]) -> Void
  ) {
    var partition = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    for input in inputs {
      partition.take(input, into: &batch)
      body(input, partition.clock, Array(batch.commands))
      batch.removeAll()
    }
  }

  @Test(arguments: 0..<80 as Range<UInt64>)
  func nothingOfAMutedUserIsDrawn(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 400)
    var mutes: [String: LogTime] = [:]
    var whose: [String: String] = [:]
    play(events(log), log.settings) { input, now, commands in
      for command in commands {
        let room = command.roomId.description
        var user: String?
        switch command.body {
        case .giftShow(let show):
          user = show.sender.userId.description
          whose["\(room) \(show.comboOffset)"] = user
        case .giftBump(let bump): user = whose["\(room) \(bump.comboOffset)"]
        case .wishFly(let fly): user = fly.sender.userId.description
        default: break
        }
        if let user, let until = mutes["\(room) \(user)"] { #expect(command.atMs >= until) }
      }
      if let event = event(input), case .retract(let retract) = event.body,
        case .user(let user, let muteMs) = retract.what
      {
        mutes["\(event.roomId) \(user)"] = now + muteMs
      }
    }
  }

  @Test(arguments: 0..<80 as Range<UInt64>)
  func afterItsEndARoomIsSilentUntilSomethingComes(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 400)
    var ended: Set<String> = []
    play(events(log), log.settings) { input, _, commands in
      let event = event(input)
      let room = event?.roomId.description
      for command in commands {
        let silent = ended.contains(command.roomId.description)
        #expect(!silent || command.roomId.description == room)
        if case .roomEnd = command.body {
          #expect(event.map { if case .roomEnd = $0.body { true } else { false } } ?? false)
        }
      }
      guard let event, let room else { return }
      if case .roomEnd = event.body {
        ended.insert(room)
        if case .roomEnd? = commands.last(where: { $0.roomId.description == room })?.body {
        } else {
          Issue.record("the end is told last")
        }
      } else {
        ended.remove(room)
      }
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func aRoomsOwnSettingsChangeNoOtherRoom(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 300)
    func commands(with own: Bool) -> [String] {
      // An idle log's clock goes as far as the timers of all rooms, and what is late comes then.
      let inputs = events(log).enumerated().compactMap { place, input -> LogInput? in
        if case .idle = input, place < log.inputs.count - 1 { return nil }
        guard !own, case .record(let offset, let timestampMs, let event?) = input, case .roomSettings = event.body,
          event.roomId.description == "r2"
        else { return input }
        return .record(offset: offset, timestampMs: timestampMs, event: nil)
      }
      var all: [String] = []
      play(inputs, log.settings) { _, _, commands in
        for command in commands where command.roomId.description != "r2" { all.append(command.everything) }
      }
      return all.sorted()
    }
    #expect(commands(with: true) == commands(with: false))
  }

  /// The first of the highest tier queued gets a lane soon, while one that it could take has a lower tier.
  @Test(arguments: 0..<80 as Range<UInt64>)
  func priceTells(seed: UInt64) {
    let random = RandomLog(seed: seed, count: 400, changesSettings: false)
    var settings = random.settings
    settings.gift.order = .tier
    if settings.gift.leastMs == 0 { settings.gift.leastMs = 900 }
    let gift = settings.gift
    let bound = max(gift.leastMs, gift.enterMs) + gift.tickMs + gift.exitMs
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    let room = Text("r1")
    var waiting: (combo: Int64, since: LogTime)?

    /// At `now` the room becomes what it is then.
    func look(at now: LogTime, _ picture: RoomPicture) {
      if let waiting { #expect(now - waiting.since <= bound) }
      guard let first = picture.queue.first, first.tier > 0, hasLowerLane(for: first, picture, gift) else {
        return waiting = nil
      }
      if waiting?.combo != first.offset { waiting = (first.offset, now) }
    }

    for input in random.inputs {
      let time: LogTime
      switch input {
      case .record(_, let timestampMs, _): time = log.time(ofRecordAt: timestampMs)
      case .idle(let through): time = through
      case .settings: continue
      }
      var last: LogTime?
      while let timer = log.nextTimer(of: room, through: time) {
        log.fireNextTimer(of: room, into: &batch)
        last = timer.deadline
        look(at: timer.deadline, log.picture(of: room))
      }
      if case .idle = input, let last { log.advanceClock(to: last) }
      log.take(input, into: &batch)
      look(at: max(log.clock, last ?? log.clock), log.picture(of: room))
    }
    #expect(waiting == nil)
  }

  private func hasLowerLane(for combo: ComboPicture, _ picture: RoomPicture, _ settings: GiftSettings) -> Bool {
    for (lane, other) in picture.lanes.enumerated() {
      guard let other, other.tier < combo.tier else { continue }
      if settings.placement == .bottomFirst { return true }
      if UInt64(combo.userId).map({ $0 % UInt64(settings.lanes) == UInt64(lane) }) ?? false { return true }
    }
    return false
  }
}

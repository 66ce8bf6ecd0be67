import RoomModel

/// A red packet rain that runs (STAGES.md, section 6), by the settings that it began with.
struct RoomRain: ~Copyable {
  /// The next thing it does.
  struct Turn: Comparable {
    var at: LogTime
    var kind: RoomTimer.Kind
    /// Counts up with the rains of the room.
    var age: Int64

    @inline(__always)
    static func < (a: Turn, b: Turn) -> Bool {
      if a.at != b.at { return a.at < b.at }
      return a.kind != b.kind ? a.kind.rawValue < b.kind.rawValue : a.age < b.age
    }
  }

  /// Its id, and the platform's own.
  private let texts: TextPack<2>
  let hash: UInt32
  let packets: RainPackets
  let durationMs: Milliseconds
  let graceMs: Milliseconds
  let tallyMs: Milliseconds
  let endsAt: LogTime
  /// The number of rains in the room before.
  var age: Int64 = 0
  /// The last number of the countdown that was sent.
  var left: Int64
  /// The number of packets that have dropped.
  var dropped: Int64 = 0
  var prizes: Prizes
  var openers = Openers()
  var opened: Int64 = 0
  var winners: Int64 = 0
  var coins: Int64 = 0
  /// The pace of the tally.
  var pace = Pace()

  init(_ start: Lent<RainStart>, hash: UInt32, at now: LogTime, _ rules: borrowing Rules) {
    let stepMs = 1000 / start.perSecond
    let packets = RainPackets(
      seed: fnv1a(start.rainId.bytes), startsAt: now + 1000 * start.countdown, stepMs: stepMs,
      count: start.durationMs / stepMs, fallMinMs: rules.rain.fallMinMs, fallSpreadMs: rules.rain.fallSpreadMs)
    self.init(
      start.rainId, extra: start.extra, hash: hash, packets, durationMs: start.durationMs, graceMs: rules.rain.graceMs,
      tallyMs: rules.rain.tallyMs,
      endsAt: (packets.lastLanding ?? packets.startsAt + start.durationMs) + rules.rain.graceMs,
      left: start.countdown, Prizes(of: start))
  }

  init(
    _ rainId: Text, extra: Text, hash: UInt32, _ packets: RainPackets, durationMs: Milliseconds, graceMs: Milliseconds,
    tallyMs: Milliseconds, endsAt: LogTime, left: Int64, _ prizes: consuming Prizes
  ) {
    texts = TextPack([rainId, extra])
    self.hash = hash
    self.packets = packets
    self.durationMs = durationMs
    self.graceMs = graceMs
    self.tallyMs = tallyMs
    self.endsAt = endsAt
    self.left = left
    self.prizes = prizes
  }

  static func hash(_ seed: UInt64, rainId: Text) -> UInt32 {
    var hash = TextHash(seed: seed)
    hash.add(rainId)
    return hash.value
  }

  var rainId: Text { texts[0] }
  var extra: Text { texts[1] }

  var byteCount: Int { texts.byteCount + openers.byteCount + prizes.list.byteCount }

  /// It ends in the end.
  var next: Turn {
    var next = Turn(at: endsAt, kind: .rainEnds, age: age)
    // The end sends what would be sent then or later.
    if pace.deadline < next.at { next = Turn(at: pace.deadline, kind: .pacedTally, age: age) }
    if dropped < packets.count {
      next = min(next, Turn(at: packets.dropsAt(dropped), kind: .packetDrops, age: age))
    }
    if left > 1 {
      next = min(next, Turn(at: packets.startsAt - 1000 * (left - 1), kind: .rainCountsDown, age: age))
    }
    return next
  }

  /// Whether the packet has dropped and can still be opened.
  func isInTheAir(_ packet: Int64, at now: LogTime) -> Bool {
    packet < dropped && now < packets.landsAt(packet) + graceMs
  }

  mutating func grab(
    _ packet: Int64, by userId: Text, at now: LogTime, seed: UInt64
  ) -> (outcome: GrabResult.Outcome, coins: Int64) {
    guard isInTheAir(packet, at: now) else {
      guard let paid = openers.paid(packet, to: userId, seed: seed) else { return (.missed, 0) }
      return (.again, paid)
    }
    guard let opening = openers.open(packet, by: userId, seed: seed) else {
      return (.again, openers.paid(packet, to: userId, seed: seed) ?? 0)
    }
    opened += 1
    let paid = prizes.pay(packet)
    guard paid > 0 else { return (.empty, 0) }
    winners += 1
    coins += paid
    openers.won(paid, by: opening)
    return (.won, paid)
  }

  func fate(of packet: Int64, _ outcome: GrabResult.Outcome, coins: Int64) -> Decision.GrabFate {
    let landsAt = packet < packets.count ? packets.landsAt(packet) : 0
    return Decision.GrabFate(
      packet < packets.count
        ? .falls(from: packets.dropsAt(packet), to: landsAt, closesAt: landsAt + graceMs) : .noPacket,
      outcome, coins: coins, packets: packets.count, opened: opened, coinsLeft: prizes.coinsLeft)
  }

  // MARK: Commands

  func countdown(out: inout CommandOutlet) -> RoomCommand.Body {
    let kept = texts.views(in: out.keep(texts.whole))
    let countdown = RainCountdown(
      rainId: kept[0], left: left, startMs: packets.startsAt, durationMs: durationMs, extra: kept[1])
    return .rainCountdown(out.lend(countdown))
  }

  func drop(_ packet: Int64, out: inout CommandOutlet) -> RoomCommand.Body {
    let drop = RainDrop(
      rainId: out.keep(rainId), packet: packet, x: packets.x(packet), fallMs: packets.fallMs(packet),
      angle: packets.angle(packet), spin: packets.spin(packet), toX: packets.toX(packet),
      spinMs: packets.spinMs(packet))
    return .rainDrop(out.lend(drop))
  }

  func tally(out: inout CommandOutlet) -> RoomCommand.Body {
    .rainTally(RainTally(rainId: out.keep(rainId), opened: opened, winners: winners, coins: coins))
  }

  func end(out: inout CommandOutlet) -> RoomCommand.Body { .rainEnd(RainEnd(rainId: out.keep(rainId))) }
}

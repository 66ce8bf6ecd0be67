import RoomEngine
import RoomModel
import TestSupport
import Testing

/// Logs whose times, and settings whose spans, are multiples of 50 ms, so that all that may coincide does: the engine
/// draws what ``PlainGifts`` does.
struct TieLaws {
  @Test(arguments: 0..<400 as Range<UInt64>)
  func theEngineDrawsWhatThePlainOneDoes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (settings, tiers) = Self.settings(&random)
    var plain = PlainGifts(settings.gift, tiers: tiers)
    var log = PartitionLog(settings: settings, hashSeed: seed, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var clock: LogTime = 0
    let pace: Int64 = random.one(of: [1, 4, 20])
    for offset in 0..<Int64(random.number(5...80)) {
      clock += 50 * random.number(0...pace)
      if random.once(in: 8) {
        plain.fire(through: clock)
        _ = log.fireTimers(through: clock, into: &batch)
        continue
      }
      let timeMs = random.once(in: 10) ? max(0, clock - 50 * random.number(0...20)) : clock
      let gift = PlainGifts.Gift(
        user: Int(random.number(1...6)), gift: random.one(of: ["rose", "lily"]),
        receiver: random.one(of: ["", "", "x"]), count: random.one(of: [1, 1, 2, 30]),
        value: random.one(of: [0, 10, 500]),
        streak: random.once(in: 5) ? "s" : "", holdMs: random.one(of: [0, 0, 50, 400]))
      plain.take(gift, at: timeMs)
      let event = RoomEvent.gift(
        "\(gift.user)", gift.gift, count: gift.count, value: gift.value, to: gift.receiver, streak: gift.streak,
        hold: gift.holdMs)
      _ = log.apply(offset: offset, timestampMs: timeMs, event: event, into: &batch)
    }
    plain.fire(through: 1 << 40)
    _ = log.fireTimers(through: 1 << 40, into: &batch)
    let drawn = batch.commands.map { "\($0.atMs) \($0.line)" }
    let place = zip(drawn, plain.lines).prefix { $0 == $1 }.count
    let (got, expected) = (drawn.dropFirst(place).first, plain.lines.dropFirst(place).first)
    #expect(got == expected, "seed \(seed), command \(place), after \(drawn.prefix(place).suffix(5))")
  }

  private static func settings(
    _ random: inout SplitMix64
  ) -> (EngineSettings, tiers: [(worth: Int64, holdMs: Int64)]) {
    var settings = EngineSettings().plain
    let tiers: [(worth: Int64, holdMs: Int64)] = random.one(
      of: [[], [(500, 100), (5000, 250)], [(10, 50), (1000, 500)]])
    settings.gift.tiers = GiftTiers(Text(tiers.map { "\($0.worth):\($0.holdMs)" }.joined(separator: ",")))!
    settings.gift.lanes = random.one(of: [1, 2, 3])
    settings.gift.placement = random.one(of: [.bottomFirst, .bottomFirst, .byUser])
    settings.gift.order = random.one(of: [.tier, .tier, .fifo, .value])
    settings.gift.enterMs = random.one(of: [0, 50, 250])
    settings.gift.tickMs = random.one(of: [50, 100, 300])
    settings.gift.holdMs = random.one(of: [0, 50, 400])
    settings.gift.exitMs = random.one(of: [0, 50, 250])
    settings.gift.comboWindowMs = random.one(of: [0, 50, 1000])
    settings.gift.catchUpTicks = random.one(of: [0, 3, 10])
    settings.gift.leastMs = random.one(of: [0, 50, 500])
    settings.gift.turnMs = random.one(of: [0, 50, 500, 1000])
    settings.gift.refreshMs = random.one(of: [0, 50, 600])
    settings.gift.queueLimit = random.one(of: [0, 1, 3, 60])
    settings.gift.maxWaitMs = random.one(of: [0, 50, 300, 1500, 60_000])
    settings.gift.streakMs = random.one(of: [50, 1000])
    return (settings, tiers)
  }
}

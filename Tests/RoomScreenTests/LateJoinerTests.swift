import RoomEngine
import RoomModel
import RoomScreen
import TestSupport
import Testing
import Wire

/// A late joiner, by a snapshot, sees what everybody else sees.
struct LateJoinerTests {
  /// The drawn items, but for those that are over in a moment and not in a snapshot.
  private struct Picture: Equatable {
    struct Gift: Equatable {
      let lane: Int
      let combo: ID
      let sender: Command.Sender
      let gift: String
      let count, total, shownAtMs: Int64
    }

    struct Banner: Equatable {
      let id: ID
      let text: String
      let likes, left: Int64
    }

    struct Rain: Equatable {
      let id: ID
      let countdown: Command.RainCountdown?
      let tally: Command.RainTally?
      let fallen: [Int64]
    }

    let nowMs: Int64
    let gifts: [Gift]
    let banners: [Banner]
    let rains: [Rain]
    let isEnded: Bool

    init(_ screen: Screen) {
      nowMs = screen.nowMs
      isEnded = screen.isEnded
      gifts = screen.gifts.filter { $0.phase == .shown }.map {
        Gift(
          lane: $0.lane, combo: $0.id, sender: $0.sender, gift: $0.giftName, count: $0.count, total: $0.total,
          shownAtMs: $0.shownAtMs)
      }
      banners = screen.banners.map {
        Banner(
          id: $0.id, text: $0.text, likes: $0.likes,
          left: $0.left(atMs: screen.nowMs, width: $0.width, stageWidth: 375))
      }
      rains = screen.rains.map { rain in
        Rain(
          id: rain.id, countdown: rain.countdown, tally: rain.tally,
          // Either of two logs that drop at once may be the first.
          fallen: rain.drops.map { $0.fallen(atMs: screen.nowMs) }.sorted())
      }
    }
  }

  /// The commands of a room that has a log of its own for rains and one or two for all else, each somewhat behind.
  private static func commands(seed: UInt64) -> [Command] {
    var random = SplitMix64(seed: seed)
    let logCount = UInt64(random.number(1...2))
    var logs = (0..<logCount).map { engineCommands(seed: seed + $0 * 1000, topic: "t\($0)") }
    let startMs = logs[0].first?.atMs ?? 0
    logs.append(rain(startMs: startMs, &random))
    var merged: [Command] = []
    while true {
      logs.removeAll { $0.isEmpty }
      // Mostly in the order of time.
      guard let earliest = logs.indices.min(by: { logs[$0][0].atMs < logs[$1][0].atMs }) else { return merged }
      let next = random.once(in: 5) ? Int(random.number(0...Int64(logs.count - 1))) : earliest
      merged.append(logs[next].removeFirst())
    }
  }

  private static func engineCommands(seed: UInt64, topic: String) -> [Command] {
    let random = RandomLog(seed: seed, count: 200, floods: seed % 2 == 1)
    var log = PartitionLog(settings: random.settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    for input in random.inputs { log.take(input, into: &batch) }
    return topic.utf8CString.withUnsafeBytes { name in
      let name = Text(start: name.baseAddress!, count: name.count - 1)
      return batch.commands.filter { $0.roomId == Text("r1") }
        .map { Command(DecodedCommand(topic: name, partition: 0, command: $0)) }
    }
  }

  private static func rain(startMs: Int64, _ random: inout SplitMix64) -> [Command] {
    var script = Script(log: "rains/0")
    var atMs = startMs
    for packet in 0..<Int(random.number(0...100)) {
      atMs += random.number(0...800)
      let rain = random.one(of: ["x", "y"] as [ID])
      switch random.number(0...9) {
      case 0: script.at(atMs, .countdown(rain, left: random.number(0...3), startMs: atMs + 3000))
      case 1...2: script.at(atMs, .tally(rain, opened: Int64(packet)))
      case 3: script.at(atMs, random.one(of: [.end(rain), .burst(2)]))
      default: script.at(atMs, .drop(rain, packet, fallMs: random.number(1...5000)))
      }
    }
    return script.commands
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func aScreenFromASnapshotShowsWhatTheWholeStreamShows(seed: UInt64) throws {
    let commands = Self.commands(seed: seed)
    var random = SplitMix64(seed: seed)
    var whole = Screen("r1")
    var joined: [Screen] = []
    for (index, command) in commands.enumerated() {
      if random.once(in: 40) {
        whole.advance(to: whole.nowMs + random.number(0...500))
        for late in joined.indices { joined[late].advance(to: whole.nowMs) }
        var late = Screen("r1")
        late.reset(to: whole.snapshot)
        #expect(late.snapshot == whole.snapshot, "a snapshot of a snapshot is the same")
        joined = joined.suffix(1) + [late]
      }
      whole.apply(command)
      // A snapshot doesn't have it.
      if random.once(in: 20) { whole.apply(random.one(of: commands[...index].suffix(100))) }
      let picture = Picture(whole)
      for late in joined.indices {
        joined[late].apply(command)
        try #require(Picture(joined[late]) == picture, "after \(command)")
      }
    }
    whole.advance(to: whole.nowMs + 1_000_000_000_000)
    #expect(whole.gifts.isEmpty && whole.banners.isEmpty && whole.bursts.isEmpty, "in the end all is over")
  }
}

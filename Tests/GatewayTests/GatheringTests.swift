import Gateway
import HTTP
import RoomScreen
import Settings
import TestSupport
import Testing

struct GatheringTests {
  /// Each command once and in its order, within the time that it may wait since it was read, to streams that come at any
  /// time, from a loop that is late now and then; and fewer writes than commands.
  @Test(arguments: [0, 50, 200]) func whatIsGatheredComesInTimeAndInOrder(gatherMs: Int64) throws {
    let seeds = Seeds(count: 5)
    var (commands, writes) = (0, 0)
    for seed in seeds.first..<seeds.first + seeds.count {
      var random = SplitMix64(seed: seed)
      let (topic, clock) = (SimulatedTopic(), SimulatedClock())
      let gateway = SimulatedGateway(
        topic, SimulatedResults(), clock, historyBytes: 1_000_000, hubs: 1, gatherMs: gatherMs)
      var followers: [Follower] = []
      var (lateMs, hasNews) = (Int64(0), false)
      for _ in 0..<600 {
        clock.advance(ms: 1)
        if lateMs == 0, random.once(in: 40) { lateMs = random.number(1...100) }
        lateMs = max(0, lateMs - 1)
        if lateMs == 0 { gateway.ring() }
        if followers.count < 6, random.once(in: 20) { followers.append(Follower(gateway, topic, &random)) }
        if random.once(in: 8) {
          for _ in 0..<random.number(1...3) { topic.publish(&random, atMs: clock.ms) }
          for partition in 0..<SimulatedTopic.partitions { gateway.read(partition, most: .max) }
          hasNews = true
        }
        if lateMs > 0 { continue }
        if hasNews { gateway.hubs[0].deliver() }
        hasNews = false
        for follower in followers { try follower.take(topic, nowMs: clock.ms, within: gatherMs, "seed \(seed)") }
      }
      gateway.hubs[0].deliver()
      clock.advance(ms: gatherMs)
      gateway.ring()
      for follower in followers {
        try follower.take(topic, nowMs: clock.ms, within: gatherMs, "seed \(seed)")
        #expect(follower.isAtEnd(of: topic), "seed \(seed)")
        commands += follower.count
        writes += follower.stream!.writes
      }
    }
    #expect(commands > 300)
    #expect(gatherMs == 0 ? writes > commands / 3 : writes < commands / 2, "\(writes) writes of \(commands) commands")
  }

  /// Somebody comes to a room of one partition before the loop hands out what another has had for longer.
  @Test func whatIsDueSoonerThanAllElseComesInTime() throws {
    var random = SplitMix64(seed: 1)
    let (topic, clock) = (SimulatedTopic(), SimulatedClock())
    let gateway = SimulatedGateway(
      topic, SimulatedResults(), clock, historyBytes: 1_000_000, hubs: 1, gatherMs: 200)
    func publish(in room: ID) {
      topic.publish(&random, in: room, atMs: clock.ms)
      gateway.read(SimulatedTopic.partition(of: room), most: .max)
    }
    let early = SimulatedTopic.rooms[0]
    let late = try #require(
      SimulatedTopic.rooms.first { SimulatedTopic.partition(of: $0) != SimulatedTopic.partition(of: early) })
    var followers = [early, late].map { Follower(gateway, topic, in: [$0]) }
    publish(in: early)
    clock.advance(ms: 100)
    publish(in: late)
    followers.append(Follower(gateway, topic, in: [late]))
    gateway.hubs[0].deliver()
    for _ in 0..<200 {
      clock.advance(ms: 1)
      gateway.ring()
      for follower in followers { try follower.take(topic, nowMs: clock.ms, within: 200, "") }
    }
    #expect(followers.allSatisfy { $0.isAtEnd(of: topic) })
  }

  /// Rooms that are sent something at the same times are not written to together for ever.
  @Test func whatBeganTogetherSpreads() {
    var random = SplitMix64(seed: 1)
    let (topic, clock) = (SimulatedTopic(), SimulatedClock())
    let gateway = SimulatedGateway(
      topic, SimulatedResults(), clock, historyBytes: 1_000_000, hubs: 1, gatherMs: 120)
    let followers = SimulatedTopic.rooms.map { Follower(gateway, topic, in: [$0]) }
    var (moments, before) = (0, 0)
    for ms in 0..<20_000 {
      if ms % 100 == 0 {
        for room in SimulatedTopic.rooms { topic.publish(&random, in: room, atMs: clock.ms) }
        for partition in 0..<SimulatedTopic.partitions { gateway.read(partition, most: .max) }
        gateway.hubs[0].deliver()
      }
      clock.advance(ms: 1)
      gateway.ring()
      let writes = followers.reduce(0) { $0 + $1.stream!.writes }
      if writes > before, ms > 10_000 { moments += 1 }
      before = writes
    }
    // Two commands in each write, all at the same 50 moments, if nothing spread.
    #expect(moments > 100, "\(moments) moments")
    #expect(before < 20_000 / 100 * followers.count * 2 / 3, "\(before) writes")
  }

  /// A stream of some rooms, from its beginning on.
  private final class Follower {
    private let list: RoomList
    private(set) var stream: SimulatedStream?
    private(set) var count = 0
    /// The number of the first command that could be its.
    private let next: Int
    /// The same of each partition that it has been sent something of.
    private var taken: [Int: Int] = [:]

    convenience init(_ gateway: SimulatedGateway, _ topic: SimulatedTopic, _ random: inout SplitMix64) {
      self.init(
        gateway, topic, in: (0..<random.number(1...3)).map { _ in random.one(of: SimulatedTopic.rooms) })
    }

    init(_ gateway: SimulatedGateway, _ topic: SimulatedTopic, in rooms: [ID]) {
      list = gateway.store.list(rooms)
      next = topic.commands.count
      stream = gateway.hubs[0].open(list, address: nil, user: nil, lastEventId: nil) { first, client in
        SimulatedStream(first, owner: client, limit: 1000)
      }
    }

    func take(_ topic: SimulatedTopic, nowMs: Int64, within gatherMs: Int64, _ comment: Comment) throws {
      while let frame = stream?.take() {
        let lines = String(decoding: frame.bytes(chunked: false), as: UTF8.self).split(separator: "\n")
        guard lines.contains("event: command"), let data = lines.last?.dropFirst(6) else { continue }
        let number = try #require(Int(data))
        // Of one partition they are in order; between partitions there is none.
        let partition = SimulatedTopic.partition(of: topic.commands[number].roomId)
        try #require(number == due(topic, partition), comment)
        taken[partition] = number + 1
        count += 1
      }
      for partition in 0..<SimulatedTopic.partitions {
        guard let number = due(topic, partition) else { continue }
        try #require(nowMs < topic.commands[number].atMs + max(1, gatherMs), comment)
      }
    }

    /// The number of the next command that it lacks; nil: it has all of this partition.
    private func due(_ topic: SimulatedTopic, _ partition: Int) -> Int? {
      (max(next, taken[partition] ?? 0)..<topic.commands.count).first {
        let room = topic.commands[$0].roomId
        return list.rooms.contains(room) && SimulatedTopic.partition(of: room) == partition
      }
    }

    func isAtEnd(of topic: SimulatedTopic) -> Bool {
      (0..<SimulatedTopic.partitions).allSatisfy { due(topic, $0) == nil }
    }
  }

  // MARK: When

  private struct Loop {
    var gathering: Gathering
    private var nowMs: Int64 = 0
    private var counts = WriteCounts()

    init(_ gathering: Gathering) { self.gathering = gathering }

    /// Five seconds of 1000 writes a second, or fewer where it gathers.
    ///
    /// - Parameters:
    ///   - busyMs: of 100 ms, with nothing gathered.
    ///   - of: that it makes one write of while it gathers.
    mutating func run(busyMs: Int64, of events: Int) -> [Bool] {
      (0..<50).map { _ in
        let isOn = gathering.isOn
        counts.made += isOn ? 100 / events : 100
        if isOn { counts.spared += 100 - 100 / events }
        let startMs = nowMs
        nowMs += 100
        gathering.worked(fromMs: startMs, toMs: startMs + (isOn ? busyMs / Int64(events) : busyMs), counts)
        gathering.worked(fromMs: nowMs, toMs: nowMs, counts)
        return gathering.isOn
      }
    }
  }

  @Test func aLoopThatIsBusyGathersForAsLongAsItWouldBeBusyWithout() {
    var loop = Loop(Gathering(.busy, ms: 200, nowMs: 0))
    #expect(loop.run(busyMs: 48, of: 4).allSatisfy { !$0 }, "less than half")
    // It would be half asleep now, and gathers on.
    #expect(loop.run(busyMs: 80, of: 4).dropFirst(5).allSatisfy { $0 })
    #expect(loop.run(busyMs: 48, of: 4).allSatisfy { $0 }, "it does not change back and forth")
    #expect(loop.run(busyMs: 20, of: 4).dropFirst(5).allSatisfy { !$0 })
    #expect(loop.gathering.ms == 0)
  }

  @Test func itGathersAlwaysOrNeverIfItIsToldTo() {
    #expect(Gathering(.always, ms: 70, nowMs: 0).ms == 70)
    var never = Loop(Gathering(.busy, ms: 0, nowMs: 0))
    #expect(never.run(busyMs: 100, of: 1).allSatisfy { !$0 })
  }
}

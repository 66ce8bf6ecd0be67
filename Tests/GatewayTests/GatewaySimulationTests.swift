import Gateway
import RoomScreen
import Settings
import TestSupport
import Testing

struct GatewaySimulationTests {
  /// Each command once, within a client's patience, whatever happens between two steps.
  @Test func whatAClientIsSentIsTheFoldOfTheTopic() throws {
    let seeds = Seeds(count: 60)
    var events = 0
    for seed in seeds.first..<seeds.first + seeds.count {
      let simulation = GatewaySimulation(seed: seed)
      do {
        try simulation.run(steps: 400)
      } catch {
        Issue.record("a schedule fails; FLYSCREEN_SEED=\(seed) repeats it")
        throw error
      }
      events += simulation.events
    }
    #expect(events > 50 * Int(seeds.count), "clients are sent something")
  }

  /// Many come in the same moment, and commands come between any two of them.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func whoComesInACrowdLacksNothing(seed: UInt64) throws {
    let (topic, results, clock) = (SimulatedTopic(), SimulatedResults(), SimulatedClock())
    let gateway = SimulatedGateway(topic, results, clock, historyBytes: 1_000_000, hubs: 1, gatherMs: 0)
    var random = SplitMix64(seed: seed)
    var clients: [SimulatedClient] = []
    for _ in 0..<12 {
      for _ in 0..<random.number(0...3) { topic.publish(&random, atMs: clock.ms) }
      for partition in 0..<gateway.partitions { gateway.read(partition, most: .max) }
      let client = SimulatedClient(rooms: SimulatedTopic.rooms, user: nil, limit: 1000)
      client.come(to: gateway, results, &random)
      clients.append(client)
    }
    gateway.deliver(to: 0)
    clock.advance(ms: StreamHub<SimulatedStream>.patienceMs)
    gateway.ring()
    gateway.deliver(to: 0)
    for client in clients {
      _ = try client.take(.max, topic, results)
      #expect(client.hasAll(of: topic))
    }
  }

  /// A client that is ahead of its gateway waits, and results that must not be lost come faster than it reads: it begins
  /// with snapshots then, and gets what comes after them once.
  @Test func whoLagsWhileItWaitsWaitsNoMore() throws {
    let (topic, results, clock) = (SimulatedTopic(), SimulatedResults(), SimulatedClock())
    let gateway = SimulatedGateway(topic, results, clock, historyBytes: 1_000_000, hubs: 1, gatherMs: 0)
    let hub = gateway.hubs[0]
    var random = SplitMix64(seed: 1)
    func read() {
      for partition in 0..<gateway.partitions { gateway.read(partition, most: .max) }
      gateway.deliver(to: 0)
    }
    let list = gateway.store.list(SimulatedTopic.rooms)
    gateway.results.store.endReadBack()
    let stream = try #require(
      hub.open(list, address: nil, user: "7", lastEventId: SimulatedClient.idOfNoEvent(in: list)) {
        SimulatedStream($0, owner: $1, limit: 2)
      })
    topic.publish(&random, atMs: clock.ms)
    read()
    #expect(stream.writes == 0, "it waits")
    for _ in 0..<2 {
      let result = StreamResult(user: "7", room: list.rooms[0], timestampMs: clock.ms, json: [])
      hub.deliver(.result(gateway.results.store.add(result, isKept: true, nowMs: clock.ms)))
    }
    while stream.take() != nil {}
    clock.advance(ms: StreamHub<SimulatedStream>.patienceMs)
    read()
    topic.publish(&random, atMs: clock.ms)
    read()
    #expect(stream.writes == 1 && !stream.isCut)
  }

  /// The topic grows, and a setting names the partitions that are this gateway's. Clients that are ahead of it wait, and
  /// find the other gateway all the same.
  @Test(arguments: [false, true]) func streamsOfRoomsThatMoveToAnotherGatewayEnd(isAhead: Bool) throws {
    let store = CommandStore(
      topic: "t", RoomRouting(partitions: 2, share: [0, 1]), begins: [0: 0, 1: 0], lookbackMs: 60_000,
      historyBytes: 10_000)
    let hub = StreamHub<SimulatedStream>(store, nil, .machine, GatewaySettings())
    let rooms = (0..<20).map { ID("room\($0)") }
    let streams = try rooms.map { room in
      let list = store.list([room])
      let id = isAhead ? SimulatedClient.idOfNoEvent(in: list) : nil
      return try #require(
        hub.open(list, address: nil, user: nil, lastEventId: id) { SimulatedStream($0, owner: $1, limit: 9) })
    }
    store.grow(to: 5)
    hub.deliver()
    #expect(streams.map(\.isOver) == rooms.map { !store.routing.serves($0) })
    #expect(Set(streams.map(\.isOver)).count == 2, "some have moved")
  }
}

import Foundation
import Gateway
import HTTP
import RoomScreen
import Settings
import Synchronization
import TestSupport
import Testing
import Wire

/// Gateways that read one commands topic, each at its own pace, with clients that come, go, lag and come back to any of
/// them, while the topic grows: one thread, one seed.
///
/// After each event a client's screens are those that the topic gives up to the position that the event tells; where
/// rooms have moved to another partition, in the end. And it is told what its user's grabs gave, each result once in a
/// stream.
final class GatewaySimulation {
  private var random: SplitMix64
  private let topic: SimulatedTopic
  private let results = SimulatedResults()
  private let clock = SimulatedClock()
  private var gateways: [SimulatedGateway] = []
  private var clients: [SimulatedClient] = []
  /// Whether the topic grows.
  private let grows: Bool
  /// The most time that a step takes, but for some: in little time many find the same snapshot.
  private let paceMs: Int64
  /// The mean number of steps between two that take long, while commands to be handed out wait.
  private let pause: UInt64
  private(set) var events = 0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    topic = SimulatedTopic()
    for _ in 0..<random.number(0...9) { results.publish(&random, atMs: clock.ms) }
    grows = random.once(in: 2)
    paceMs = random.one(of: [3, 40])
    pause = random.one(of: [20, 200])
    for _ in 0..<2 { gateways.append(newGateway()) }
    for _ in 0..<random.number(1...6) {
      // Some follow what others do, so that they share a channel.
      let drawn = (0..<random.number(1...3)).map { _ in random.one(of: SimulatedTopic.rooms) }
      let rooms = random.once(in: 2) ? clients.last?.rooms ?? drawn : drawn
      let user = random.once(in: 3) ? nil : random.one(of: SimulatedResults.users)
      clients.append(SimulatedClient(rooms: rooms, user: user, limit: Int(random.number(2...40))))
    }
  }

  private func newGateway() -> SimulatedGateway {
    // A history of some commands only, or of all: a room that has moved is drawn anew from what is kept.
    let historyBytes = !grows && random.once(in: 2) ? 3 * 1000 : 1_000_000
    let gatherMs = random.once(in: 2) ? 0 : random.number(1...300)
    return SimulatedGateway(topic, results, clock, historyBytes: historyBytes, hubs: 2, gatherMs: gatherMs)
  }

  /// The topic grows; or a gateway learns of it, or is started again and has known it from its beginning.
  private func grow() {
    guard topic.hasGrown else { return topic.grow() }
    let place = Int(random.number(0...1))
    guard random.once(in: 3) else { return gateways[place].learn() }
    for client in clients where client.gateway === gateways[place] { client.leave() }
    gateways[place] = newGateway()
  }

  func run(steps: Int) throws {
    for _ in 0..<steps { try step() }
    // All is read and handed out, and clients that have waited for the longest time get their events.
    for gateway in gateways {
      gateway.learn()
      for partition in 0..<topic.count { gateway.read(partition, most: .max) }
      gateway.heal()
      for partition in results.logs.indices { gateway.results.read(partition, most: .max, nowMs: clock.ms) }
    }
    clock.advance(ms: StreamHub<SimulatedStream>.patienceMs)
    for _ in 0..<2 {
      for gateway in gateways { for hub in gateway.hubs.indices { gateway.deliver(to: hub) } }
      clock.advance(ms: 300)
      for gateway in gateways { gateway.ring() }
      for client in clients { events += try client.take(.max, topic, results) }
    }
    for client in clients where client.isConnected {
      try #require(client.hasAll(of: topic), "\(client.list?.rooms ?? []) lacks something in the end")
      try #require(client.lacks(of: results) == nil, "a result is lacking in the end")
    }
  }

  /// Some find the snapshots that others have just been given; commands may have come since.
  private func comeTogether(to gateway: SimulatedGateway) {
    for client in clients where !client.isConnected && !random.once(in: 3) {
      client.come(to: gateway, results, &random)
      guard random.once(in: 2) else { continue }
      topic.publish(&random, atMs: clock.ms)
      for partition in 0..<gateway.partitions { gateway.read(partition, most: 3) }
      gateway.heal()
    }
  }

  private func step() throws {
    clock.advance(ms: random.once(in: pause) ? 12_000 : random.number(0...paceMs))
    for gateway in gateways {
      gateway.results.readWhatIsLate(nowMs: clock.ms)
      gateway.ring()
    }
    if grows, random.once(in: 60) { grow() }
    let gateway = random.one(of: gateways)
    let client = random.one(of: clients)
    switch random.number(0...12) {
    case 0...2: for _ in 0..<random.number(1...4) { topic.publish(&random, atMs: clock.ms) }
    case 3...4:
      gateway.read(random.one(of: Array(0..<gateway.partitions)), most: Int(random.number(1...5)))
      // Its loops may be quicker.
      if !random.once(in: 4) { gateway.heal() }
    case 5: gateway.deliver(to: Int(random.number(0...1)))
    case 10: results.publish(&random, atMs: clock.ms)
    case 11: gateway.results.read(Int(random.number(0...1)), most: Int(random.number(1...3)), nowMs: clock.ms)
    case 12: gateway.deliverResults(to: Int(random.number(0...1)))
    case 6 where random.once(in: 3): client.leave()
    case 6: if !client.isConnected { client.come(to: gateway, results, &random) }
    case 7: comeTogether(to: gateway)
    default: events += try client.take(Int(random.number(1...10)), topic, results)
    }
  }
}

final class SimulatedClock: Sendable {
  private let now = Atomic<Int64>(1_000_000)
  var ms: Int64 { now.load(ordering: .relaxed) }
  func advance(ms: Int64) { now.add(ms, ordering: .relaxed) }
}

final class SimulatedGateway {
  let store: CommandStore
  let hubs: [StreamHub<SimulatedStream>]
  let results: SimulatedResultFeed
  private let topic: SimulatedTopic
  private let clock: SimulatedClock
  private var next = Array(repeating: 0, count: SimulatedTopic.grownPartitions)
  /// The times of its hubs' alarms; nil: none is set.
  private var alarmsMs: [Int64?]

  convenience init(
    _ topic: SimulatedTopic, _ results: SimulatedResults, _ clock: SimulatedClock, historyBytes: Int, hubs: Int,
    gatherMs: Int64
  ) {
    var settings = GatewaySettings()
    settings.pace.gather = .always
    settings.pace.gatherMs = gatherMs
    self.init(topic, results, clock, historyBytes: historyBytes, hubs: hubs, settings)
  }

  init(
    _ topic: SimulatedTopic, _ results: SimulatedResults, _ clock: SimulatedClock, historyBytes: Int, hubs: Int,
    _ settings: GatewaySettings
  ) {
    (self.topic, self.clock) = (topic, clock)
    let feed = SimulatedResultFeed(results, hubs: hubs)
    self.results = feed
    let count = Int32(topic.count)
    let store = CommandStore(
      topic: "t", RoomRouting(partitions: count),
      begins: Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, 0) }), lookbackMs: 60_000_000,
      historyBytes: historyBytes)
    let clocks = GatewayClocks(monotonicMs: { clock.ms }, wallMs: { clock.ms })
    self.store = store
    self.hubs = (0..<hubs).map { _ in StreamHub(store, feed.store, clocks, settings) }
    alarmsMs = Array(repeating: nil, count: hubs)
    for (number, hub) in self.hubs.enumerated() {
      hub.ring = { [unowned self] in alarmsMs[number] = clock.ms + $0 }
    }
  }

  /// The partitions when it began, and those that it knows of.
  var homes: Int { Int(store.routing.homes) }
  var partitions: Int { Int(store.routing.partitions) }

  /// Of more partitions, if there are.
  func learn() { store.grow(to: Int32(topic.count)) }

  /// The alarms whose time has come.
  func ring() {
    for (number, hub) in hubs.enumerated() {
      guard let alarmMs = alarmsMs[number], alarmMs <= clock.ms else { continue }
      alarmsMs[number] = nil
      hub.flush()
    }
  }

  func deliver(to hub: Int) {
    deliverResults(to: hub)
    hubs[hub].deliver()
  }

  func deliverResults(to hub: Int) {
    for news in results.takeNews(for: hub) { hubs[hub].deliver(news) }
  }

  /// Reads the next records of a partition, `most` at most.
  func read(_ partition: Int, most: Int) {
    let entries = topic.logs[partition].dropFirst(next[partition]).prefix(most)
    guard let last = entries.last else { return }
    next[partition] += entries.count
    let readings = entries.map { entry in
      let home = store.routing.home(of: entry.command.roomId)!
      let received = ReceivedCommand(
        command: entry.command,
        entry: HistoryEntry(
          position: PartitionPosition(
            offset: entry.offset, check: PartitionPosition.check(of: entry.command.id.string.utf8)),
          room: entry.command.roomId, json: Array("\(entry.number)".utf8), readMs: clock.ms),
        home: home)
      return (home, received)
    }
    if partition < homes {
      store.change(Int32(partition)) { state in
        for (home, received) in readings where home == partition { state.apply(received) }
        state.advance(to: last.offset + 1)
      }
    }
    for (home, received) in readings where home != partition { store.change(home) { $0.applyStray(received) } }
  }

  /// Draws rooms anew whose commands came out of order.
  func heal() {
    for partition in store.served {
      store.change(partition) { [topic, clock] state in
        state.heal(readMs: clock.ms) { topic.commands[Int(String(decoding: $0.json, as: UTF8.self))!] }
      }
    }
  }
}

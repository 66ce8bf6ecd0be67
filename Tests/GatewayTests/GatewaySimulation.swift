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
/// them: one thread, one seed.
///
/// After each event a client's screens are those that the topic gives up to the position that the event tells; and it is
/// told what its user's grabs gave, each result once in a stream.
final class GatewaySimulation {
  private var random: SplitMix64
  private let topic: SimulatedTopic
  private let results = SimulatedResults()
  private let clock = SimulatedClock()
  private var gateways: [SimulatedGateway] = []
  private var clients: [SimulatedClient] = []
  private(set) var events = 0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    topic = SimulatedTopic()
    for _ in 0..<random.number(0...9) { results.publish(&random, atMs: clock.ms) }
    // A history of some commands only, or of all.
    for _ in 0..<2 {
      let historyBytes = random.once(in: 2) ? 3 * 1000 : 1_000_000
      let gatherMs = random.once(in: 2) ? 0 : random.number(1...300)
      gateways.append(
        SimulatedGateway(topic, results, clock, historyBytes: historyBytes, hubs: 2, gatherMs: gatherMs))
    }
    for _ in 0..<random.number(1...6) {
      // Some follow what others do, so that they share a channel.
      let drawn = (0..<random.number(1...3)).map { _ in random.one(of: SimulatedTopic.rooms) }
      let rooms = random.once(in: 2) ? clients.last?.rooms ?? drawn : drawn
      let user = random.once(in: 3) ? nil : random.one(of: SimulatedResults.users)
      clients.append(SimulatedClient(rooms: rooms, user: user, limit: Int(random.number(2...40))))
    }
  }

  func run(steps: Int) throws {
    for _ in 0..<steps { try step() }
    // All is read and handed out, and who waited for longer than anybody waits is told.
    for gateway in gateways {
      for partition in 0..<SimulatedTopic.partitions { gateway.read(partition, most: .max) }
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

  private func step() throws {
    clock.advance(ms: random.once(in: 200) ? 12_000 : random.number(0...40))
    for gateway in gateways {
      gateway.results.readWhatIsLate(nowMs: clock.ms)
      gateway.ring()
    }
    let gateway = random.one(of: gateways)
    let client = random.one(of: clients)
    switch random.number(0...12) {
    case 0...2: for _ in 0..<random.number(1...4) { topic.publish(&random, atMs: clock.ms) }
    case 3...4: gateway.read(random.one(of: Array(0..<SimulatedTopic.partitions)), most: Int(random.number(1...5)))
    case 5: gateway.deliver(to: Int(random.number(0...1)))
    case 10: results.publish(&random, atMs: clock.ms)
    case 11: gateway.results.read(Int(random.number(0...1)), most: Int(random.number(1...3)), nowMs: clock.ms)
    case 12: gateway.deliverResults(to: Int(random.number(0...1)))
    case 6 where random.once(in: 3): client.leave()
    case 6: if !client.isConnected { client.come(to: gateway, results, &random) }
    case 7: if !client.isConnected { client.come(to: gateway, results, &random) }
    default: events += try client.take(Int(random.number(1...10)), topic, results)
    }
  }
}

final class SimulatedClock: Sendable {
  private let now = Atomic<Int64>(1_000_000)
  var ms: Int64 { now.load(ordering: .relaxed) }
  func advance(ms: Int64) { now.add(ms, ordering: .relaxed) }
}

/// The commands topic: each partition a log with gaps, as markers of transactions leave them.
final class SimulatedTopic {
  struct Entry {
    let offset: Int64
    let command: Command
    /// Its place in ``commands``.
    let number: Int
  }

  static let partitions = 3
  static let rooms = (0..<6).map { ID("r\($0)") }
  private(set) var logs: [[Entry]] = Array(repeating: [], count: partitions)
  private(set) var commands: [Command] = []
  private var ends: [Int64] = Array(repeating: 0, count: partitions)

  static func partition(of room: ID) -> Int {
    Int(room.withBytes { Murmur2.partition(key: $0, partitions: Int32(partitions)) })
  }

  func publish(_ random: inout SplitMix64, atMs: Int64) {
    let room = random.one(of: Self.rooms)
    let partition = Self.partition(of: room)
    let number = commands.count
    let (combo, sender) = (ID("im.gifts/\(partition)/0"), Command.Sender(userId: "7"))
    let body: Command.Body =
      switch random.number(0...3) {
      case 0: .giftHide(Command.GiftHide(comboId: combo, lane: 0, count: 3, exitMs: 100))
      case 1:
        .giftShow(
          Command.GiftShow(
            comboId: combo, lane: 0, sender: sender, receiverId: "", giftId: "rose", giftName: "", value: 1, from: 0,
            total: random.number(1...50), enterMs: 250))
      default:
        .wishFly(
          Command.WishFly(
            wishId: ID("w\(number)"), track: 0, sender: sender, text: "hi", style: "", width: 100,
            durationMs: random.number(100...3000), likes: 0))
      }
    let command = Command(roomId: room, id: ID("im.gifts/\(partition)/\(number)/0"), atMs: atMs, body: body)
    commands.append(command)
    logs[partition].append(Entry(offset: ends[partition], command: command, number: number))
    ends[partition] += random.once(in: 4) ? 2 : 1
  }

  /// The screen of a room after the records up to `offset`.
  func screen(of room: ID, through offset: Int64) -> Screen {
    var screen = Screen(room)
    for entry in logs[Self.partition(of: room)] where entry.offset <= offset && entry.command.roomId == room {
      screen.apply(entry.command)
    }
    return screen
  }

  func lastOffset(_ room: ID) -> Int64 {
    logs[Self.partition(of: room)].last { $0.command.roomId == room }?.offset ?? -1
  }
}

final class SimulatedGateway {
  let store: CommandStore
  let hubs: [StreamHub<SimulatedStream>]
  let results: SimulatedResultFeed
  private let topic: SimulatedTopic
  private let clock: SimulatedClock
  private var next = Array(repeating: 0, count: SimulatedTopic.partitions)
  /// The times of its hubs' alarms; nil: none is set.
  private var alarmsMs: [Int64?]

  init(
    _ topic: SimulatedTopic, _ results: SimulatedResults, _ clock: SimulatedClock, historyBytes: Int, hubs: Int,
    gatherMs: Int64
  ) {
    (self.topic, self.clock) = (topic, clock)
    let feed = SimulatedResultFeed(results, hubs: hubs)
    self.results = feed
    let store = CommandStore(
      topic: "t", RoomRouting(partitions: Int32(SimulatedTopic.partitions)), begins: [0: 0, 1: 0, 2: 0],
      lookbackMs: 60_000_000, historyBytes: historyBytes)
    let clocks = GatewayClocks(monotonicMs: { clock.ms }, wallMs: { clock.ms })
    self.store = store
    self.hubs = (0..<hubs).map { _ in StreamHub(store, feed.store, clocks, gather: .always, gatherMs: gatherMs) }
    alarmsMs = Array(repeating: nil, count: hubs)
    for (number, hub) in self.hubs.enumerated() {
      hub.ring = { [unowned self] in alarmsMs[number] = clock.ms + $0 }
    }
  }

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

  /// Reads the next records of a partition, at most so many.
  func read(_ partition: Int, most: Int) {
    let entries = topic.logs[partition].dropFirst(next[partition]).prefix(most)
    guard let last = entries.last else { return }
    next[partition] += entries.count
    store.change(Int32(partition)) { state in
      for entry in entries {
        let check = PartitionPosition.check(of: entry.command.id.string.utf8)
        state.apply(
          ServedPartition.Reading(
            command: entry.command,
            entry: HistoryEntry(
              position: PartitionPosition(offset: entry.offset, check: check), room: entry.command.roomId,
              json: Array("\(entry.number)".utf8), readMs: clock.ms),
            home: Int32(partition)))
      }
      state.advance(to: last.offset + 1)
    }
  }
}

/// A client that draws what it is sent.
private final class SimulatedClient {
  let rooms: [ID]
  /// The events that its gateway keeps for it.
  private let limit: Int
  private(set) var list: RoomList?
  private var stream: SimulatedStream?
  private var screens: [ID: Screen] = [:]
  private var lastEventId: String?
  private let user: ID?
  private var ledger: ResultLedger

  init(rooms: [ID], user: ID?, limit: Int) {
    (self.rooms, self.user, self.limit) = (rooms, user, limit)
    ledger = ResultLedger(user: user)
  }

  var isConnected: Bool { stream != nil }

  func come(to gateway: SimulatedGateway, _ results: SimulatedResults, _ random: inout SplitMix64) {
    // Sometimes it begins anew, and sometimes with an id that nobody gave.
    if random.once(in: 6) { lastEventId = nil }
    if random.once(in: 20) { lastEventId = "1-2.3" }
    let list = gateway.store.list(rooms)
    if random.once(in: 20) { lastEventId = Self.idOfNoEvent(in: list) }
    self.list = list
    ledger.come(isBack: lastEventId != nil, results)
    stream = random.one(of: gateway.hubs).open(list, address: "::1", user: user, lastEventId: lastEventId) {
      [limit] first, client in
      SimulatedStream(first, owner: client, limit: limit)
    }
  }

  /// It tells of commands that never came.
  private static func idOfNoEvent(in list: RoomList) -> String {
    let positions = list.partitions.map { _ in PartitionPosition(offset: 1_000_000, check: 1) }
    return String(decoding: StreamPosition(list: list.hash, positions: positions).text, as: UTF8.self)
  }

  func leave() {
    if stream?.hasLostResults == true { ledger.lose() }
    stream?.end()
    stream = nil
  }

  /// - Returns: the number of events.
  func take(_ most: Int, _ topic: SimulatedTopic, _ results: SimulatedResults) throws -> Int {
    var count = 0
    while count < most, let frame = stream?.take() {
      count += 1
      try receive(frame, topic, results)
    }
    if stream?.hasLostResults == true { ledger.lose() }
    return count
  }

  func lacks(of results: SimulatedResults) -> Int? { ledger.lacks(in: list?.rooms ?? [], results) }

  private func receive(_ frame: EventFrame, _ topic: SimulatedTopic, _ results: SimulatedResults) throws {
    let lines = String(decoding: frame.bytes(chunked: false), as: UTF8.self).split(separator: "\n")
    func field(_ name: String) -> String? {
      lines.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
    }
    guard let name = field("event"), let data = field("data"), let list else { return }
    if name == "result" {
      let breach = ledger.take(try #require(Int(data)), in: list.rooms, results)
      return try #require(breach == nil, "\(breach ?? "")")
    }
    guard let id = field("id") else { return }
    let before = lastEventId.flatMap { StreamPosition($0) }
    lastEventId = id
    switch name {
    case "snapshot":
      let snapshot = try JSONDecoder().decode(Snapshot.self, from: Data(data.utf8))
      screens[snapshot.roomId, default: Screen(snapshot.roomId)].reset(to: snapshot)
    default:
      let command = topic.commands[try #require(Int(data))]
      let partition = try #require(list.partitions.firstIndex(of: Int32(SimulatedTopic.partition(of: command.roomId))))
      let position = try #require(before, "a command comes after a snapshot or another command")
      let log = topic.logs[Int(list.partitions[partition])]
      let offset = try #require(log.first { $0.command.id == command.id }?.offset)
      try #require(position.positions[partition].offset < offset, "\(command.id) came once more")
      screens[command.roomId]!.apply(command)
    }
    // Not of a snapshot after which others are still to come.
    guard let position = StreamPosition(id), position.list == list.hash else { return }
    for room in list.rooms {
      let partition = try #require(list.partitions.firstIndex(of: Int32(SimulatedTopic.partition(of: room))))
      try #require(
        isSame(screens[room], topic.screen(of: room, through: position.positions[partition].offset)),
        "after \(name) \(data.prefix(60)) the screen of \(room) is another")
    }
  }

  private func isSame(_ one: Screen?, _ other: Screen) -> Bool {
    guard var one else { return false }
    var other = other
    let nowMs = max(one.nowMs, other.nowMs)
    one.advance(to: nowMs)
    other.advance(to: nowMs)
    return one.snapshot.commands == other.snapshot.commands
  }

  /// Whether it has come to the end of the topic.
  func hasAll(of topic: SimulatedTopic) -> Bool {
    guard let list, let position = lastEventId.flatMap({ StreamPosition($0) }), position.list == list.hash else {
      return false
    }
    return list.rooms.allSatisfy { room in
      let partition = list.partitions.firstIndex(of: Int32(SimulatedTopic.partition(of: room)))!
      return position.positions[partition].offset >= topic.lastOffset(room)
    }
  }
}

import Foundation
import Gateway
import RoomScreen
import TestSupport
import Testing

/// A commands topic that grows from two partitions to five, and a gateway that began with two.
///
/// Workers learn of it one after the other, and partitions are read independently: a room's commands of one input
/// partition come on two partitions, in any order between these.
private struct GrowingTopic {
  /// The records of one partition, in their order.
  var partitions: [[Command]] = Array(repeating: [], count: 5)
  /// All of it, as it was decided.
  var inOrder: [Command] = []
  static let rooms = (0..<6).map { ID("r\($0)") }
  static let routing = RoomRouting(partitions: 2)

  /// - Parameter growsAt: the number of commands of each input partition that are sent by the old count.
  init(_ random: inout SplitMix64, count: Int) {
    var grown = Self.routing
    grown.partitions = 5
    let growsAt = [Int(random.next() % UInt64(count)), Int(random.next() % UInt64(count))]
    var sent = [0, 0]
    var atMs: Int64 = 1000
    for _ in 0..<count {
      let input = Int(random.next() % 2)
      let room = Self.rooms[Int(random.next() % 6)]
      atMs += Int64(random.next() % 40)
      let command = Command(
        roomId: room, id: "im.gifts/\(input)/\(sent[input])/0", atMs: atMs,
        body: Self.body(&random, lane: input, wish: "w\(input).\(sent[input])"))
      let routing = sent[input] < growsAt[input] ? Self.routing : grown
      partitions[Int(routing.partition(of: room))].append(command)
      inOrder.append(command)
      sent[input] += 1
    }
  }

  /// - Parameter lane: of one input partition: two that draw on one have no order between them.
  private static func body(_ random: inout SplitMix64, lane: Int, wish: ID) -> Command.Body {
    let sender = Command.Sender(userId: "7")
    return switch random.next() % 3 {
    case 0: .giftHide(Command.GiftHide(comboId: "c", lane: lane, count: 3, exitMs: 100))
    case 1:
      .giftShow(
        Command.GiftShow(
          comboId: "c", lane: lane, sender: sender, receiverId: "", giftId: "rose", giftName: "", value: 1, from: 0,
          total: Int64(random.next() % 50), enterMs: 250))
    default:
      .wishFly(
        Command.WishFly(
          wishId: wish, track: 0, sender: sender, text: "hi", style: "", width: 100, durationMs: 1_000_000_000_000,
          likes: 0))
    }
  }

  func screen(of room: ID) -> Screen {
    var screen = Screen(room)
    for command in inOrder where command.roomId == room { screen.apply(command) }
    return screen
  }
}

/// A gateway's store, one loop's cursors, and a client of each room that draws what its stream is given.
private struct GrownGateway {
  let store = CommandStore(
    topic: "t", GrowingTopic.routing, begins: [0: 0, 1: 0], lookbackMs: 600_000, historyBytes: 100_000_000)
  var cursors: PartitionCursors
  var clients: [ID: Screen] = [:]
  var positions: [ID: [(StreamPosition, Screen)]] = [:]
  private var commands: [[UInt8]: Command] = [:]

  init() {
    cursors = PartitionCursors(store)
    for room in GrowingTopic.rooms { clients[room] = Screen(room) }
  }

  mutating func read(_ command: Command, on partition: Int32, offset: Int64) {
    let home = GrowingTopic.routing.home(of: command.roomId)!
    let json = Array(command.id.string.utf8)
    commands[json] = command
    let entry = HistoryEntry(
      position: PartitionPosition(offset: offset, check: PartitionPosition.check(of: json)), room: command.roomId,
      json: json, readMs: 0)
    let received = ReceivedCommand(command: command, entry: entry, home: home)
    store.change(home) { if home == partition { $0.apply(received) } else { $0.applyStray(received) } }
  }

  mutating func heal() {
    let commands = commands
    for home in store.served { store.change(home) { $0.heal(readMs: 0) { commands[$0.json] } } }
  }

  /// Does what a loop does.
  mutating func deliver() throws {
    for home in store.served {
      let rooms = GrowingTopic.rooms.filter { GrowingTopic.routing.home(of: $0) == home }
      let news = cursors.takeNews(of: home, snapshotsOf: rooms)
      let entries = try #require(news.entries)
      for entry in entries {
        cursors.advance(home, to: entry.position)
        if let command = commands[entry.json] { clients[entry.room]!.apply(command) }
      }
      cursors.advance(home, to: news.position)
      for (room, snapshot) in zip(rooms, news.snapshots) {
        if entries.contains(where: { $0.room == room && $0.needsSnapshot }) { clients[room]!.reset(to: snapshot) }
        positions[room, default: []].append((cursors.position(of: store.list([room])), clients[room]!))
      }
    }
  }
}

struct StrayCommandsTests {
  /// Commands of one time from two input partitions have no order.
  @Test func aRoomShowsAllOfItsCommandsInTheirOrderWhereverTheyCome() throws {
    var random = SplitMix64(seed: 23)
    var resumed = 0
    for _ in 0..<60 {
      let topic = GrowingTopic(&random, count: 150)
      var gateway = GrownGateway()
      var next = Array(repeating: 0, count: 5)
      while let partition = (0..<5).filter({ next[$0] < topic.partitions[$0].count }).randomElement(using: &random) {
        // Some at a time, as they come from a broker.
        for _ in 0..<Int(random.next() % 12) where next[partition] < topic.partitions[partition].count {
          gateway.read(
            topic.partitions[partition][next[partition]], on: Int32(partition), offset: Int64(next[partition]))
          next[partition] += 1
        }
        gateway.heal()
        if random.next() % 2 == 0 { try gateway.deliver() }
      }
      try gateway.deliver()
      for room in GrowingTopic.rooms {
        let home = try #require(GrowingTopic.routing.home(of: room))
        let expected = topic.screen(of: room).snapshot.commands.map(\.id).sorted()
        let kept = gateway.store.read(home) { $0.news(from: 0, snapshotsOf: [room], monotonicMs: 0, wallMs: 0) }
        #expect(kept.snapshots[0].commands.map(\.id).sorted() == expected, "the commands for a client that comes now")
        let shown = gateway.clients[room]!.snapshot.commands.map(\.id).sorted()
        #expect(shown == expected, "the screen of a client that was there")
        resumed += try resume(gateway, room, expected)
      }
    }
    #expect(resumed > 0)
  }

  /// A client that comes back from any position gets the commands that make its screen right, or is told that it needs
  /// a snapshot. Returns how often it got commands.
  private func resume(_ gateway: GrownGateway, _ room: ID, _ expected: [ID]) throws -> Int {
    var resumed = 0
    for (position, screen) in gateway.positions[room]! {
      switch gateway.cursors.missed(since: position, in: gateway.store.list([room])) {
      case .events(let missed):
        var screen = screen
        for one in missed {
          screen.apply(try #require(gateway.command(of: one.entry)))
        }
        #expect(screen.snapshot.commands.map(\.id).sorted() == expected)
        resumed += 1
      case .unknown: break
      case .ahead: Issue.record("nothing is ahead of what was given")
      }
    }
    return resumed
  }
}

extension GrownGateway {
  fileprivate func command(of entry: HistoryEntry) -> Command? { commands[entry.json] }
}

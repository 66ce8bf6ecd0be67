import Foundation
import Gateway
import RoomScreen
import TestSupport
import Testing
import Wire

/// A store that tests fill, and what one loop has taken of it.
private struct FollowedStore {
  let store = CommandStore(
    topic: "t", RoomRouting(partitions: 3), begins: [0: 0, 1: 0, 2: 0], lookbackMs: 60_000, historyBytes: 1_000_000)
  var cursors: PartitionCursors
  private var next: [Int64] = [0, 0, 0]

  init() { cursors = PartitionCursors(store) }

  static func partition(of room: ID) -> Int32 {
    room.withBytes { Murmur2.partition(key: $0, partitions: 3) }
  }

  /// The first rooms of each partition.
  static let rooms: [ID] = (0..<3).flatMap { partition in
    (0...).lazy.map { "r\($0)" }.filter { Self.partition(of: $0) == partition }.prefix(2)
  }

  mutating func publish(_ room: ID, _ body: String = #""rainEnd":{"rainId":"a"}"#) throws {
    let partition = Self.partition(of: room)
    let offset = next[Int(partition)]
    next[Int(partition)] += 1
    let json =
      #"{"roomId":"\#(room)","id":"im.wishes/\#(partition)/\#(offset)/0","atMs":1000,"# + body + "}"
    let command = try JSONDecoder().decode(Command.self, from: Data(json.utf8))
    let entry = HistoryEntry(
      position: PartitionPosition(offset: offset, check: PartitionPosition.check(of: command.id.string.utf8)),
      room: room,
      json: Array(json.utf8), readMs: 0)
    store.change(partition) { $0.apply(ReceivedCommand(command: command, entry: entry, home: partition)) }
  }

  struct Given {
    let entry: HistoryEntry
    let position: StreamPosition
  }

  /// Takes what is new of a partition and hands it to the streams of a list, which is what comes out.
  mutating func follow(_ partition: Int32, _ list: RoomList) throws -> [Given] {
    let news = cursors.takeNews(of: partition)
    var given: [Given] = []
    for entry in try #require(news.entries) {
      cursors.advance(partition, to: entry.position)
      guard list.rooms.contains(entry.room) else { continue }
      given.append(Given(entry: entry, position: cursors.position(of: list)))
    }
    cursors.advance(partition, to: news.position)
    return given
  }
}

extension Missed<[StreamCommand]> {
  /// Nil: it is not told.
  fileprivate var commands: [StreamCommand]? { if case .events(let commands) = self { commands } else { nil } }
  fileprivate var isAhead: Bool { if case .ahead = self { true } else { false } }
}

struct PartitionCursorsTests {
  @Test func whatIsNewComesOnceWithSnapshotsAsOfJustThat() throws {
    var followed = FollowedStore()
    let room = FollowedStore.rooms[0]
    #expect(!followed.cursors.isBehind(0))
    for _ in 0..<3 { try followed.publish(room) }
    #expect(followed.cursors.isBehind(0))
    let news = followed.cursors.takeNews(of: 0, snapshotsOf: FollowedStore.rooms)
    #expect(news.entries?.map(\.position.offset) == [0, 1, 2])
    #expect(news.position.offset == 2)
    #expect(news.snapshots.map(\.roomId) == Array(FollowedStore.rooms[0..<2]), "those of this partition")
    #expect(!followed.cursors.isBehind(0))
    #expect(followed.cursors.takeNews(of: 0).entries?.isEmpty == true)
  }

  @Test func whatIsReadAnewCannotBeTakenAndThenGoesOn() throws {
    var followed = FollowedStore()
    let room = FollowedStore.rooms[0]
    try followed.publish(room, #""rainTally":{"rainId":"a","opened":1,"winners":0,"coins":0}"#)
    var others = followed.cursors
    #expect(others.takeNews(of: 0, snapshotsOf: [room]).snapshots.map(\.commands.count) == [1])
    followed.store.change(0) { $0.reset(begin: 7) }
    #expect(followed.cursors.isBehind(0))
    let news = followed.cursors.takeNews(of: 0, snapshotsOf: [room])
    #expect(news.entries == nil)
    #expect(news.position == PartitionPosition(offset: 6, check: 0))
    #expect(news.snapshots.map(\.commands) == [[]])
    try followed.publish(room)
    #expect(followed.cursors.takeNews(of: 0).entries?.count == 1)
  }

  /// With whatever event a client comes back, it gets the others as they were given then, each once.
  @Test func whoComesBackGetsWhatOthersWereGiven() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<20 {
      var followed = FollowedStore()
      let rooms = [FollowedStore.rooms[0], FollowedStore.rooms[2], FollowedStore.rooms[3]]
      let list = followed.store.list(rooms)
      let start = followed.cursors.position(of: list)
      var given: [FollowedStore.Given] = []
      for _ in 0..<100 {
        try followed.publish(FollowedStore.rooms[Int(random.next() % 6)])
        if random.next() % 4 == 0 { given += try followed.follow(Int32(random.next() % 3), list) }
      }
      for (index, position) in ([start] + given.map(\.position)).enumerated() {
        let missed = try #require(followed.cursors.missed(since: position, in: list).commands)
        // Each partition has an order; there is none between partitions.
        for room in rooms {
          try #require(jsons(missed.map(\.entry), room) == jsons(given[index...].map(\.entry), room))
        }
        guard let middle = missed.indices.randomElement(using: &random) else { continue }
        let again = try #require(followed.cursors.missed(since: missed[middle].position, in: list).commands)
        try #require(again.map(\.entry.json) == missed[(middle + 1)...].map(\.entry.json))
      }
    }
  }

  private func jsons(_ entries: [HistoryEntry], _ room: ID) -> [[UInt8]] {
    entries.filter { $0.room == room }.map(\.json)
  }

  @Test func whatWasNotTakenYetIsAhead() throws {
    var followed = FollowedStore()
    let list = followed.store.list([FollowedStore.rooms[0]])
    try followed.publish(list.rooms[0])
    let ahead = StreamPosition(
      list: list.hash, positions: [followed.store.read(0) { $0.history.position }])
    #expect(followed.cursors.missed(since: ahead, in: list).isAhead)
    _ = try followed.follow(0, list)
    #expect(followed.cursors.missed(since: ahead, in: list).commands?.isEmpty == true)
  }

  @Test func tooMuchIsNotTold() throws {
    var followed = FollowedStore()
    let list = followed.store.list([FollowedStore.rooms[0]])
    let start = followed.cursors.position(of: list)
    for (count, isTold) in [(1000, true), (1001, false)] {
      for _ in 0..<count { try followed.publish(list.rooms[0]) }
      _ = try followed.follow(0, list)
      let missed = followed.cursors.missed(since: start, in: list)
      #expect((missed.commands?.count == count) == isTold)
      #expect(!missed.isAhead)
    }
  }

  @Test func ofOtherRoomsNothingIsTold() throws {
    let followed = FollowedStore()
    let (a, b) = (followed.store.list(["a"]), followed.store.list(["b"]))
    let missed = followed.cursors.missed(since: followed.cursors.position(of: a), in: b)
    #expect(missed.commands == nil && !missed.isAhead)
  }

  /// A client that makes up both waits for nothing.
  @Test func thatItCanNeverBeToldCountsBeforeThatItCannotYet() throws {
    var followed = FollowedStore()
    let list = followed.store.list([FollowedStore.rooms[0], FollowedStore.rooms[2]])
    for room in list.rooms { try followed.publish(room) }
    for partition in list.partitions { _ = try followed.follow(partition, list) }
    let (made, ahead) = (PartitionPosition(offset: 0, check: 1), PartitionPosition(offset: 1 << 40, check: 1))
    for positions in [[ahead, made], [made, ahead]] {
      let missed = followed.cursors.missed(since: StreamPosition(list: list.hash, positions: positions), in: list)
      #expect(missed.commands == nil && !missed.isAhead)
    }
    let position = StreamPosition(list: list.hash, positions: [PartitionPosition(offset: -1, check: 0), ahead])
    #expect(followed.cursors.missed(since: position, in: list).isAhead)
  }
}

import Foundation
import Gateway
import HTTP
import RoomScreen
import TestSupport
import Testing

/// A client that draws what it is sent.
final class SimulatedClient {
  let rooms: [ID]
  /// The events that its gateway keeps for it.
  private let limit: Int
  private(set) var list: RoomList?
  private var stream: SimulatedStream?
  private var screens: [ID: Screen] = [:]
  private var lastEventId: String?
  /// The partitions of the topic when its gateway began.
  private var homes = SimulatedTopic.partitions
  private(set) var gateway: SimulatedGateway?
  /// The commands of each room that it was sent since the last snapshot.
  private var sent: [ID: Set<Int>] = [:]
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
    (self.gateway, homes) = (gateway, gateway.homes)
    ledger.come(isBack: lastEventId != nil, results)
    stream = random.one(of: gateway.hubs).open(list, address: nil, user: user, lastEventId: lastEventId) {
      [limit] first, client in
      SimulatedStream(first, owner: client, limit: limit)
    }
  }

  /// It tells of commands that never came.
  static func idOfNoEvent(in list: RoomList) -> String {
    let positions = list.partitions.map { _ in PartitionPosition(offset: 1_000_000, check: 1) }
    return String(decoding: StreamPosition(list: list.hash, positions: positions).text, as: UTF8.self)
  }

  func leave() {
    stream?.end()
    (stream, gateway) = (nil, nil)
  }

  /// - Returns: the number of events.
  func take(_ most: Int, _ topic: SimulatedTopic, _ results: SimulatedResults) throws -> Int {
    var count = 0
    while count < most, let frame = stream?.take() {
      count += 1
      try receive(frame, topic, results)
    }
    if stream?.isCut == true { leave() }
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
      sent[snapshot.roomId] = []
    default:
      let number = try #require(Int(data))
      let (command, place) = (topic.commands[number], topic.places[number])
      let position = try #require(before, "a command comes after a snapshot or another command")
      // One that has strayed has no position of its own.
      if place.partition == home(of: command.roomId) {
        let partition = try #require(list.partitions.firstIndex(of: Int32(place.partition)))
        try #require(position.positions[partition].offset < place.offset, "\(command.id) came once more")
      }
      try #require(sent[command.roomId]!.insert(number).inserted, "\(command.id) came once more")
      screens[command.roomId]!.apply(command)
    }
    // Not of a snapshot after which others are still to come.
    guard let position = StreamPosition(id), position.list == list.hash else { return }
    for room in list.rooms where topic.stays(room) {
      let partition = try #require(list.partitions.firstIndex(of: Int32(home(of: room))))
      try #require(
        isSame(screens[room], topic.screen(of: room, through: position.positions[partition].offset)),
        "after \(name) \(data.prefix(60)) the screen of \(room) is another")
    }
  }

  private func home(of room: ID) -> Int { SimulatedTopic.partition(of: room, among: homes) }

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
      guard isSame(screens[room], topic.screen(of: room)) else { return false }
      let partition = list.partitions.firstIndex(of: Int32(home(of: room)))!
      return !topic.stays(room) || position.positions[partition].offset >= topic.lastOffset(room)
    }
  }
}

import Gateway
import RoomScreen
import TestSupport
import Wire

extension CommandStore {
  /// A list of rooms that are all served here.
  func list(_ rooms: some Sequence<ID>) -> RoomList { list(rooms, by: routing) }
}

/// The commands topic: each partition a log with gaps, as markers of transactions leave them. It may grow: those who
/// publish learn of it one after the other.
final class SimulatedTopic {
  struct Entry {
    let offset: Int64
    let command: Command
    /// Its place in ``commands``.
    let number: Int
  }

  /// The number of partitions at first, and once it has grown.
  static let (partitions, grownPartitions) = (3, 5)
  static let rooms = (0..<6).map { ID("r\($0)") }
  private(set) var logs: [[Entry]] = Array(repeating: [], count: grownPartitions)
  private(set) var commands: [Command] = []
  /// The place of each command.
  private(set) var places: [(partition: Int, offset: Int64)] = []
  private(set) var hasGrown = false
  private var ends: [Int64] = Array(repeating: 0, count: grownPartitions)
  /// The partitions that the publisher of each input partition knows of; a room's events are on one of these.
  private var known = Array(repeating: partitions, count: partitions)

  static func partition(of room: ID, among count: Int = partitions) -> Int {
    Int(room.withBytes { Murmur2.partition(key: $0, partitions: Int32(count)) })
  }

  var count: Int { hasGrown ? Self.grownPartitions : Self.partitions }

  func grow() { hasGrown = true }

  /// Whether all of a room's commands are on one partition.
  func stays(_ room: ID) -> Bool {
    !hasGrown || Self.partition(of: room) == Self.partition(of: room, among: Self.grownPartitions)
  }

  /// - Parameter room: nil: any.
  func publish(_ random: inout SplitMix64, in room: ID? = nil, atMs: Int64) {
    let room = room ?? random.one(of: Self.rooms)
    let input = Self.partition(of: room)
    if hasGrown, random.once(in: 4) { known[input] = Self.grownPartitions }
    let partition = Self.partition(of: room, among: known[input])
    let number = commands.count
    let (combo, sender) = (ID("im.gifts/\(input)/0"), Command.Sender(userId: "7"))
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
    let command = Command(roomId: room, id: ID("im.gifts/\(input)/\(number)/0"), atMs: atMs, body: body)
    commands.append(command)
    places.append((partition, ends[partition]))
    logs[partition].append(Entry(offset: ends[partition], command: command, number: number))
    ends[partition] += random.once(in: 4) ? 2 : 1
  }

  /// The screen of a room after all of its commands.
  func screen(of room: ID) -> Screen {
    var screen = Screen(room)
    for command in commands where command.roomId == room { screen.apply(command) }
    return screen
  }

  /// The same after the records up to `offset`, of a room that stays where it is.
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

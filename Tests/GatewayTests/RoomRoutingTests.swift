import Gateway
import RoomScreen
import Testing

struct RoomRoutingTests {
  private static let rooms = (0..<200).map { ID("r\($0)") }

  @Test func aRoomStaysWhereItIsKeptHoweverTheTopicGrows() {
    let before = RoomRouting(partitions: 3)
    var now = before
    now.partitions = 8
    for room in Self.rooms {
      #expect(before.home(of: room) == before.partition(of: room))
      #expect(now.home(of: room) == before.home(of: room))
      #expect(now.serves(room), "a gateway of all partitions has all rooms")
    }
    #expect(Self.rooms.contains { now.partition(of: $0) != now.home(of: $0) })
  }

  /// Two gateways of half each: at any count a room that one serves, the other doesn't, and what moves to a new
  /// partition is nobody's.
  @Test func ofASharedTopicARoomIsServedByWhoHasItsPartitionNow() {
    var (a, b) = (RoomRouting(partitions: 4, share: [0, 1]), RoomRouting(partitions: 4, share: [2, 3]))
    for count in [4, 6, 8] as [Int32] {
      (a.partitions, b.partitions) = (count, count)
      for room in Self.rooms {
        let partition = a.partition(of: room)
        #expect(a.serves(room) == (partition < 2))
        #expect(b.serves(room) == (2..<4).contains(partition))
        for routing in [a, b] where routing.serves(room) { #expect(routing.home(of: room) != nil) }
        for routing in [a, b] { #expect(routing.home(of: room).map { routing.share!.contains($0) } ?? true) }
      }
    }
  }

  /// A topic may grow again while somebody asks for rooms: some of them then have no home here any more.
  @Test func whoeverIsLetInByOneRoutingIsListedByIt() {
    var routing = RoomRouting(partitions: 4, share: [0, 1])
    routing.partitions = 6
    let rooms = Self.rooms.filter(routing.serves)
    let store = CommandStore(
      topic: "t", routing, begins: [0: 0, 1: 0], lookbackMs: 1000, historyBytes: 1000)
    store.grow(to: 8)
    #expect(rooms.contains { store.routing.home(of: $0) == nil })
    #expect(store.list(rooms, by: routing).rooms.count == rooms.count)
  }
}

import RoomScreen
import Testing

/// What is taken back leaves what a gateway keeps of a room.
struct RetractedLaws {
  @Test func `gifts of a combo that is taken back count no more, and others do`() {
    var past = PastKeeper()
    func say(_ offset: Int, _ body: Command.Body) {
      past.apply(Command(roomId: "r", id: ID("in/0/\(offset)/0"), atMs: Int64(offset), body: body))
    }
    let ann = Command.Sender(userId: "7", name: "ann")
    for (offset, value) in [(1, Int64(10)), (2, 100)] {
      let combo = ID("in/0/\(offset)")
      say(
        offset,
        .giftShow(
          Command.GiftShow(comboId: combo, lane: 0, sender: ann, giftId: "rose", value: value, total: 3, enterMs: 0)))
      say(offset, .giftBump(Command.GiftBump(comboId: combo, lane: 0, count: 3, tickMs: 300)))
      say(offset, .giftHide(Command.GiftHide(comboId: combo, lane: 0, count: 3, exitMs: 250)))
    }
    #expect(past.past?.givers.map(\.coins) == [330])
    say(5, .retracted(Command.Retracted(comboId: "in/0/2")))
    #expect(past.past?.givers.map(\.coins) == [30] && past.past?.givers.map(\.gifts) == [3])
    say(6, .retracted(Command.Retracted(userId: "7")))
    #expect(past.past?.givers.isEmpty == true)
  }
}

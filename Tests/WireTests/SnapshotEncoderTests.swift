import Foundation
import JSON
import RoomModel
import RoomScreen
import TestSupport
import Testing
import Wire

struct SnapshotEncoderTests {
  private static let sender = Command.Sender(userId: "7", name: "阿\"花\u{1}", avatarUrl: "https://a/1.png")

  private static let bodies: [Command.Body] = [
    .giftShow(
      Command.GiftShow(
        comboId: "im.gifts/5/16", lane: 1, sender: sender, receiverId: "host", giftId: "rose", giftName: "玫瑰",
        value: 10,
        from: 2, total: 9_007_199_254_740_993, enterMs: 250)),
    .giftBump(Command.GiftBump(comboId: "im.gifts/5/16", lane: 1, count: 3, tickMs: 300)),
    .giftHide(Command.GiftHide(comboId: "im.gifts/5/16", lane: 0, count: 3, exitMs: 250)),
    .wishFly(
      Command.WishFly(
        wishId: "w/1", track: 2, sender: sender, text: "hi\n\\", style: "gold", width: 191, durationMs: 6000, likes: 4)),
    .wishLikes(Command.WishLikes(wishId: "w/1", likes: 5)),
    .likeBurst(Command.LikeBurst(count: 3, points: [Command.Point(x: 0, y: 999)])),
    .likeBurst(Command.LikeBurst(count: 3, points: [])),
    .rainCountdown(
      Command.RainCountdown(rainId: "r/1", left: 3, startMs: 1_700_000_003_000, durationMs: 10_000)),
    .rainDrop(Command.RainDrop(rainId: "r/1", packet: 40, x: 999, fallMs: 4210, angle: 359, spin: 0)),
    .rainTally(Command.RainTally(rainId: "r/1", opened: 7, winners: 2, coins: 24)),
    .rainEnd(Command.RainEnd(rainId: "r/1")),
    .spotShow(
      Command.SpotShow(
        spotId: "s/1", kind: "entrance", sender: sender, value: 5, text: "hi", style: "gold", durationMs: 3000,
        extra: "x")),
    .spotGone(Command.SpotGone(spotId: "s/1")),
    .crowdShow(
      Command.CrowdShow(crowdId: "im.gifts/5/16", giftId: "rose", value: 10, items: 2, units: 9, names: [sender])),
    .crowdHide(Command.CrowdHide(crowdId: "im.gifts/5/16")),
    .skipped(Command.Skipped(stage: .wish, reason: .expired, items: 2, units: 30)),
  ]

  private static func command(_ body: Command.Body) -> Command {
    Command(roomId: "r\u{1}1", id: "im.gifts/5/17/3", atMs: 1_700_000_000_550, body: body)
  }

  /// The bytes that were published, an owned command of them, and its bytes: all three say the same.
  @Test(arguments: bodies) func anOwnedCommandIsWrittenAsItWasPublished(body: Command.Body) throws {
    let command = Self.command(body)
    var encoder = SnapshotEncoder()
    var bytes = ByteBuffer()
    #expect(encoder.encode(command, into: &bytes))
    #expect(try JSONDecoder().decode(Command.self, from: Data(bytes.bytes)) == command)

    var decoder = CommandDecoder()
    let published = try #require(try decoder.decode(value: bytes.bytes, contentType: nil))
    #expect(Command(published) == command)
    var again = ByteBuffer()
    CommandEncoder(topic: "im.gifts", partition: 5, format: .json).encode(published.command, into: &again)
    #expect(again.text == bytes.text)
  }

  @Test func aSnapshotIsItsCommandsInTheirOrder() throws {
    let snapshot = Snapshot(roomId: "r\"1", nowMs: 1_700_000_001_000, commands: Self.bodies.map(Self.command))
    var encoder = SnapshotEncoder()
    var bytes = ByteBuffer()
    encoder.encode(snapshot, into: &bytes)
    #expect(bytes.text.description.hasPrefix(#"{"roomId":"r\"1","nowMs":1700000001000,"commands":[{"roomId":"#))
    #expect(try JSONDecoder().decode(Snapshot.self, from: Data(bytes.bytes)) == snapshot)
    bytes.removeAll()
    encoder.encode(Snapshot(roomId: "r", nowMs: 0, commands: []), into: &bytes)
    #expect(bytes.text == Text(#"{"roomId":"r","nowMs":0,"commands":[]}"#))
    bytes.removeAll()
    encoder.encode(Snapshot(roomId: "r", nowMs: 0, staleAfterMs: 32300, commands: []), into: &bytes)
    #expect(bytes.text == Text(#"{"roomId":"r","nowMs":0,"staleAfterMs":32300,"commands":[]}"#))
  }

  @Test func aSnapshotHasThePastOfItsRoom() throws {
    let wish = Past.Wish(atMs: 5, wishId: "w/1", sender: Self.sender, text: "hi\n", style: "gold", likes: 2)
    for past in [
      Past(sinceMs: 3),
      Past(
        sinceMs: 3,
        givers: [
          Past.Giver(sender: Self.sender, gifts: 2, coins: 20),
          Past.Giver(sender: .init(userId: "8"), gifts: 1, coins: 1),
        ],
        crowds: Past.Crowds(
          gifts: 9, coins: 90, told: [.init(crowdId: "im/0/\"7", units: 5), .init(crowdId: "im/0/8", units: 4)]),
        wishes: [wish, wish]),
    ] {
      let snapshot = Snapshot(roomId: "r", nowMs: 7, commands: [], past: past)
      var encoder = SnapshotEncoder()
      var bytes = ByteBuffer()
      encoder.encode(snapshot, into: &bytes)
      #expect(try JSONDecoder().decode(Snapshot.self, from: Data(bytes.bytes)) == snapshot)
    }
  }

  @Test func aSnapshotHasItsPosition() throws {
    let marks = [Snapshot.Mark(id: "im\"gifts/0/3/1", atMs: 5), Snapshot.Mark(id: "im.wishes/0/-1/0", atMs: 6)]
    for position in [[], Array(marks.prefix(1)), marks] {
      let snapshot = Snapshot(roomId: "r", nowMs: 7, commands: [], position: position)
      var encoder = SnapshotEncoder()
      var bytes = ByteBuffer()
      encoder.encode(snapshot, into: &bytes)
      #expect(try JSONDecoder().decode(Snapshot.self, from: Data(bytes.bytes)) == snapshot)
    }
  }

  @Test func whatIsNoneOfOursIsLeftOut() throws {
    var commands = [Self.command(.unknown(kind: "petShow")), Self.command(Self.bodies[1])]
    commands.append(Command(roomId: "r", id: "not an id", atMs: 0, body: Self.bodies[1]))
    var encoder = SnapshotEncoder()
    var bytes = ByteBuffer()
    encoder.encode(Snapshot(roomId: "r", nowMs: 0, commands: commands), into: &bytes)
    #expect(try JSONDecoder().decode(Snapshot.self, from: Data(bytes.bytes)).commands == [commands[1]])
  }
}

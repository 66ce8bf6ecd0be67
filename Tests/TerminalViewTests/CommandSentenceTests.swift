import RoomModel
import TerminalView
import Testing

struct CommandSentenceTests {
  private let ann = Sender(userId: Text("1"), name: Text("Ann\u{7}"))

  private func sentence(_ body: RoomCommand.Body, atMs: LogTime = 1_700_000_000_050) -> String {
    RoomCommand(roomId: Text("房间-1"), recordOffset: 1, place: 0, atMs: atMs, body: body).sentence
  }

  @Test func eachCommandIsOneLine() {
    let show = GiftShow(
      comboOffset: 7, lane: 1, sender: ann, receiverId: Text("host"), giftId: Text("rose"), giftName: Text("玫瑰"),
      value: 1, from: 0, total: 12, enterMs: 250)
    #expect(sentence(.giftShow(show)) == "22:13:20.050  房间-1      lane 1   Ann sends 玫瑰 to host, ×12 in all")
    #expect(sentence(.giftBump(GiftBump(comboOffset: 7, lane: 1, count: 3, tickMs: 300))).hasSuffix("lane 1   ×3"))
    #expect(
      sentence(.giftHide(GiftHide(comboOffset: 7, lane: 1, count: 3, exitMs: 250))).hasSuffix("lane 1   leaves with ×3")
    )
    let fly = WishFly(
      wishId: Text("w"), track: 2, sender: ann, text: Text("hi"), style: .empty, width: 9, durationMs: 6000, likes: 4)
    #expect(sentence(.wishFly(fly)).hasSuffix("track 2  Ann: hi  ♥4"))
    #expect(sentence(.wishLikes(WishLikes(wishId: Text("w"), likes: 9))).hasSuffix("wish    w ♥9"))
    #expect(
      sentence(.skipped(Skipped(stage: .gift, reason: .overflow, items: 2, units: 30)))
        .hasSuffix("skipped 2 gifts, 30 in all: overflow"))
  }
}

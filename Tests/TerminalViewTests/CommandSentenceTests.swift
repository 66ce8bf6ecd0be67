import RoomScreen
import TerminalView
import Testing

struct CommandSentenceTests {
  private let ann = Command.Sender(userId: "1", name: "Ann")

  private func sentence(_ body: Command.Body, atMs: Int64 = 1_700_000_000_050) -> String {
    Command(roomId: "房间-1", id: "t/0/1/0", atMs: atMs, body: body).sentence
  }

  @Test func eachCommandIsOneLine() {
    let show = Command.GiftShow(
      comboId: "t/0/7", lane: 1, sender: ann, receiverId: "host", giftId: "rose", giftName: "玫瑰", value: 1, total: 12,
      enterMs: 250)
    #expect(sentence(.giftShow(show)) == "22:13:20.050  房间-1      lane 1   Ann sends 玫瑰 to host, ×12 in all")
    #expect(
      sentence(.giftBump(Command.GiftBump(comboId: "t/0/7", lane: 1, count: 3, tickMs: 300))).hasSuffix("lane 1   ×3"))
    #expect(
      sentence(.giftHide(Command.GiftHide(comboId: "t/0/7", lane: 1, count: 3, exitMs: 250))).hasSuffix(
        "lane 1   leaves with ×3")
    )
    let fly = Command.WishFly(
      wishId: "w", track: 2, sender: ann, text: "hi", width: 9, durationMs: 6000, likes: 4)
    #expect(sentence(.wishFly(fly)).hasSuffix("track 2  Ann: hi  ♥4"))
    #expect(sentence(.wishLikes(Command.WishLikes(wishId: "w", likes: 9))).hasSuffix("wish    w ♥9"))
    #expect(
      sentence(.skipped(Command.Skipped(stage: .gift, reason: .overflow, items: 2, units: 30)))
        .hasSuffix("skipped 2 gifts, 30 in all: overflow"))
    #expect(
      sentence(.skipped(Command.Skipped(stage: .gift, reason: .overflow, items: 1, units: 1)))
        .hasSuffix("skipped 1 gift, 1 in all: overflow"))
    #expect(sentence(.likeBurst(Command.LikeBurst(count: 3, points: []))).hasSuffix("likes   ♥3 more"))
    let countdown = Command.RainCountdown(rainId: "x", left: 2, startMs: 2000, durationMs: 9000)
    #expect(sentence(.rainCountdown(countdown)).hasSuffix("rain    x starts in 2 s, for 9000 ms"))
    let tally = Command.RainTally(rainId: "x", opened: 5, winners: 2, coins: 40)
    #expect(sentence(.rainTally(tally)).hasSuffix("rain    x: 5 opened, 2 won, 40 coins"))
    #expect(sentence(.rainEnd(Command.RainEnd(rainId: "x"))).hasSuffix("rain    x is over"))
    #expect(sentence(.unknown(kind: "petShow")).hasSuffix("petShow: not known here"))
  }

  /// C1 controls, ends of lines and overrides of direction; a name with a mark of direction or joined emoji stays.
  @Test func `what would move the cursor or turn the text is escaped`() {
    func wish(_ id: String) -> String {
      String(sentence(.wishGone(Command.WishGone(wishId: ID(id)))).drop { $0 != "w" })
    }
    #expect(wish("a\u{202E}b") == #"wish    a\u{202E}b is taken back"#)
    #expect(wish("a\u{9B}2J\u{1B}[2J") == #"wish    a\u{9B}2J\u{1B}[2J is taken back"#)
    #expect(wish("a\n\u{2028}\u{2067}") == #"wish    a\u{A}\u{2028}\u{2067} is taken back"#)
    #expect(wish("\u{200F}👩\u{200D}🚀") == "wish    \u{200F}👩\u{200D}🚀 is taken back")
  }
}

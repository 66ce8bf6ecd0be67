import RoomModel
import RoomScreen
import Testing

struct ScreenTests {
  private var screen = Screen()

  private let ann = Sender(userId: Text("1"), name: Text("Ann"))

  private mutating func apply(_ atMs: LogTime, _ body: RoomCommand.Body) {
    screen.apply(RoomCommand(roomId: Text("r"), recordOffset: 0, place: 0, atMs: atMs, body: body))
  }

  private func show(
    _ combo: Int64, lane: Int64, from: Int64 = 0, total: Int64 = 1, enterMs: Milliseconds = 250
  ) -> RoomCommand.Body {
    .giftShow(
      GiftShow(
        comboOffset: combo, lane: lane, sender: ann, receiverId: .empty, giftId: Text("rose"), giftName: Text("玫瑰"),
        value: 10, from: from, total: total, enterMs: enterMs))
  }

  private func bump(_ combo: Int64, lane: Int64, count: Int64) -> RoomCommand.Body {
    .giftBump(GiftBump(comboOffset: combo, lane: lane, count: count, tickMs: 300))
  }

  private func hide(_ combo: Int64, lane: Int64, count: Int64, exitMs: Milliseconds = 250) -> RoomCommand.Body {
    .giftHide(GiftHide(comboOffset: combo, lane: lane, count: count, exitMs: exitMs))
  }

  private func fly(_ wish: StaticString, track: Int64 = 0, durationMs: Milliseconds = 6000) -> RoomCommand.Body {
    .wishFly(
      WishFly(
        wishId: Text(wish), track: track, sender: ann, text: Text("hi"), style: .empty, width: 100,
        durationMs: durationMs, likes: 2))
  }

  @Test mutating func aGiftIsShownCountsAndLeaves() throws {
    apply(1000, show(7, lane: 1, total: 3))
    #expect(screen.lanes.count == 2 && screen.lanes[0] == nil)
    var view = try #require(screen.lanes[1])
    #expect(view.sender.name == "Ann" && view.giftName == "玫瑰" && view.value == 10)
    #expect(view.count == 0 && view.total == 3 && view.enteredMs == 1250 && view.bumpedAtMs == nil)

    apply(1550, bump(7, lane: 1, count: 1))
    view = try #require(screen.lanes[1])
    #expect(view.count == 1 && view.total == 3 && view.bumpedAtMs == 1550)

    apply(2850, hide(7, lane: 1, count: 3))
    #expect(screen.lanes[1]?.phase == .leaving(untilMs: 3100))
    #expect(screen.lanes[1]?.count == 3)
    screen.advance(to: 3099)
    #expect(screen.lanes[1] != nil)
    screen.advance(to: 3100)
    #expect(screen.lanes[1] == nil)
  }

  @Test mutating func totalIsNeverLessThanWhatIsDrawn() {
    apply(0, show(7, lane: 0, total: 1))
    apply(550, bump(7, lane: 0, count: 9))
    #expect(screen.lanes[0]?.total == 9)
  }

  @Test mutating func aRefreshMovesNothing() throws {
    apply(0, show(7, lane: 0, total: 5))
    apply(550, bump(7, lane: 0, count: 4))
    apply(30_250, show(7, lane: 0, from: 4, total: 8, enterMs: 0))
    let view = try #require(screen.lanes[0])
    #expect(view.shownAtMs == 0 && view.enterMs == 250 && view.bumpedAtMs == 550)
    #expect(view.count == 4 && view.total == 8)
  }

  @Test mutating func aLaneThatIsGivenToTheNextShowsTheNext() {
    apply(0, show(7, lane: 0))
    apply(1850, hide(7, lane: 0, count: 1, exitMs: 0))
    #expect(screen.lanes[0] == nil)
    apply(1850, show(9, lane: 0))
    #expect(screen.lanes[0]?.comboOffset == 9)
    apply(1900, bump(7, lane: 0, count: 2))
    #expect(screen.lanes[0]?.count == 0, "a command for a combo that is not there changes nothing")
  }

  @Test mutating func aReaderThatBeginsInTheMiddleWaitsForTheRefresh() {
    apply(0, bump(7, lane: 1, count: 4))
    apply(0, hide(8, lane: 0, count: 4))
    apply(0, .wishLikes(WishLikes(wishId: Text("w"), likes: 3)))
    #expect(screen.lanes.isEmpty && screen.banners.isEmpty)
    apply(100, show(7, lane: 1, from: 4, total: 6, enterMs: 0))
    #expect(screen.lanes[1]?.count == 4)
  }

  @Test mutating func aBannerCrossesInItsDurationAndLandsByItself() throws {
    apply(1000, fly("w"))
    let banner = try #require(screen.banners.first)
    #expect(banner.left(atMs: 1000, width: 100, stageWidth: 375) == 375)
    #expect(banner.left(atMs: 4000, width: 100, stageWidth: 375) == 138)
    #expect(banner.left(atMs: 7000, width: 100, stageWidth: 375) == -100)
    screen.advance(to: 6999)
    #expect(screen.banners.count == 1)
    screen.advance(to: 7000)
    #expect(screen.banners.isEmpty)
  }

  @Test mutating func likesCountForTheBannerThatFlies() {
    apply(0, fly("w"))
    apply(0, fly("v", track: 1))
    #expect(screen.banners.map(\.likes) == [2, 2])
    apply(500, .wishLikes(WishLikes(wishId: Text("w"), likes: 5)))
    #expect(screen.banners.map(\.likes) == [5, 2])
    #expect(screen.banners[0].likedAtMs == 500)
  }

  @Test mutating func skipsAddUpByStageAndReason() {
    apply(0, .skipped(Skipped(stage: .gift, reason: .overflow, items: 2, units: 70)))
    apply(0, .skipped(Skipped(stage: .wish, reason: .overflow, items: 1, units: 1)))
    apply(1000, .skipped(Skipped(stage: .gift, reason: .overflow, items: 1, units: 5)))
    #expect(screen.skips.map(\.items) == [3, 1])
    #expect(screen.skips.map(\.units) == [75, 1])
    #expect(screen.skips.map(\.atMs) == [1000, 0])
  }

  @Test mutating func timeNeverGoesBack() {
    apply(5000, fly("w"))
    screen.advance(to: 3000)
    #expect(screen.nowMs == 5000 && screen.banners.count == 1)
  }
}

import RoomScreen
import Testing

struct ScreenTests {
  private var script = Script()
  private var screen: Screen { script.screen }

  private func view(_ lane: Int) -> GiftView? { screen.gifts.first { $0.lane == lane } }

  @Test mutating func aGiftIsShownCountsAndLeaves() throws {
    script.at(1000, .show("a", lane: 1, total: 3))
    #expect(screen.gifts.count == 1)
    var view = try #require(self.view(1))
    #expect(view.sender.name == "Ann" && view.giftName == "玫瑰" && view.value == 10)
    #expect(view.count == 0 && view.total == 3 && view.enteredMs == 1250 && view.bumpedAtMs == nil)

    script.at(1550, .bump("a", lane: 1, count: 1))
    view = try #require(self.view(1))
    #expect(view.count == 1 && view.total == 3 && view.bumpedAtMs == 1550)

    script.at(2850, .hide("a", lane: 1, count: 3))
    #expect(self.view(1)?.phase == .leaving(untilMs: 3100))
    #expect(self.view(1)?.count == 3)
    script.screen.advance(to: 3099)
    #expect(self.view(1) != nil)
    script.screen.advance(to: 3100)
    #expect(screen.gifts.isEmpty)
  }

  @Test mutating func whatThePlatformAddedComesOutAsItCame() {
    script.at(
      0,
      .giftShow(
        Command.GiftShow(
          comboId: "a", lane: 0, sender: Script.ann, giftId: "rose", total: 1, enterMs: 250, extra: #"{"badge":"b"}"#)))
    script.at(
      0,
      .wishFly(
        Command.WishFly(
          wishId: "w", track: 0, sender: Script.ann, text: "hi", width: 100, durationMs: 6000, extra: "medal")))
    #expect(view(0)?.extra == #"{"badge":"b"}"#)
    #expect(screen.banners.first?.extra == "medal")
  }

  @Test mutating func totalIsNeverLessThanWhatIsDrawn() {
    script.at(0, .show("a", lane: 0, total: 1))
    script.at(550, .bump("a", lane: 0, count: 9))
    #expect(view(0)?.total == 9)
    script.at(600, .show("b", lane: 1, from: 5, total: 2))
    #expect(view(1)?.total == 5)
  }

  @Test mutating func aRefreshMovesNothing() throws {
    script.at(0, .show("a", lane: 0, total: 5))
    script.at(550, .bump("a", lane: 0, count: 4))
    script.at(30_250, .show("a", lane: 0, from: 4, total: 8, enterMs: 0))
    let view = try #require(self.view(0))
    #expect(view.enteredMs <= screen.nowMs && view.bumpedAtMs == 550)
    #expect(view.count == 4 && view.total == 8)
  }

  @Test mutating func aLaneThatIsGivenToTheNextShowsTheNext() {
    script.at(0, .show("a", lane: 0))
    script.at(1850, .hide("a", lane: 0, count: 1, exitMs: 0))
    #expect(screen.gifts.isEmpty)
    script.at(1850, .show("b", lane: 0))
    #expect(view(0)?.id == "b")
    script.at(1900, .bump("a", lane: 0, count: 2))
    #expect(view(0)?.count == 0, "a command for a combo that is not there changes nothing")
  }

  @Test mutating func aViewThatComesAgainWhileItLeavesEntersAnew() throws {
    script.at(0, .show("a", lane: 0, total: 5))
    script.at(550, .bump("a", lane: 0, count: 5))
    script.at(1850, .hide("a", lane: 0, count: 5))
    script.at(1900, .show("a", lane: 0, from: 5, total: 6))
    let view = try #require(self.view(0))
    #expect(view.phase == .shown && view.bumpedAtMs == nil && view.enteredMs == 2150)
  }

  @Test mutating func lanesAreListedFromTheTop() {
    for lane in [3, 0, 2] { script.at(0, .show("c\(lane)", lane: lane)) }
    #expect(screen.gifts.map(\.lane) == [0, 2, 3])
  }

  @Test mutating func aReaderThatBeginsInTheMiddleWaitsForTheRefresh() {
    script.at(0, .bump("a", lane: 1, count: 4))
    script.at(0, .hide("b", lane: 0, count: 4))
    script.at(0, .likes("w", 3))
    script.at(0, .end("x"))
    #expect(screen.gifts.isEmpty && screen.banners.isEmpty && screen.rains.isEmpty)
    script.at(100, .show("a", lane: 1, from: 4, total: 6, enterMs: 0))
    #expect(view(1)?.count == 4)
  }

  @Test mutating func aBannerCrossesInItsDurationAndLandsByItself() throws {
    script.at(1000, .fly("w"))
    let banner = try #require(screen.banners.first)
    #expect(banner.left(atMs: 1000, width: 100, stageWidth: 375) == 375)
    #expect(banner.left(atMs: 4000, width: 100, stageWidth: 375) == 375 - 475 / 2)
    #expect(banner.left(atMs: 7000, width: 100, stageWidth: 375) == -100)
    script.screen.advance(to: 6999)
    #expect(screen.banners.count == 1)
    script.screen.advance(to: 7000)
    #expect(screen.banners.isEmpty)
  }

  @Test mutating func likesGoToTheBannerOfTheirWish() {
    script.at(0, .fly("v"))
    script.at(100, .fly("w", track: 1))
    script.at(500, .likes("v", 7))
    #expect(screen.banners.map(\.likes) == [7, 2])
    #expect(screen.banners.map(\.likedAtMs) == [500, nil])
  }

  /// A banner of another log may come after its time: what flew by is not shown, what still flies is where it is.
  @Test mutating func aBannerThatComesLateIsWhereItIsByNow() {
    script.at(10_000, .burst(1))
    script.at(9000, .fly("w"))
    script.at(2000, .fly("v"))
    #expect(screen.banners.map(\.wishId) == ["w"] && screen.banners.first?.startMs == 9000)
    #expect(screen.nowMs == 10_000)
  }

  @Test mutating func burstsFadeByThemselves() {
    script.at(0, .burst(3))
    script.at(200, .burst(4))
    #expect(screen.bursts.map(\.count) == [3, 4])
    script.screen.advance(to: Screen.burstMs)
    #expect(screen.bursts.map(\.count) == [4])
    for time in 0..<500 { script.at(Screen.burstMs + Int64(time), .burst(1)) }
    #expect(screen.bursts.count < 100, "there is no end to bursts, but to what is kept of them")
  }

  @Test mutating func aRainCountsDownDropsAndEnds() throws {
    script.at(0, .countdown("x", left: 2, startMs: 2000))
    script.at(1000, .countdown("x", left: 1, startMs: 2000))
    #expect(screen.rains.first?.countdown?.left == 1)
    script.at(2250, .drop("x", 0))
    script.at(2500, .drop("x", 1, fallMs: 9000))
    script.at(3000, .tally("x", opened: 3))
    var rain = try #require(screen.rains.first)
    #expect(rain.drops.map(\.packet) == [0, 1] && rain.tally?.opened == 3)
    #expect(rain.drops[0].fallen(atMs: 4250) == 500 && rain.drops[0].fallen(atMs: 9999) == 1000)
    script.screen.advance(to: 6250)
    rain = try #require(screen.rains.first)
    #expect(rain.drops.map(\.packet) == [1], "a packet lands by itself")
    script.at(12_000, .end("x"))
    #expect(screen.rains.isEmpty)
  }

  @Test mutating func skipsAddUp() {
    func skipped(_ stage: Command.Skipped.Stage, _ items: Int64) -> Command.Body {
      .skipped(Command.Skipped(stage: stage, reason: .overflow, items: items, units: 10 * items))
    }
    script.at(0, skipped(.gift, 2))
    script.at(1000, skipped(.wish, 1))
    script.at(2000, skipped(.gift, 3))
    #expect(screen.skips.map(\.items) == [5, 1] && screen.skips.map(\.units) == [50, 10])
    #expect(screen.skips.map(\.atMs) == [2000, 1000])
  }

  @Test mutating func aCommandThatComesTwiceChangesNothing() {
    let skipped = script.at(0, .skipped(Command.Skipped(stage: .gift, reason: .expired, items: 2, units: 2)))
    let fly = script.at(0, .fly("w"))
    let once = screen
    for again in [skipped, fly, skipped] { script.screen.apply(again) }
    #expect(screen == once)
    var other = Script(log: "u/0")
    script.screen.apply(other.at(0, .fly("w")))
    #expect(screen.banners.count == 2, "another log counts for itself")
  }

  @Test mutating func aTopicThatWasMadeAnewIsHeard() {
    for time in 0..<5 { script.at(Int64(time), .fly("w\(time)")) }
    script.screen.apply(Command(roomId: "r", id: "t/0/0/0", atMs: 100, body: .fly("anew")))
    #expect(screen.banners.last?.wishId == "anew")
  }

  @Test mutating func whatIsNotKnownDrawsNothing() {
    script.at(0, .fly("w"))
    let before = screen
    script.at(700, .unknown(kind: "petShow"))
    #expect(screen.banners == before.banners && screen.nowMs == 700)
  }

  @Test mutating func noNumberBreaksAScreen() {
    for number in [Int64.min, -1, 0, .max] {
      script.at(number, .show("a", lane: Int(number), from: number, total: number, enterMs: number))
      script.at(number, .bump("a", lane: Int(number), count: number))
      script.at(number, .fly("w", durationMs: number, likes: number))
      script.at(number, .drop("x", 0, fallMs: number))
      script.at(number, .skipped(Command.Skipped(stage: .gift, reason: .expired, items: number, units: number)))
      for banner in screen.banners { _ = banner.left(atMs: number, width: number, stageWidth: number) }
      for drop in screen.rains.flatMap(\.drops) { _ = drop.fallen(atMs: number) }
      script.at(number, .hide("a", lane: Int(number), count: number, exitMs: number))
    }
    for (atMs, spanMs) in [(Int64.min, Int64.max), (.min, 5), (-1, .max), (.max - 5, .max)] {
      script.at(atMs, .fly("w", durationMs: spanMs))
      script.at(atMs, .drop("x", 0, fallMs: spanMs))
      for nowMs in [Int64.min, atMs, -5, 0, .max] {
        for banner in screen.banners {
          for width in [Int64.min, 0, .max] { _ = banner.left(atMs: nowMs, width: width, stageWidth: .max) }
        }
        for drop in screen.rains.flatMap(\.drops) { #expect((0...1000).contains(drop.fallen(atMs: nowMs))) }
      }
    }
  }
}

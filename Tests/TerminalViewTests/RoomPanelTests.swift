import RoomScreen
import TerminalView
import Testing

struct RoomPanelTests {
  private static let ann = Command.Sender(userId: "1", name: "阿花")
  private let panel = RoomPanel(title: "room-1", tracks: 2, lanes: 2, stageWidth: 40)

  private func screen(_ commands: [(Int64, Command.Body)], at nowMs: Int64) -> Screen {
    var screen = Screen("room-1")
    for (place, (atMs, body)) in commands.enumerated() {
      screen.apply(Command(roomId: "room-1", id: "t/0/0/\(place)", atMs: atMs, body: body))
    }
    screen.advance(to: nowMs)
    return screen
  }

  private func rows(_ commands: [(Int64, Command.Body)], at nowMs: Int64) -> [String] {
    var canvas = Canvas(width: 40, height: panel.height)
    panel.draw(screen(commands, at: nowMs), at: nowMs, in: 0..<40, fromRow: 0, on: &canvas)
    return (0..<canvas.height).map { canvas.text(row: $0) }
  }

  private let rose = Command.Body.giftShow(
    Command.GiftShow(
      comboId: "t/0/7", lane: 1, sender: ann, giftId: "rose", giftName: "玫瑰", value: 1, total: 12, enterMs: 250))
  private let bump = Command.Body.giftBump(Command.GiftBump(comboId: "t/0/7", lane: 1, count: 3, tickMs: 300))
  private let wish = Command.Body.wishFly(
    Command.WishFly(
      wishId: "w", track: 1, sender: ann, text: "happy birthday", width: 24, durationMs: 6000, likes: 2))

  @Test func noNumberBreaksAPanel() {
    for number in [Int64.min, -1, 1 << 62, .max] {
      let bodies: [Command.Body] = [
        .giftShow(
          Command.GiftShow(
            comboId: "t/0/7", lane: 1, sender: Self.ann, giftId: "rose", value: number, from: number, total: number,
            enterMs: number)),
        .wishFly(
          Command.WishFly(
            wishId: "w", track: Int(number), sender: Self.ann, text: "hi", width: number, durationMs: .max,
            likes: number)),
        .wishFly(Command.WishFly(wishId: "w", track: 0, sender: Self.ann, text: "hi", width: number, durationMs: .max)),
        .likeBurst(Command.LikeBurst(count: number, points: [])),
        .likeBurst(Command.LikeBurst(count: number, points: [])),
        .rainCountdown(Command.RainCountdown(rainId: "a", left: number, startMs: number, durationMs: number)),
        .rainDrop(
          Command.RainDrop(rainId: "a", packet: 0, x: Int(number), fallMs: .max, angle: Int(number), spin: Int(number))),
        .skipped(Command.Skipped(stage: .gift, reason: .overflow, items: number, units: number)),
      ]
      for atMs in [Int64.min, 0, .max] {
        for nowMs in [Int64.min, 0, .max] { #expect(rows(bodies.map { (atMs, $0) }, at: nowMs).count == panel.height) }
      }
    }
  }

  @Test func anEmptyRoomHasItsLanes() {
    #expect(rows([], at: 0) == ["── room-1 " + String(repeating: "─", count: 30), "", "", " ·", " ·", "", ""])
  }

  @Test func aGiftShowsWhoWhatAndHowMany() {
    #expect(rows([(0, rose), (550, bump)], at: 600)[4] == " 阿花 玫瑰                      ×3/12")
  }

  @Test func aReceiverWhoseNameNobodyCanSeeIsShownByTheId() {
    for (name, shown) in [("Mia", "Mia"), ("", "host"), ("\u{3164}", "host")] {
      let show = Command.Body.giftShow(
        Command.GiftShow(
          comboId: "t/0/7", lane: 1, sender: Self.ann, receiverId: "host", receiverName: name, giftId: "rose",
          giftName: "玫瑰", value: 1, total: 1, enterMs: 250))
      #expect(rows([(0, show)], at: 250)[4] == " 阿花 玫瑰 → \(shown)")
    }
  }

  @Test func aGiftSlidesIn() {
    #expect(rows([(0, rose)], at: 0)[4] == "")
    #expect(rows([(0, rose)], at: 125)[4] == "玫瑰", "its sender is not in sight yet")
    #expect(rows([(0, rose)], at: 250)[4] == " 阿花 玫瑰")
  }

  @Test func aGiftThatHasLeftLeavesItsLaneFree() {
    let hide = Command.Body.giftHide(Command.GiftHide(comboId: "t/0/7", lane: 1, count: 12, exitMs: 250))
    #expect(rows([(0, rose), (4000, hide)], at: 4100)[4].contains("×12"))
    #expect(rows([(0, rose), (4000, hide)], at: 4250)[4] == " ·")
  }

  @Test func aBannerFliesFromRightToLeftAndIsGone() {
    let banner = "阿花 happy birthday ♥2"
    #expect(rows([(0, wish)], at: 0)[2] == "")
    #expect(rows([(0, wish)], at: 3000)[2] == String(repeating: " ", count: 8) + banner)
    #expect(rows([(0, wish)], at: 5900)[2].count < 4)
    #expect(rows([(0, wish)], at: 6000)[2] == "")
  }

  @Test func skipsAreCounted() {
    let gifts = Command.Body.skipped(Command.Skipped(stage: .gift, reason: .overflow, items: 3, units: 70))
    let wishes = Command.Body.skipped(Command.Skipped(stage: .wish, reason: .expired, items: 1, units: 1))
    #expect(rows([(0, gifts), (0, gifts)], at: 0)[5] == " skipped: 6 gifts (×140) overflow")
    #expect(rows([(0, gifts), (0, wishes)], at: 0)[5] == " skipped: 3 gifts (×70) overflow, 1 wi…")
  }

  @Test func aRainIsCountedDownThenFallsAndTellsWhatWasOpened() {
    func title(_ news: String) -> String {
      "── room-1 " + String(repeating: "─", count: 26 - news.count) + " \(news) ──"
    }
    let countdown = Command.RainCountdown(rainId: "r", left: 2, startMs: 2000, durationMs: 9000)
    let drop = Command.RainDrop(rainId: "r", packet: 0, x: 500, fallMs: 4000, angle: 0, spin: 0)
    let tally = Command.RainTally(rainId: "r", opened: 2, winners: 1, coins: 7)
    var commands: [(Int64, Command.Body)] = [(0, .rainCountdown(countdown))]
    #expect(rows(commands, at: 0)[0] == title("rain in 2 s"))
    #expect(rows(commands, at: 1001)[0] == title("rain in 1 s"))
    #expect(rows(commands, at: 2000)[0] == title("rain"))
    commands.append((2250, .rainDrop(drop)))
    let packet = String(repeating: " ", count: 20) + "◆"
    #expect(rows(commands, at: 2250)[1] == packet)
    #expect(rows(commands, at: 4250)[3].hasSuffix("◆"))
    #expect(!rows(commands, at: 6250).contains { $0.contains("◆") })
    commands.append((4000, .rainTally(tally)))
    #expect(rows(commands, at: 4250)[0] == title("rain: 2 opened, 7 coins"))
  }

  @Test func likesOfTheLastMomentAreCounted() {
    let burst = Command.Body.likeBurst(Command.LikeBurst(count: 4, points: []))
    #expect(rows([(0, burst), (200, burst)], at: 300)[0].hasSuffix("─ ♥8 ──"))
    #expect(rows([(0, burst), (200, burst)], at: 9000)[0].hasSuffix("───"))
  }

  @Test func fourRoomsAndAStatusFitAPlainTerminal() {
    let panels = (1...4).map { RoomPanel(title: "room-\($0)", tracks: 3, lanes: 2, stageWidth: 39) }
    let view = RoomsView(panels: panels)
    let screens = panels.map { _ in screen([(0, rose), (550, bump), (600, wish)], at: 3000) }
    let canvas = view.canvas(width: 80, height: 24, screens: screens, nowMs: 3000, status: "all is well")
    let rows = (0..<24).map { canvas.text(row: $0) }
    for row in [0, 9] { #expect(rows[row].contains("room-\(row == 0 ? 1 : 3)") && rows[row].count == 79) }
    #expect(rows[23] == "all is well")
    let small = view.canvas(width: 60, height: 17, screens: screens, nowMs: 3000, status: "all is well")
    #expect(small.text(row: 16) == "2 more rooms need a larger terminal · all is well")
  }
}

import JSON
import RoomModel
import TestSupport
import Testing
import Wire

struct CommandDecoderTests {
  private static let sender = Sender(userId: Text("7"), name: Text("阿\"花"), avatarUrl: Text("https://a/1.png"))

  /// Tests share them, and nobody changes them.
  nonisolated(unsafe) private static let points: UnsafeBufferPointer<Point> = {
    let points = UnsafeMutableBufferPointer<Point>.allocate(capacity: 40)
    for i in points.indices { points.initializeElement(at: i, to: Point(x: Int64(i % 3) * 400, y: Int64(i) * 25)) }
    return UnsafeBufferPointer(points)
  }()

  nonisolated(unsafe) private static let names: UnsafeBufferPointer<Sender> = {
    let names = UnsafeMutableBufferPointer<Sender>.allocate(capacity: 3)
    for i in names.indices { names.initializeElement(at: i, to: Sender(userId: Text("7"), name: Text("阿花"))) }
    return UnsafeBufferPointer(names)
  }()

  private static var spot: SpotShow {
    var show = SpotShow()
    show.spotId = Text("im.gifts/5/16~2")
    show.kind = Text("gift")
    show.comboId = Text("im.gifts/5/16")
    show.sender = sender
    show.receiverId = Text("host")
    show.giftId = Text("rose")
    show.giftName = Text("玫瑰")
    (show.value, show.total, show.tier, show.durationMs) = (10, 500, 2, 4000)
    (show.text, show.style, show.extra) = (Text("hi"), Text("gold"), Text("x"))
    return show
  }

  nonisolated(unsafe) private static let bodies: [RoomCommand.Body] = [
    .giftShow(
      Lent(
        forever: GiftShow(
          comboOffset: 16, lane: 1, sender: sender, receiverId: Text("host"), receiverName: Text("主播"),
          giftId: Text("rose"), giftName: Text("玫瑰"), value: 10, from: 2, total: 9_007_199_254_740_993, enterMs: 250,
          tier: 2, extra: Text("m\"1")))),
    .giftBump(GiftBump(comboOffset: 16, lane: 1, count: 3, tickMs: 300)),
    .giftHide(GiftHide(comboOffset: 16, lane: 0, count: 3, exitMs: 250)),
    .wishFly(
      Lent(
        forever: WishFly(
          wishId: Text("w/1"), track: 2, sender: sender, text: Text("hi\n\\"), style: Text("gold"), width: 191,
          durationMs: 6000, likes: 4, extra: Text("x")))),
    .wishLikes(WishLikes(wishId: Text("w/1"), likes: 5)),
    .wishGone(WishGone(wishId: Text("w/1"))),
    .likeBurst(LikeBurst(count: 41, points: points)),
    .likeBurst(LikeBurst(count: 1, points: UnsafeBufferPointer(start: nil, count: 0))),
    .rainCountdown(
      Lent(
        forever: RainCountdown(
          rainId: Text("r/1"), left: 3, startMs: 1_700_000_003_000, durationMs: 10_000, extra: Text("x")))),
    .rainDrop(
      Lent(
        forever: RainDrop(
          rainId: Text("r/1"), packet: 40, x: 999, fallMs: 4210, angle: 359, spin: 0, toX: 1, spinMs: 3500))),
    .rainTally(RainTally(rainId: Text("r/1"), opened: 7, winners: 2, coins: 1_000_000_000_000_000)),
    .rainEnd(RainEnd(rainId: Text("r/1"))),
    .spotShow(Lent(forever: spot)),
    .spotGone(SpotGone(spotId: Text("im.gifts/5/16~2"))),
    .crowdShow(
      Lent(
        forever: CrowdShow(
          crowdOffset: 16, receiverId: Text("host"), receiverName: Text("主播"), giftId: Text("rose"),
          giftName: Text("玫瑰"), value: 10, items: 3, units: 41, names: names))),
    .crowdShow(
      Lent(
        forever: CrowdShow(
          crowdOffset: 17, receiverId: .empty, receiverName: .empty, giftId: Text("rose"), giftName: .empty, value: 0,
          items: 1, units: 1, names: UnsafeBufferPointer(start: nil, count: 0)))),
    .crowdHide(CrowdHide(crowdOffset: 16)),
    .skipped(Skipped(stage: .spot, reason: .overflow, items: 2, units: 2)),
    .skipped(Skipped(stage: .wish, reason: .expired, items: 2, units: 30)),
    .skipped(Skipped(stage: .gift, reason: .retracted, items: 2, units: 30)),
    .skipped(Skipped(stage: .gift, reason: .ended, items: 2, units: 30)),
    .roomEnd(RoomEnded()),
  ]

  /// Formats that are read and written.
  @Test(arguments: Format.allCases, bodies.indices)
  func whatWasEncodedIsReadBack(format: Format, index: Int) throws {
    let command = RoomCommand(
      roomId: Text("r\u{1}1"), recordOffset: 17, place: 3, atMs: 1_700_000_000_550, body: Self.bodies[index])
    let encoder = CommandEncoder(topic: "im.gifts", partition: 5, format: format)
    var first = ByteBuffer()
    encoder.encode(command, into: &first)
    var decoder = CommandDecoder()
    let published = try #require(try decoder.decode(value: first.bytes, contentType: format.contentType.bytes))
    #expect(published.topic == Text("im.gifts") && published.partition == 5)
    var second = ByteBuffer()
    encoder.encode(published.command, into: &second)
    #expect(first.text == second.text, "\(first.text) was read as \(second.text)")
  }

  @Test func aKindThatIsNotKnownIsNone() throws {
    #expect(try read(#"{"roomId":"r","id":"t/0/1/0","atMs":1,"newerThing":{"a":1}}"#) == nil)
  }

  @Test(arguments: [
    "", "{", "7", #"{"roomId":"r","id":"t/0/1","atMs":1"#, #"{"roomId":"r","id":"t/0/x/0","giftHide":{}}"#,
    #"{"roomId":"r","id":"t/0/1/0","giftHide":{"comboId":""}}"#,
  ]) func whatIsNoCommandIsRefused(text: String) {
    #expect(throws: NotUnderstood.self) { try read(text) }
  }

  @Test func aCommandWithoutAValueOrOfAnotherTypeIsRefused() {
    var decoder = CommandDecoder()
    do {
      _ = try decoder.decode(value: nil, contentType: nil)
      Issue.record("it was taken")
    } catch {
      #expect(error.reason == .noValue)
    }
    do {
      _ = try decoder.decode(value: Text("{}").bytes, contentType: Text("text/plain").bytes)
      Issue.record("it was taken")
    } catch {
      #expect(error.reason == .contentType)
    }
  }

  private func read(_ text: String) throws -> Int64? {
    var decoder = CommandDecoder()
    return try Array(text.utf8).withUnsafeBytes {
      try decoder.decode(value: $0, contentType: nil)?.command.recordOffset
    }
  }
}

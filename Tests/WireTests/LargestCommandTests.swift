import JSON
import RoomModel
import TestSupport
import Testing
import Wire

/// The longest command: it has to fit into the topics (INTERFACES.md, "Topics"), and a worker compares its length with
/// their limits at its start.
struct LargestCommandTests {
  /// The longest ids, texts and numbers that an event may have; in JSON each of their bytes takes as many as it can.
  private static let id = Text(String(repeating: "\u{1}", count: 256))
  private static let sender = Sender(
    userId: id, name: Text(String(repeating: "\"", count: 1024)),
    avatarUrl: Text(String(repeating: "\u{1}", count: 2048)))

  private static let name = Text(String(repeating: "\"", count: 1024))
  private static let comboId = Text(String(repeating: "\u{1}", count: 1024))
  private static let extra = Text(String(repeating: "\u{1}", count: 4096))
  nonisolated(unsafe) private static let names: UnsafeBufferPointer<Sender> = {
    let names = UnsafeMutableBufferPointer<Sender>.allocate(capacity: CrowdShow.nameLimit)
    names.initialize(repeating: sender)
    return UnsafeBufferPointer(names)
  }()

  private static var spot: SpotShow {
    var show = SpotShow()
    (show.spotId, show.comboId, show.extra) = (comboId, comboId, extra)
    (show.kind, show.receiverId, show.giftId, show.style) = (id, id, id, id)
    show.sender = sender
    (show.giftName, show.receiverName, show.text) = (name, name, name)
    (show.value, show.total, show.tier, show.durationMs) = (.max, .max, .max, .max)
    return show
  }

  private static var pin: PinShow {
    var show = PinShow()
    (show.pinId, show.style, show.sender, show.extra) = (id, id, sender, extra)
    show.text = Text(String(repeating: "\n", count: 4096))
    (show.value, show.first, show.startMs, show.endMs) = (.max, .max, .max, .max)
    return show
  }

  private static var goal: GoalShow {
    var show = GoalShow()
    (show.goalId, show.giftId, show.receiverId, show.text, show.extra) = (id, id, id, name, extra)
    (show.target, show.progress, show.startMs, show.endMs) = (.max, .max, .max, .max)
    let sides = UnsafeMutableBufferPointer<GoalSide>.allocate(capacity: Goal.sideLimit)
    sides.initialize(repeating: GoalSide(id: id, total: .max))
    show.sides = UnsafeBufferPointer(sides)
    return show
  }

  nonisolated(unsafe) private static let bodies: [RoomCommand.Body] = [
    .giftShow(
      Lent(
        forever: GiftShow(
          comboOffset: .max, lane: .max, sender: sender, receiverId: id, receiverName: name, giftId: id,
          giftName: name, value: .max, from: .max, total: .max, enterMs: .max, tier: .max, extra: extra))),
    .wishFly(
      Lent(
        forever: WishFly(
          wishId: id, track: .max, sender: sender, text: Text(String(repeating: "\\", count: 16_384)), style: id,
          width: .max, durationMs: .max, likes: .max, extra: extra))),
    .spotShow(Lent(forever: spot)),
    .pinShow(Lent(forever: pin)),
    .goalShow(Lent(forever: goal)),
    .crowdShow(
      Lent(
        forever: CrowdShow(
          crowdOffset: .max, receiverId: id, receiverName: name, giftId: id, giftName: name, value: .max, items: .max,
          units: .max, names: names))),
  ]

  @Test(arguments: Format.allCases, bodies.indices)
  func itIsLessThan96KiB(format: Format, index: Int) {
    #expect(bytes(of: Self.bodies[index], format) < 98_304)
  }

  @Test(arguments: Format.allCases)
  func aBurstTakes18BytesMoreForEachPointAndFitsAMillion(format: Format) {
    let points = UnsafeMutableBufferPointer<Point>.allocate(capacity: Int(LikeBurst.pointLimit))
    defer { points.deallocate() }
    points.initialize(repeating: Point(x: 999, y: 999))
    let whole = bytes(of: .likeBurst(LikeBurst(count: .max, points: UnsafeBufferPointer(points))), format)
    #expect(whole <= 98_304 + 18 * points.count)
    #expect(whole < 1_000_000)
  }

  /// The bytes of a command with its key, from a topic with the longest name.
  private func bytes(of body: RoomCommand.Body, _ format: Format) -> Int {
    let command = RoomCommand(roomId: Self.id, recordOffset: .max, place: .max, atMs: .max, body: body)
    let encoder = CommandEncoder(topic: String(repeating: "t", count: 229), partition: .max, format: format)
    var buffer = ByteBuffer()
    encoder.encode(command, into: &buffer)
    return Self.id.count + buffer.count
  }
}

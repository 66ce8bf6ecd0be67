import Foundation
import JSON
import RoomModel
import Testing
import Wire

/// `Schemas/examples`, which show senders and clients the JSON form.
struct ExampleTests {
  private static func examples(_ kind: String) -> [String] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Schemas/examples")
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.lastPathComponent.hasPrefix("\(kind)-") }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map { String(decoding: FileManager.default.contents(atPath: $0.path(percentEncoded: false))!, as: UTF8.self) }
      .map { String($0.dropLast()) }
  }

  @Test func thereIsOneOfEachKind() {
    #expect(Self.examples("event").count >= 9)
    #expect(Self.examples("command").count >= 13)
    #expect(Self.examples("result").count >= 1)
  }

  @Test(arguments: examples("event"))
  func anEventIsReadAsItIsWritten(text: String) throws {
    #expect(try Decoding().written(text) == text)
  }

  /// The examples of events, in our words.
  @Test func anEventMeansWhatItSays() throws {
    let events = Self.examples("event").map { Array($0.utf8) }
    var kinds: Set<String> = []
    for event in events {
      try Decoding().of(event) { event in
        switch event.body {
        case .gift(let gift):
          kinds.insert("gift")
          #expect(gift.sender.userId == Text("7") && gift.sender.name == Text("阿花"))
          #expect(gift.sender.avatarUrl == Text("https://a.example/7.png") && gift.receiverId == Text("host"))
          #expect(gift.giftId == Text("rose") && gift.giftName == Text("玫瑰"))
          #expect(gift.count == 3 && gift.value == 10 && gift.streakId == Text("s1"))
          #expect(gift.holdMs == 5000 && gift.apart == 1 && gift.receiverName == Text("主播"))
        case .wish(let wish):
          kinds.insert("wish")
          #expect(wish.text == Text("愿你开心 🎉") && wish.wishId == Text("w1") && wish.style == Text("gold"))
        case .wishLike(let like):
          kinds.insert("wishLike")
          #expect(like.userId == Text("8") && like.wishId == Text("w1"))
        case .tap(let tap):
          kinds.insert("tap")
          #expect(tap.userId == Text("8") && tap.x == 0 && tap.y == 999)
        case .taps(let taps):
          kinds.insert("taps")
          #expect(taps.userId == Text("7") && taps.runId == Text("a1") && taps.count == 12)
          #expect(Array(taps.points) == [Point(x: 500, y: 300), Point(x: 510, y: 290)])
        case .pin(let pin):
          kinds.insert("pin")
          #expect(pin.sender.userId == Text("7") && pin.pinId == Text("p1") && pin.text == Text("第一行\n第二行"))
          #expect(pin.value == 5000 && pin.first == 1 && pin.durationMs == 300_000 && pin.extra == Text("vip"))
        case .goal(let goal):
          kinds.insert("goal")
          #expect(
            goal.goalId == Text("g1") && goal.text == Text("PK") && goal.by == .units && goal.giftId == Text("rose"))
          #expect(goal.target == 10 && goal.home == Text("host") && goal.durationMs == 600_000)
          #expect(goal.sides.map(\.description) == ["host", "guest"])
        case .score(let score):
          kinds.insert("score")
          #expect(score.goalId == Text("g1") && score.side == Text("b") && score.total == 520)
        case .rainStart(let start):
          kinds.insert("rainStart")
          #expect(start.rainId == Text("rain-1") && start.durationMs == 10_000 && start.perSecond == 4)
          #expect(start.countdown == 0 && start.budget == 100_000 && start.winEvery == 3)
          #expect(Array(start.prizes) == [24, 0, 31])
        case .rainGrab(let grab):
          kinds.insert("rainGrab")
          #expect(grab.rainId == Text("rain-1") && grab.packet == 2 && grab.userId == Text("8"))
        case .spot(let spot):
          kinds.insert("spot")
          #expect(spot.sender.userId == Text("7") && spot.kind == Text("entrance") && spot.spotId == Text("s1"))
          #expect(spot.text == Text("阿花来了") && spot.style == Text("dragon") && spot.value == 5000)
          #expect(spot.durationMs == 3000 && spot.extra == Text("https://a.example/dragon.json"))
        case .retract(let retract):
          kinds.insert("retract")
          guard case .user(let user, let muteMs) = retract.what else { return #expect(Bool(false)) }
          #expect(user == Text("7") && muteMs == 600_000)
        case .roomSettings(let settings):
          kinds.insert("roomSettings")
          #expect(settings.forMs == 7_200_000)
          #expect(
            settings.set.map { "\($0.setting.rawValue) \($0)" } == ["gift.lanes 3", "gift.tiers 500:2000,5000:4000"])
        case .roomEnd: kinds.insert("roomEnd")
        }
      }
    }
    #expect(
      kinds == [
        "gift", "wish", "wishLike", "tap", "taps", "rainStart", "rainGrab", "spot", "pin", "goal", "score", "retract",
        "roomSettings", "roomEnd",
      ])
  }

  @Test(arguments: examples("command"))
  func aCommandIsWrittenAgainByteForByte(text: String) throws {
    var decoder = CommandDecoder()
    let bytes = Array(text.utf8)
    let written: String? = try bytes.withUnsafeBytes { bytes in
      guard let published = try decoder.decode(value: bytes, contentType: nil) else { return nil }
      let encoder = CommandEncoder(topic: "\(published.topic)", partition: published.partition, format: .json)
      var buffer = ByteBuffer()
      encoder.encode(published.command, into: &buffer)
      return buffer.text.description
    }
    #expect(written == text)
  }

  @Test(arguments: examples("result"))
  func aResultIsWrittenAgainByteForByte(text: String) throws {
    var decoder = ResultDecoder()
    let bytes = Array(text.utf8)
    let written: String? = try bytes.withUnsafeBytes { bytes in
      guard let published = try decoder.decode(value: bytes, contentType: nil) else { return nil }
      let encoder = CommandEncoder(topic: "\(published.topic)", partition: published.partition, format: .json)
      var buffer = ByteBuffer()
      encoder.encode(published.result, into: &buffer)
      return buffer.text.description
    }
    #expect(written == text)
  }
}

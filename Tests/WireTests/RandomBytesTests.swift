import JSON
import RoomModel
import TestSupport
import Testing
import Wire

/// The decoder makes of any bytes an event that keeps the rules, or says why it can't; `swift test --sanitize=address`
/// also sees that it reads nothing beyond them.
struct RandomBytesTests {
  private static let valid: [(type: String?, bytes: [UInt8])] = [
    #"{"eventId":"e1","roomId":"r1","gift":{"sender":{"userId":"7","name":"阿\u0000花","avatarUrl":"a"},"receiverId":1,"giftId":"rose","giftName":"玫\u202e瑰","count":"2","value":10,"streakId":"s"}}"#,
    #"{"eventId":5,"roomId":"r1","wish":{"sender":{"userId":7},"text":"hi\u0085","wishId":"w","style":"gold"}}"#,
    #"{"roomId":"r1","wishLike":{"userId":"7","wishId":"w","extra":[1,-2,3.5e3,true,null,{}]}}"#,
    #"{"roomId":"r1","tap":{"userId":"7","x":0,"y":999}}"#,
    #"{"roomId":"r1","rainStart":{"rainId":"x","budget":1000000000000000,"prizes":[0,"1000000000",3]}}"#,
    #"{"roomId":"r1","rainGrab":{"rainId":"x","packet":1000000,"userId":"7"}}"#,
  ].flatMap { json in
    let protobuf = try! Decoding().of(Array(json.utf8)) { event in
      var buffer = ByteBuffer()
      EventEncoder(format: .protobuf).encode(event, into: &buffer)
      return Array(buffer.bytes)
    }
    return [(nil, Array(json.utf8)), ("application/x-protobuf", protobuf)]
  }

  private static let rounds = 20_000

  @Test(arguments: [1, 2, 3] as [UInt64])
  func mutationsAreReadOrRefused(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var counts = (read: 0, refused: 0)
    for _ in 0..<Self.rounds {
      var (type, bytes) = Self.valid.randomElement(using: &random)!
      for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&bytes, &random) }
      if isRead(bytes, type) { counts.read += 1 } else { counts.refused += 1 }
    }
    #expect(counts.read > Self.rounds / 50 && counts.refused > Self.rounds / 50, "\(counts)")
  }

  @Test(arguments: [nil, "application/x-protobuf"])
  func randomBytesAreReadOrRefused(type: String?) {
    var random = SplitMix64(seed: 7)
    // Bytes that mean something to the reader, for about half of them.
    let alphabet: [UInt8] =
      type == nil ? Array("{}[]\",:\\u0123456789-+.eEnulltrue \u{7f}".utf8) : Array(0...0x43)
    for round in 0..<Self.rounds {
      let count = round % 100 == 0 ? 5000 : Int.random(in: 0..<60, using: &random)
      let bytes = (0..<count).map { _ in
        Bool.random(using: &random)
          ? alphabet.randomElement(using: &random)! : UInt8.random(in: 0...255, using: &random)
      }
      _ = isRead(bytes, type)
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
    case 3: bytes.remove(at: place)
    case 4: bytes.removeSubrange(place...)
    default:
      let other = Self.valid.randomElement(using: &random)!.bytes
      bytes.replaceSubrange(place..., with: other[Int.random(in: 0..<other.count, using: &random)...])
    }
  }

  /// Whether the bytes were read as an event; the event is checked to keep the rules.
  private func isRead(_ bytes: [UInt8], _ type: String?) -> Bool {
    var decoding = Decoding(keyRule: .any)
    decoding.contentType = type
    do throws(NotUnderstood) {
      let again = try decoding.of(bytes) { event in
        expectRules(event)
        return event.json
      }
      // An understood event is understood as the same once it is written.
      #expect(try! decoding.withoutType.written(again) == again)
      return true
    } catch {
      #expect(!error.description.isEmpty && !error.description.contains { $0.isNewline })
      return false
    }
  }

  private func expectRules(_ event: RoomEvent) {
    #expect(!event.roomId.isEmpty && event.roomId.count <= 256 && event.eventId.count <= 256)
    switch event.body {
    case .gift(let gift):
      #expect((1...(gift.streakId.isEmpty ? 1_000_000 : 1_000_000_000)).contains(gift.count))
      #expect(
        (0...1_000_000_000_000).contains(gift.value) && (0...1) ~= gift.apart && !gift.giftId.isEmpty
          && !gift.sender.userId.isEmpty)
      #expect(gift.giftName.count <= 1024 && gift.sender.name.count <= 1024 && gift.sender.avatarUrl.count <= 2048)
    case .wish(let wish):
      #expect((1...16384).contains(wish.text.count) && (1...256).contains(wish.wishId.count))
    case .wishLike(let like): #expect((1...256).contains(like.userId.count) && (1...256).contains(like.wishId.count))
    case .spot(let spot):
      #expect((1...256).contains(spot.kind.count) && (1...1024).contains(spot.spotId.count))
      #expect(!spot.sender.userId.isEmpty && spot.text.count <= 1024 && spot.style.count <= 256)
      #expect(
        (0...1_000_000_000_000).contains(spot.value) && (spot.durationMs == 0 || (100...60_000) ~= spot.durationMs))
    case .tap(let tap): #expect((0...999).contains(tap.x) && (0...999).contains(tap.y) && !tap.userId.isEmpty)
    case .rainStart(let start):
      #expect((0...600_000).contains(start.durationMs) && (1...100).contains(start.perSecond))
      #expect((0...60).contains(start.countdown) && (0...1_000_000_000_000_000).contains(start.budget))
      #expect((1...1_000_000).contains(start.winEvery) && start.prizes.count <= 10_000)
      #expect(start.prizes.allSatisfy { (0...1_000_000_000).contains($0) })
    case .taps(let taps):
      #expect((1...1_000_000_000).contains(taps.count) && taps.points.count <= 16 && !taps.runId.isEmpty)
      #expect(taps.points.allSatisfy { (0...999).contains($0.x) && (0...999).contains($0.y) })
    case .pin(let pin):
      #expect((1...256).contains(pin.pinId.count) && (1...4096).contains(pin.text.count) && pin.extra.count <= 4096)
      #expect((0...1_000_000_000_000).contains(pin.value) && (0...1).contains(pin.first))
      #expect(pin.durationMs == 0 || (1000...21_600_000).contains(pin.durationMs))
    case .goal(let goal):
      #expect((1...256).contains(goal.goalId.count) && goal.text.count <= 1024 && goal.extra.count <= 4096)
      #expect((0...1_000_000_000_000_000).contains(goal.target))
      #expect(goal.durationMs == 0 || (1000...21_600_000).contains(goal.durationMs))
      let sides = goal.sides.map(\.description)
      #expect(sides.isEmpty ? goal.home.isEmpty : (2...8).contains(sides.count) && goal.by != .likes)
      #expect(Set(sides).count == sides.count && (goal.home.isEmpty || sides.contains(goal.home.description)))
    case .score(let score):
      #expect((1...256).contains(score.goalId.count) && (0...9_000_000_000_000_000).contains(score.total))
    case .rainGrab(let grab): #expect((0...1_000_000).contains(grab.packet) && !grab.rainId.isEmpty)
    case .retract(let retract):
      switch retract.what {
      case .wish(let id): #expect((1...256).contains(id.count))
      case .spot(let id): #expect((1...1024).contains(id.count))
      case .combo(let id): #expect((1...1024).contains(id.count))
      case .user(let id, let muteMs): #expect((1...256).contains(id.count) && (0...31_536_000_000).contains(muteMs))
      case .pin(let id), .goal(let id): #expect((1...256).contains(id.count))
      }
    case .roomSettings(let settings):
      #expect(Set(settings.set.map(\.setting)).count == settings.set.count)
      #expect((1...1_000_000_000).contains(settings.forMs))
    case .roomEnd: break
    }
  }
}

extension Decoding {
  fileprivate var withoutType: Decoding {
    var decoding = self
    decoding.contentType = nil
    return decoding
  }
}

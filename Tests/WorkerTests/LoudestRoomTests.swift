import RoomModel
import TestSupport
import Testing
import Wire
import Worker

struct LoudestRoomTests {
  private func count(_ loudest: inout LoudestRoom, _ room: String, atMs: LogTime) {
    var room = room
    room.withUTF8 { bytes in
      let text = Text(start: bytes.baseAddress!, count: bytes.count)
      loudest.count(text, hash: Murmur2.hash(text.bytes), atMs: atMs)
    }
  }

  private func name(_ loudest: LoudestRoom) -> String { String(decoding: loudest.room, as: UTF8.self) }

  /// Among 5000 others that make as many commands together as twenty of it.
  @Test(arguments: 0..<20) func theLoudestRoomIsFoundAmongMany(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var loudest = LoudestRoom()
    for span in 0..<3 as Range<LogTime> {
      let start = 1_700_000_000_000 + span * LoudestRoom.spanMs
      for number in 0..<21_000 {
        let at = start + LogTime(number) * LoudestRoom.spanMs / 21_000
        let isLoud = number % 21 == 7
        count(&loudest, isLoud ? "loud-\(span)" : "room-\(random.next() % 5000)", atMs: at)
      }
    }
    count(&loudest, "next", atMs: 1_700_000_000_000 + 3 * LoudestRoom.spanMs)
    #expect(name(loudest) == "loud-2")
    #expect((80...100).contains(loudest.perSecond), "1000 in ten seconds, less what others of its counter made")
    #expect(loudest.spanEnd == 1_700_000_000_000 + 3 * LoudestRoom.spanMs)
  }

  @Test func aRoomAloneIsCountedExactly() {
    var loudest = LoudestRoom()
    for number in 0..<1234 { count(&loudest, "阿", atMs: 50_000 + LogTime(number)) }
    #expect(loudest.perSecond == 0, "no span has ended")
    count(&loudest, "b", atMs: 60_000)
    #expect(name(loudest) == "阿" && loudest.perSecond == 123)
    count(&loudest, "b", atMs: 75_000)
    #expect(name(loudest) == "b" && loudest.perSecond == 0)
  }
}

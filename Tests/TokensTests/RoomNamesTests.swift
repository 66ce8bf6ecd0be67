import RoomScreen
import Testing
import Tokens

struct RoomNamesTests {
  @Test(arguments: [
    ("a", "a", true), ("a", "b", false), ("a", "A", false), ("a", "", false), ("a", "aa", false),
    ("*", "", true), ("*", "a*b", true), ("live-*", "live-", true), ("live-*", "live-1", true),
    ("live-*", "live", false), ("live-*", "xlive-1", false), ("*-1", "live-1", true), ("*-1", "live-1-", false),
    ("a*b*c", "abc", true), ("a*b*c", "a-b-b-c", true), ("a*b*c", "acb", false), ("**", "x", true),
    ("a*a", "a", false), ("*ab", "aab", true), ("房间-*", "房间-1", true), ("é", "e\u{301}", false), ("?", "x", false),
    ("[a-z]", "x", false), (".*", "x", false), ("", "", true), ("", "a", false),
  ])
  func aStarStandsForAnythingAndAllElseForItself(pattern: String, room: String, contained: Bool) {
    #expect(RoomNames([pattern]).contains(ID(room)) == contained)
    #expect(RoomNames(["other", pattern]).contains(ID(room)) == contained)
  }

  @Test func manyStarsTakeNoLongerThanTheirLengths() {
    let pattern = String(repeating: "a*", count: 2000) + "b"
    #expect(!RoomNames([pattern]).contains(ID(String(repeating: "a", count: 3000))))
  }
}

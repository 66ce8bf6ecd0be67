import Settings
import Testing

struct NearestNameTests {
  @Test(arguments: [
    ("gift.lane", "gift.lanes"), ("gift.Lanes", "gift.lanes"), ("lanes", "gift.lanes"), ("gift.alnes", "gift.lanes"),
    ("wish.trcaks", "wish.tracks"), ("xyz", "gift.lanes"),
  ])
  func isTheOneFewestEditsAway(written: String, meant: String) {
    #expect(NearestName.of(written, among: ["gift.lanes", "wish.tracks"]) == meant)
  }

  @Test func isTheOneOfTheSameLastPartRatherThanOfTheSameLength() {
    let names = ["kafka.produce.offset.report", "worker.http.port"]
    #expect(NearestName.of("probes.port", among: names) == "worker.http.port")
  }

  @Test func ofNoneIsNone() {
    #expect(NearestName.of("gift.lanes", among: [String]()) == nil)
  }
}

import Settings
import Testing
import Worker

struct TopicGrowthTests {
  private var topics: TopicSettings {
    var topics = TopicSettings()
    topics.input = ["in", "more"]
    topics.commands = "out"
    topics.results = "won"
    return topics
  }

  private func existing(_ counts: [String: Int]) -> [String: Int] {
    TopicPlan.names(topics).reduce(into: [:]) { $0[$1] = 4 }.merging(counts) { $1 }
  }

  @Test func whatGoesWithAnInputGrowsBeforeIt() throws {
    let growth = try TopicGrowth(["in=9"], of: topics, existing: existing([:]))
    #expect(growth.steps.map(\.topic) == topics.beside("in") + ["in"])
    #expect(growth.steps.allSatisfy { $0.from == 4 && $0.to == 9 })
  }

  /// A run that was broken off is finished by the next, and what has more already stays.
  @Test func whatHasEnoughStays() throws {
    let helpers = topics.beside("in")
    let growth = try TopicGrowth(["in=9"], of: topics, existing: existing([helpers[0]: 9, helpers[1]: 20]))
    #expect(growth.steps.map(\.topic) == [helpers[2], "in"])
    #expect(try TopicGrowth(["in=4"], of: topics, existing: existing([:])).steps.isEmpty)
  }

  @Test(arguments: [
    ("in", "im.gifts=64"), ("in=", "im.gifts=64"), ("=5", "im.gifts=64"), ("in=5=6", "im.gifts=64"),
    ("in=x", "im.gifts=64"), ("in=0", "im.gifts=64"),
    ("in=3", "can't have fewer"), ("out=9", "make a new topic"), ("won=9", "make a new topic"),
    ("in=9,in=90", "in is there twice"), ("other=9", "topics.input (in,more)"), ("more=9", "without --grow"),
  ])
  func whatCannotGrowIsRefusedWithWhatCanBeDone(_ wanted: String, _ told: String) {
    var existing = existing([:])
    existing["more"] = nil
    let error = #expect(throws: TopicGrowth.Refusal.self) {
      try TopicGrowth(wanted.split(separator: ",").map(String.init), of: topics, existing: existing)
    }
    #expect(error?.description.contains(told) == true, "\(error?.description ?? "")")
  }
}

import Settings
import Testing

struct TopicRulesTests {
  @Test(arguments: ["compact", "compact,delete"])
  func aTopicThatIsCompactedIsNot(policy: String) throws {
    let line = try #require(TopicRules.compaction(of: "in", ["cleanup.policy": policy]))
    #expect(line.contains("cleanup.policy=\(policy)") && line.contains("--entity-name in"))
    #expect(line.contains("--add-config cleanup.policy=delete"))
    #expect(TopicRules.compaction(of: "in", ["cleanup.policy": "delete"]) == nil)
    #expect(TopicRules.compaction(of: "in", [:]) == nil, "nobody tells")
  }

  @Test(arguments: [("-1", true), ("119999", false), ("120000", true), ("0", false)])
  func whatIsNeededMustBeKept(has: String, isEnough: Bool) {
    let line = TopicRules.retention(of: "in", ["retention.ms": has], needsMs: 120_000, why: "somebody needs it")
    #expect((line == nil) == isEnough)
    if let line { #expect(line.contains("--add-config retention.ms=120000") && line.contains("somebody needs it")) }
  }
}

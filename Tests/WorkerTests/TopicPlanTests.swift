import Settings
import Testing
import Worker

struct TopicPlanTests {
  private var topics: TopicSettings {
    var topics = TopicSettings()
    topics.input = ["in"]
    topics.commands = "out"
    topics.results = "won"
    topics.partitions = 4
    return topics
  }

  private func existing(_ partitions: Int, _ settings: [String: String] = [:]) -> TopicPlan.Existing {
    TopicPlan.Existing(partitions: partitions, settings: settings)
  }

  /// The topics as `topics create` makes them.
  private var asMade: [String: TopicPlan.Existing] {
    TopicPlan(topics, existing: [:]).missing.reduce(into: [:]) {
      $0[$1.name] = existing($1.partitions, $1.settings)
    }
  }

  @Test func whereThereIsNothingAllIsMade() {
    let plan = TopicPlan(topics, existing: [:])
    #expect(plan.differences.isEmpty)
    #expect(Set(plan.missing.map(\.name)) == Set(TopicPlan.names(topics)))
    #expect(
      Set(plan.missing.map(\.name)) == [
        "in", "out", "won", "flyscreen.changelog.in", "flyscreen.journal.in", "in.dlq",
      ])
    #expect(plan.missing.allSatisfy { $0.partitions == 4 })
    #expect(plan.missing.first { $0.name == "in" }?.settings == ["message.timestamp.type": "LogAppendTime"])
  }

  @Test func whatWasMadeIsAsItShouldBe() {
    let plan = TopicPlan(topics, existing: asMade)
    #expect(plan == TopicPlan(topics, existing: asMade))
    #expect(plan.missing.isEmpty)
    #expect(plan.differences.isEmpty)
  }

  @Test func whatBelongsToAnInputTopicHasItsPartitionsAndRetention() {
    let input = existing(
      7, ["message.timestamp.type": "LogAppendTime", "retention.ms": "5000", "max.message.bytes": "3000000"])
    let missing = TopicPlan(topics, existing: ["in": input]).missing
    #expect(missing.first { $0.name == "out" }?.partitions == 4)
    for name in ["flyscreen.changelog.in", "flyscreen.journal.in"] {
      let topic = missing.first { $0.name == name }
      #expect(topic?.partitions == 7)
      #expect(topic?.settings["retention.ms"] == "5000")
      #expect(topic?.settings["cleanup.policy"] == "delete")
    }
    // States are written in parts that any topic takes.
    #expect(missing.first { $0.name == "flyscreen.changelog.in" }?.settings["max.message.bytes"] == nil)
    let deadLetters = missing.first { $0.name == "in.dlq" }
    #expect(deadLetters?.partitions == 7)
    #expect(deadLetters?.settings["max.message.bytes"] == "3065536")
  }

  @Test func whatDiffersIsToldWithWhatToDo() {
    var there = asMade
    there["in"] = existing(
      4, ["message.timestamp.type": "CreateTime", "retention.ms": "-1", "max.message.bytes": "3000000"])
    there["flyscreen.changelog.in"] = existing(4, ["retention.ms": "-1", "max.message.bytes": "1048588"])
    there["flyscreen.journal.in"] = existing(2, ["cleanup.policy": "compact", "retention.ms": "10"])
    #expect(
      TopicPlan(topics, existing: there).differences == [
        "in has message.timestamp.type=CreateTime, so one sender's wrong clock would freeze it: change it by "
          + "kafka-configs --alter --entity-type topics --entity-name in --add-config message.timestamp.type=LogAppendTime",
        "flyscreen.journal.in has 2 partitions, but needs 4, as many as in: "
          + "run `flyscreen topics create --grow in=4`",
        "flyscreen.journal.in has cleanup.policy=compact, which drops what a replay needs: change it by "
          + "kafka-configs --alter --entity-type topics --entity-name flyscreen.journal.in --add-config cleanup.policy=delete",
        "flyscreen.journal.in has retention.ms=10, less than in (-1), so old input could not be replayed: change it by "
          + "kafka-configs --alter --entity-type topics --entity-name flyscreen.journal.in --add-config retention.ms=-1",
        "in.dlq has max.message.bytes=1114124, less than in (3000000), whose records may come to it: change it by "
          + "kafka-configs --alter --entity-type topics --entity-name in.dlq --add-config max.message.bytes=3065536",
      ])
  }

  @Test func anyTimestampsMayBeAllowed() {
    var topics = topics
    topics.timestamps = .any
    var there = asMade
    there["in"] = existing(4, ["message.timestamp.type": "CreateTime"])
    #expect(TopicPlan(topics, existing: there).differences.isEmpty)
  }
}

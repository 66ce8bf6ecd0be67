import Kafka
import Recovery
import Settings
import Testing
import Wire
import Worker

/// How far a group's workers have come, by what they wrote. Logs that were read before tell their ends late.
struct ReachedSearchTests {
  private let world = SimulatedWorld(partitions: [1])
  private let input = TopicPartition("in", 0)
  private let process: SimulatedProcess

  init() {
    let plan = world.plan(isNamed: true, begin: .beginning, LogSettings())
    process = SimulatedProcess(world, number: 0, id: 0, isNamed: true, plan: plan, seed: 1)
  }

  private var helpers: HelperTopics { world.topics.helpers }
  private var changelog: TopicPartition { TopicPartition(helpers.changelog(of: input.topic), 0) }
  private var journal: TopicPartition { TopicPartition(helpers.journal(of: input.topic), 0) }

  /// - Parameter group: Nil: this one, as older versions wrote it, without a name.
  private func append(_ value: [UInt8], key: String? = nil, to log: TopicPartition, of group: String? = nil) {
    world.kafka.append(
      SimulatedKafka.Entry(
        key: key.map { Array($0.utf8) }, value: value, timestampMs: 0,
        headers: group.map { [(HelperTopics.groupHeader, Array($0.utf8))] } ?? [], status: .plain), to: log)
  }

  private func appendSavepoint(_ offset: Int64, journalFrom: Int64 = 0, of group: String? = nil) {
    var metadata = CommitMetadata.nothing(before: offset, partitions: 1)
    metadata.restorePoint.journalFrom = journalFrom
    append(Array(Savepoint(offset: offset, metadata: metadata).text.utf8), to: changelog, of: group)
  }

  private func appendRoom(_ offset: Int64, of group: String? = nil) {
    let room = "r"
    var value: [UInt8] = []
    Array(room.utf8).withUnsafeBytes { RoomRecord.write(.whole, offset: offset, of: $0, into: &value) { _ in } }
    append(value, key: room, to: changelog, of: group)
  }

  private func appendLine(_ offset: Int64, of group: String? = nil) {
    append(Array(JournalLine(offset: offset, what: .firedTo(1)).json.utf8), to: journal, of: group)
  }

  private func reached() throws -> Int64? {
    let clients = SimulatedClients(process)
    var search = ReachedSearch(SimulatedReader(clients), helpers)
    return try search.offset(in: input)
  }

  @Test func nothingTellsOfAGroupThatWroteNothing() throws {
    #expect(try reached() == nil)
    appendSavepoint(500, of: "another")
    appendLine(600, of: "another")
    #expect(try reached() == nil)
  }

  @Test func anotherGroupsProgressTellsNothing() throws {
    appendSavepoint(100)
    appendLine(90, of: helpers.group)
    appendSavepoint(500, of: "another")
    appendRoom(600, of: "another")
    appendLine(700, of: "another")
    #expect(try reached() == 100)
  }

  /// It may be of an earlier life of the group, which was set back on purpose.
  @Test func whatLiesBeforeTheNewestSavepointTellsNothing() throws {
    for offset in 0..<3 { appendLine(900 + Int64(offset)) }
    appendSavepoint(1000)
    appendRoom(950)
    appendSavepoint(100, journalFrom: 3)
    #expect(try reached() == 100)
    appendRoom(120)
    #expect(try reached() == 120)
    // More of them than come at once.
    for offset in 0..<40 { appendLine(101 + Int64(offset)) }
    #expect(try reached() == 140)
  }
}

import Kafka
import Recovery
import RoomEngine
import Settings
import Testing
import Wire
import Worker

@Suite struct PartitionTaskTests {
  /// One that only changed the settings once looked like the one before it to a member that had kept the partition's
  /// rooms, which then went on under its own settings.
  @Test func noTwoCommitsAreAlike() throws {
    var scratch = TaskScratch()
    var outbox = Outbox()
    let task = try PartitionTask.new(before: 5, scratch: &scratch)
    let first = task.prepareCommit("a#1", nowMs: 0, scratch: &scratch, to: &outbox)
    var settings = LogSettings()
    settings.engine.gift.lanes = 3
    task.adopt(settings, to: &outbox)
    let second = task.prepareCommit("b#1", nowMs: 0, scratch: &scratch, to: &outbox)
    #expect(first.offset == second.offset)
    #expect(first.metadata.text != second.metadata.text)
  }
}

extension PartitionTask {
  /// The task of a partition of which nothing is known.
  static func new(before offset: Int64, scratch: inout TaskScratch) throws -> PartitionTask {
    let recovery = PartitionRecovery(
      of: "in/0", from: .nothing(before: offset, LogSettings()), to: offset, firstOffset: offset, checkpointMs: 500,
      hashSeed: 1)
    _ = try recovery.logsRead(journalEnd: 0, changelogEnd: 0, nowMs: 0)
    return PartitionTask(
      TopicPartition("in", 0), topic: 0, rooms: recovery.finish(batch: &scratch.batch),
      layout: TopicLayout(
        input: ["in"], inputPartitions: ["in": 3], commandPartitions: 2, resultPartitions: 2, format: .json))
  }
}

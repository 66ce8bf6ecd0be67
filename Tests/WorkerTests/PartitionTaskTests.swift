import Kafka
import Recovery
import RoomEngine
import Settings
import Testing
import Worker

@Suite struct PartitionTaskTests {
  /// One that only changed the settings once looked like the one before it to a member that had kept the partition's
  /// rooms, which then went on under its own settings.
  @Test func noTwoCommitsAreAlike() {
    var bench = Workbench()
    let task = PartitionTask(
      TopicPartition("in", 0), topic: 0, offset: 5, metadata: nil, firstOffset: 5, layout: SimulatedWorker.layout,
      checkpointMs: 500, hashSeed: 1)
    let first = task.prepareCommit("a#1", nowMs: 0, bench: &bench)
    var settings = LogSettings()
    settings.engine.gift.lanes = 3
    task.adopt(settings, bench: &bench)
    let second = task.prepareCommit("b#1", nowMs: 0, bench: &bench)
    #expect(first.offset == second.offset)
    #expect(first.metadata.text != second.metadata.text)
  }
}

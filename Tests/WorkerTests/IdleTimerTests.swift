import JSON
import Kafka
import Recovery
import Settings
import Testing
import Worker

/// Timers of a log that has been read to its end (STAGES.md, section 1).
@Suite struct IdleTimerTests {
  @Test func timersFireByTheWallClockOnlyAtTheEndOfTheLogAndPastTheGrace() throws {
    var scratch = TaskScratch()
    var outbox = Outbox()
    let task = try PartitionTask.new(before: 0, scratch: &scratch)
    var settings = LogSettings()
    settings.graceMs = 250
    task.adopt(settings, to: &outbox)
    let gift = #"{"roomId":"r","gift":{"sender":{"userId":"u"},"giftId":"g","count":1}}"#
    let bytes = SimulatedRecord(
      PartitionKey(topic: 0, partition: 0), 7,
      .init(key: Array("r".utf8), value: Array(gift.utf8), timestampMs: 1_000_000, status: .plain))
    defer { bytes.free() }
    let record = InputRecord(
      offset: bytes.offset, timestampMs: bytes.timestampMs, key: bytes.key, value: bytes.value, contentType: nil)
    let reason = task.process(record, scratch: &scratch, to: &outbox)
    #expect(reason == nil)
    let deadline = task.nextDeadline
    #expect(deadline > 1_000_000 && deadline < .max)
    outbox.removeAll()

    func fires(at nowMs: Int64) -> Bool {
      task.fireIdleTimers(nowMs: nowMs, scratch: &scratch, to: &outbox)
      return !outbox.isEmpty
    }
    #expect(!fires(at: .max / 2), "its end is not known")
    task.reachedEnd(at: 7)
    #expect(!fires(at: .max / 2), "that was before the last record")
    task.reachedEnd(at: 8)
    #expect(!fires(at: deadline + 249))
    #expect(fires(at: deadline + 250))
    #expect(task.clock == deadline, "it moves to the deadline and no further")
    let entries = outbox.entries
    var document = JSONDocument()
    let last = try #require(entries.last)
    let line = try outbox.value(of: last).map { try JournalLine(json: $0, with: &document) }
    #expect(last.target == .journal)
    #expect(line == JournalLine(offset: 8, what: .firedTo(deadline)))
  }
}

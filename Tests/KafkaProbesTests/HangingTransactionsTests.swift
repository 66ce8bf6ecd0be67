import Kafka
import KafkaProbes
import Probes
import Testing

/// The time after which a transaction is said to hang.
struct HangingTransactionsTests {
  private static let place = TopicPartition("t", 0)

  private let hanging = HangingTransactions(Metrics(), topics: ["t"])

  private func look(atMs nowMs: Int64) -> Bool {
    hanging.note(
      [Self.place: PartitionEnds(readable: 5, end: 9)], nowMs: nowMs, TransactionTool(servers: "b:9092"),
      Log { _ in })
    return hanging.standing[Self.place] != nil
  }

  @Test func aReadableEndThatWasSeenToStandForHalfAMinuteHangs() {
    #expect(!look(atMs: 0))
    #expect(!look(atMs: 29_999))
    #expect(look(atMs: 30_000))
  }

  @Test func anOutageIsNoTimeInWhichItHangs() {
    #expect(!look(atMs: 0))
    hanging.forget(topic: "t", nowMs: 6000)
    #expect(!look(atMs: 45_000), "nobody could end it meanwhile")
    #expect(hanging.known == [:])
    #expect(look(atMs: 75_000))
    #expect(hanging.known == [Self.place: 5])
    hanging.forget(topic: "other", nowMs: 76_000)
    #expect(look(atMs: 77_000))
    hanging.forget(topic: "t", nowMs: 78_000)
    #expect(!look(atMs: 79_000))
    #expect(hanging.known == [Self.place: 5], "that it hung there is not forgotten")
  }
}

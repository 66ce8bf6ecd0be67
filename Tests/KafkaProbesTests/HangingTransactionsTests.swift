import Kafka
import KafkaProbes
import Probes
import Synchronization
import Testing

/// The time after which a transaction is said to hang.
struct HangingTransactionsTests {
  private static let place = TopicPartition("t", 0)

  private let hanging = HangingTransactions(Metrics(), topics: ["t"])
  private let lines = Lines()

  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  private func look(atMs nowMs: Int64, readable: Int64 = 5) -> Bool {
    hanging.note(
      [Self.place: PartitionEnds(readable: readable, end: 9)], nowMs: nowMs, TransactionTool(servers: "b:9092"),
      Log { [lines] line in lines.all.withLock { $0.append(String(decoding: line, as: UTF8.self)) } })
    return hanging.standing[Self.place] != nil
  }

  private var endsTold: Int { lines.all.withLock { $0.count { $0.contains("the last stable offset moves again") } } }

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
    #expect(hanging.standing == [:], "nobody tells of it")
    #expect(look(atMs: 79_000), "it hung there before the outage, and still does")
    hanging.forget(topic: "t", nowMs: 80_000)
    #expect(!look(atMs: 81_000, readable: 7), "another one may be open there")
    #expect(hanging.known == [:])
  }

  @Test func itsEndIsToldOnceAlsoAfterALookWithoutAnAnswer() {
    _ = look(atMs: 0)
    #expect(look(atMs: 30_000))
    hanging.forget(topic: "t", nowMs: 31_000)
    #expect(!look(atMs: 32_000, readable: 3))
    #expect(endsTold == 0, "a leader that comes up tells of less than it has")
    #expect(!look(atMs: 33_000, readable: 9))
    #expect(!look(atMs: 34_000, readable: 9))
    #expect(endsTold == 1)
    #expect(hanging.known == [:])
  }
}

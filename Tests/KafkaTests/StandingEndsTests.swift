import Kafka
import Testing

/// Partitions in which a transaction hangs.
struct StandingEndsTests {
  private static let place = TopicPartition("t", 3)

  private func standing(after looks: [(readable: Int64, end: Int64)?]) -> Bool {
    var ends = StandingEnds(limitMs: 30)
    var nowMs: Int64 = 0
    for look in looks {
      nowMs += 10
      if let look {
        ends.note(PartitionEnds(readable: look.readable, end: look.end), of: Self.place, nowMs: nowMs)
      } else {
        ends.forget(Self.place)
      }
    }
    return ends.standing(nowMs: nowMs)[Self.place] != nil
  }

  @Test func aReadableEndThatStandsBelowTheEndForTheLimitIsTold() {
    #expect(!standing(after: [(5, 9), (5, 9), (5, 9)]))
    #expect(standing(after: [(5, 9), (5, 9), (5, 9), (5, 9)]))
    #expect(standing(after: [(5, 9), (5, 10), (5, 30), (5, 31)]), "it stands, whatever comes behind it")
  }

  @Test func oneThatMovesOrIsAtTheEndIsNot() {
    #expect(!standing(after: [(5, 9), (6, 9), (7, 9), (8, 9), (9, 10)]))
    #expect(!standing(after: [(5, 9), (5, 9), (5, 9), (9, 9)]))
    #expect(!standing(after: [(9, 9), (9, 9), (9, 9), (9, 9), (9, 10)]), "below the end only since the last look")
  }

  @Test func whatNobodyToldOfBeginsAnew() {
    #expect(!standing(after: [(5, 9), (5, 9), nil, (5, 9), (5, 9)]))
  }

  /// The hash is Java's: a is 97, ab 97 · 31 + 98, and polygenelubricants is known for the least integer there is.
  @Test func aGroupsOffsetsAreWhereItsCoordinatorPutsThem() {
    #expect(OffsetsTopic.partition(of: "polygenelubricants", count: 50) == 0)
    #expect(OffsetsTopic.partition(of: "a", count: 50) == 97 % 50)
    #expect(OffsetsTopic.partition(of: "ab", count: 7) == Int32((97 * 31 + 98) % 7))
  }
}

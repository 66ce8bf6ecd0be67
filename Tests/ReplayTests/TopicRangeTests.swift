import Kafka
import Replay
import RoomModel
import Settings
import Testing

/// Places in a topic, as people name them, and the records that they mean.
struct TopicRangeTests {
  private static let start: LogTime = 1_700_000_000_000

  private let logs: ArrayLogs

  /// Five gifts, ten seconds apart, and a commit after each.
  init() throws {
    let partition = try WorkedPartition(LogSettings(), checkpointMs: 60_000)
    for number in 0..<5 {
      let now = Self.start + Int64(number) * 10_000
      let value = #"{"roomId":"r1","gift":{"sender":{"userId":"\#(number)"},"giftId":"rose"}}"#
      _ = partition.take(value, room: "r1", at: now)
      partition.commit("c\(number)", at: now)
    }
    logs = partition.logs
  }

  private func range(_ from: LogPlace, _ to: LogPlace, of logs: ArrayLogs? = nil) throws -> PartitionRange {
    try TopicRange(WorkedPartition.input, logs ?? self.logs).partitions(0, from: from, to: to, isExact: false)[0]
  }

  /// The offset of each gift: ends of transactions have offsets, too.
  private func offset(ofGift number: Int) -> Int64 {
    let entries = logs.topics[WorkedPartition.input]![0].entries
    return Int64(entries.indices.filter { !entries[$0].isMarker }[number])
  }

  @Test func aTimeIsTheFirstRecordOfThatTimeOrLater() throws {
    for (ms, number) in [(-1, 0), (0, 0), (1, 1), (10_000, 1), (40_000, 4)] as [(Int64, Int)] {
      #expect(try range(.time(Self.start + ms), .end).offsets.lowerBound == offset(ofGift: number), "\(ms)")
    }
    let end = logs.end(of: WorkedPartition.input)
    #expect(try range(.beginning, .time(Self.start + 40_001)).offsets.upperBound == end, "none is later")
  }

  @Test func aRecordOfJustThatTimeIsAmongThoseUpToIt() throws {
    let topic = try TopicRange(WorkedPartition.input, logs)
    for (ms, number) in [(0, 0), (9999, 0), (10_000, 1), (39_999, 3)] as [(Int64, Int)] {
      let range = try topic.partition(0, at: Self.start + ms, lookback: 100, isExact: false)
      let last = offset(ofGift: number)
      #expect(range?.offsets.contains(last) == true, "\(ms)")
      #expect(range?.offsets.contains(offset(ofGift: number + 1)) == false, "\(ms)")
    }
  }

  @Test func recordsThatAreGoneAreToldWhereAnEarlierTimeIsAskedFor() throws {
    let cut = logs.cut([WorkedPartition.input: offset(ofGift: 2)])
    let first = Self.start + 20_000
    #expect(try range(.time(first - 1), .end, of: cut).beginsLate == first)
    #expect(try range(.time(first), .end, of: cut).beginsLate == nil)
    #expect(try range(.beginning, .end, of: cut).beginsLate == nil)
    #expect(try range(.time(Self.start - 1), .end).beginsLate == nil, "nothing is gone")
  }
}

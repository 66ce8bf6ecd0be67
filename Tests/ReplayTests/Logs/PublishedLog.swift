import Replay
import RoomModel
import Settings
import TestSupport
import Wire

/// A random log of gifts, wishes, rains and grabs in three rooms, with all that a worker writes beside it. A test
/// decides where its published records lie.
final class PublishedLog {
  static let rooms = ["r1", "r2", "r3"]
  private static let outputPartitions = 2

  let count: Int64
  private(set) var published: [WorkedPartition.Published] = []
  private let partition: WorkedPartition
  private var random: SplitMix64

  var logs: ArrayLogs { partition.logs }

  init(seed: UInt64, count: Int64 = 240) throws {
    self.count = count
    random = SplitMix64(seed: seed)
    partition = try WorkedPartition(LogSettings(), checkpointMs: 500, outputPartitions: Self.outputPartitions)
    var time: LogTime = 1_700_000_000_000
    for offset in 0..<count {
      time += random.number(0...random.one(of: [20, 900]))
      take(offset, at: time)
      if random.once(in: 8) {
        published += partition.fireTimers(through: time + random.number(0...3000), at: time) ?? []
      }
      if random.once(in: 3) { partition.commit("c\(offset)", at: time) }
    }
  }

  func ranges(from: LogPlace = .beginning) throws -> [PartitionRange] {
    try TopicRange(WorkedPartition.input, logs).partitions(nil, from: from, to: .end)
  }

  /// Publishes these, and nothing else.
  func publish(_ published: [WorkedPartition.Published]) {
    for topic in [WorkedPartition.commands, WorkedPartition.results] {
      logs.make(topic, partitions: Self.outputPartitions)
    }
    for one in published { partition.publish(one) }
  }

  /// The same in topics that got more partitions before the `index`-th.
  func publish(_ published: [WorkedPartition.Published], growingAt index: Int) {
    let count = Self.outputPartitions + 1
    for topic in [WorkedPartition.commands, WorkedPartition.results] { logs.make(topic, partitions: count) }
    for (number, one) in published.enumerated() {
      var one = one
      if number >= index {
        one.partition = one.record.key!.withUnsafeBytes { Int(Murmur2.partition(key: $0, partitions: Int32(count))) }
      }
      partition.publish(one)
    }
  }

  /// The index from which on the half of the log is published that comes later.
  var middle: Int { published.firstIndex { $0.recordOffset >= count / 2 }! }

  private func take(_ offset: Int64, at time: LogTime) {
    let room = random.one(of: Self.rooms)
    let user = "\(random.number(0...3))"
    let body =
      switch random.number(0...9) {
      case 0: #""wish":{"sender":{"userId":"\#(user)"},"text":"hi","wishId":"w\#(offset)"}"#
      case 1: #""rainStart":{"rainId":"\#(room)-\#(offset / 40)","durationMs":9000,"perSecond":9,"budget":1000}"#
      case 2...4:
        #""rainGrab":{"rainId":"\#(room)-\#(offset / 40)","packet":\#(random.number(0...5)),"userId":"\#(user)"}"#
      default:
        #""gift":{"sender":{"userId":"\#(user)"},"giftId":"g\#(random.number(0...2))","count":\#(random.number(1...9))}"#
      }
    published += partition.take(#"{"eventId":"e\#(offset)","roomId":"\#(room)",\#(body)}"#, room: room, at: time)
  }
}

import JSON
import Kafka
import Recovery
import RoomModel
import Settings
import Simulation
import Wire
import Worker

/// A worker's own part of each record, on one core: from the bytes that Kafka gave to those of its commands, which
/// nobody sends.
enum RecordBenchmark {
  private static let partitions: Int32 = 4
  private static let blockCount = 1024

  /// A record, and where its value lies among the bytes of its block.
  private struct Place {
    var log: Int
    var offset: Int64
    var atMs: LogTime
    var key: Text
    var value: Range<Int>
  }

  /// Of the paces only that which `--pace` names, if it does: so what counts instructions counts those of one. With
  /// `--goals 1` a goal runs in each room.
  static func run(_ options: Options) throws {
    let count = try options.integer("count") ?? 1_000_000
    for pace in Backlog.Pace.allCases where options["pace"] ?? pace.rawValue == pace.rawValue {
      _ = run(pace, count: count, goals: try options.integer("goals") != nil)
    }
  }

  /// An evening with a goal in each room beside one without any, by turns.
  static func compareGoals(_ options: Options) throws {
    let count = try options.integer("count") ?? 300_000
    var more: [Int64] = []
    for _ in 0..<(try options.integer("times") ?? 9) {
      let without = run(.evening, count: count, goals: false)
      more.append((run(.evening, count: count, goals: true) - without) / Int64(count))
    }
    more.sort()
    Report.line("a goal, a gift", ("ns", "\(more[more.count / 2])"), ("range", "\(more[0]) to \(more[more.count - 1])"))
  }

  /// - Returns: The CPU time of all records, in nanoseconds.
  private static func run(_ pace: Backlog.Pace, count: Int, goals: Bool) -> Int64 {
    // The pace is that of all of the backlog, however much of it is worked off.
    var backlog = Backlog(count: max(count, 2_000_000), pace: pace)
    let encoder = EventEncoder(format: .json)
    var scratch = TaskScratch()
    var outbox = Outbox()
    let tasks = (0..<partitions).map { task(of: $0, scratch: &scratch) }
    var offsets = [Int64](repeating: 0, count: tasks.count)
    var values = ByteBuffer()
    var block: [Place] = []
    var output = Output()
    var nanoseconds: Int64 = 0
    if goals {
      for room in 0..<Backlog.rooms {
        begin(goalIn: "room-\(room)", tasks, &offsets, scratch: &scratch, outbox: &outbox)
      }
      outbox.removeAll()
    }
    while backlog.made < count {
      // Neither making the records nor looking at what came of them is measured.
      block.removeAll(keepingCapacity: true)
      values.removeAll()
      backlog.forget()
      while block.count < min(blockCount, count), backlog.made < count, let (atMs, event) = backlog.next() {
        let log = Int(Murmur2.partition(key: event.roomId.bytes, partitions: partitions))
        let start = values.count
        encoder.encode(event, into: &values)
        block.append(
          Place(log: log, offset: offsets[log], atMs: atMs, key: event.roomId, value: start..<values.count))
        offsets[log] += 1
      }
      nanoseconds += measured {
        for place in block {
          let record = InputRecord(
            offset: place.offset, timestampMs: place.atMs, key: place.key.bytes,
            value: UnsafeRawBufferPointer(start: values.base + place.value.lowerBound, count: place.value.count),
            contentType: nil)
          if let reason = tasks[place.log].process(record, scratch: &scratch, to: &outbox) {
            fatalError("the backlog can't be read: \(reason.description)")
          }
        }
      }
      output.add(outbox)
      outbox.removeAll()
    }
    Report.line(
      "record \(pace.rawValue)\(goals ? ", goals" : "")", ("ns", Report.each(nanoseconds, count)),
      ("records/s", Report.perSecond(count, nanoseconds: nanoseconds)),
      ("commands/record", "\(Double(output.records * 1000 / count) / 1000)"),
      ("bytes/record", "\(output.bytes / count)"), ("hash", String(output.hash, radix: 16)))
    return nanoseconds
  }

  /// A goal that counts all gifts and outlasts them.
  private static func begin(
    goalIn room: String, _ tasks: [PartitionTask], _ offsets: inout [Int64], scratch: inout TaskScratch,
    outbox: inout Outbox
  ) {
    let goal = #"{"eventId":"goal","roomId":"\#(room)","goal":{"goalId":"goal","durationMs":21600000}}"#
    Array(room.utf8).withUnsafeBytes { key in
      Array(goal.utf8).withUnsafeBytes { value in
        let log = Int(Murmur2.partition(key: key, partitions: partitions))
        let record = InputRecord(
          offset: offsets[log], timestampMs: Backlog.startMs, key: key, value: value, contentType: nil)
        offsets[log] += 1
        if let reason = tasks[log].process(record, scratch: &scratch, to: &outbox) {
          fatalError("the goal can't be read: \(reason.description)")
        }
      }
    }
  }

  private static func task(of partition: Int32, scratch: inout TaskScratch) -> PartitionTask {
    let recovery = PartitionRecovery(
      of: "in/\(partition)", from: .nothing(before: 0, LogSettings()), to: 0, firstOffset: 0, checkpointMs: 500,
      hashSeed: 1)
    do { _ = try recovery.logsRead(journalEnd: 0, changelogEnd: 0, nowMs: 0) } catch {
      fatalError("nothing can't be restored: \(error)")
    }
    return PartitionTask(
      TopicPartition("in", partition), topic: 0, rooms: recovery.finish(batch: &scratch.batch),
      layout: TopicLayout(
        input: ["in"], inputPartitions: ["in": partitions], commandPartitions: partitions,
        resultPartitions: partitions, format: .json))
  }

  /// The sum of what came out, and a hash of its bytes, which must never depend on how fast they were written.
  private struct Output {
    var records = 0
    var bytes = 0
    var hash: UInt64 = 0

    mutating func add(_ outbox: borrowing Outbox) {
      for entry in outbox.entries {
        records += 1
        // In whatever order: between rooms there is none.
        var one = UInt64(bitPattern: Int64(entry.partition))
        for part in [outbox.key(of: entry), outbox.value(of: entry)] {
          guard let part else { continue }
          bytes += part.count
          for byte in part { one = (one ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        hash &+= one &* 0x9E37_79B9_7F4A_7C15
      }
    }
  }
}

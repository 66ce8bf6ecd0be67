import RoomEngine
import RoomModel
import Simulation
import Wire

/// The engine alone, on one core: the backlog's events, understood already, to commands that nobody writes.
enum EngineBenchmark {
  private static let partitions: Int32 = 4
  private static let blockCount = 8192

  private struct Record {
    var log: Int
    var offset: Int64
    var atMs: LogTime
    var event: RoomEvent
  }

  static func run(count: Int?) {
    for pace in Backlog.Pace.allCases { run(pace, count: count ?? 2_000_000) }
  }

  private static func run(_ pace: Backlog.Pace, count: Int) {
    // The pace is that of all of the backlog, however much of it is worked off.
    var backlog = Backlog(count: max(count, 2_000_000), pace: pace)
    var engine = Engine(partitions: Int(partitions))
    var offsets = [Int64](repeating: 0, count: Int(partitions))
    let before = residentBytes()
    var nanoseconds: Int64 = 0
    var block: [Record] = []
    while backlog.made < count {
      // Making events is not measured: it is no part of the engine.
      block.removeAll(keepingCapacity: true)
      backlog.forget()
      while block.count < min(blockCount, count), backlog.made < count, let (atMs, event) = backlog.next() {
        let log = Int(Murmur2.partition(key: event.roomId.bytes, partitions: partitions))
        block.append(Record(log: log, offset: offsets[log], atMs: atMs, event: event))
        offsets[log] += 1
      }
      nanoseconds += measured {
        for record in block { engine.apply(record) }
        engine.empty()
      }
    }
    Report.line(
      "engine \(pace.rawValue)", ("ns", Report.each(nanoseconds, count)),
      ("events/s", Report.perSecond(count, nanoseconds: nanoseconds)),
      ("commands/event", "\(Double(engine.commands * 1000 / count) / 1000)"),
      ("MB", Report.grouped((residentBytes() - before) / 1_000_000)), ("hash", String(engine.hash, radix: 16)))
  }

  /// The logs of all partitions, and a hash of what they gave, which must never depend on how fast it was.
  private struct Engine: ~Copyable {
    private let logs: UnsafeMutableBufferPointer<PartitionLog>
    private var batch = CommandBatch()
    private(set) var commands = 0
    private(set) var hash: UInt64 = 0

    init(partitions: Int) {
      logs = .allocate(capacity: partitions)
      for log in 0..<partitions {
        (logs.baseAddress! + log).initialize(
          to: PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0"))
      }
    }

    deinit {
      logs.deinitialize()
      logs.deallocate()
    }

    @inline(__always) mutating func apply(_ record: Record) {
      // A copy, since with a sanitizer reading it is an access to all of this, also while the batch is written.
      let logs = logs
      _ = logs[record.log].apply(
        offset: record.offset, timestampMs: record.atMs, event: record.event, into: &batch)
      if batch.commands.count >= 1000 { empty() }
    }

    mutating func empty() {
      commands += batch.commands.count
      for command in batch.commands {
        // In whatever order: between rooms there is none.
        hash &+= UInt64(bitPattern: command.atMs ^ command.recordOffset << 20 ^ command.place) &* 0x9E37_79B9_7F4A_7C15
      }
      batch.removeAll()
    }
  }
}

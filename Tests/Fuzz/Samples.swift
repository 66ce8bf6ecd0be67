import JSON
import RoomEngine
import RoomModel
import TestSupport
import Wire

/// Samples of what the program itself reads and writes.
enum Samples {
  static func bytes(_ write: (inout ByteBuffer) -> Void) -> [UInt8] {
    var buffer = ByteBuffer()
    write(&buffer)
    return Array(buffer.bytes)
  }

  static func json(_ event: RoomEvent) -> [UInt8] { bytes { EventEncoder(format: .json).encode(event, into: &$0) } }

  /// One of each kind and some more, all of room r1.
  nonisolated(unsafe) static let events: [RoomEvent] = [
    .gift("7", count: 3, value: 10, to: "host", id: "e1"), .gift("7", count: 5, streak: "s", id: "e2"),
    .wish("8", "w1", "生日快乐", id: "e3"), .like("9", "w1"), .tap("7", id: "e5"), .tap("7"),
    .rain("a", durationMs: 1000, perSecond: 10, prizes: [5, 0, 7]), .rain("b", durationMs: 0, countdown: 3),
    .grab("7", "a", 0, id: "e6"),
  ]

  /// A log that all of them came in, a quarter of a second apart.
  static func withLog(_ body: (borrowing PartitionLog, borrowing CommandBatch) -> Void) {
    var batch = CommandBatch()
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    for (offset, event) in zip(Int64(0)..., events + events) {
      _ = log.apply(offset: offset, timestampMs: clock + offset * 250, event: event, into: &batch)
    }
    body(log, batch)
  }

  static var clock: LogTime { 1_700_000_000_000 }

  static func commands(_ format: Format) -> [[UInt8]] {
    let encoder = CommandEncoder(topic: "im.gifts", partition: 0, format: format)
    var kinds: Set<RoomCommand.Body.Kind> = []
    var samples: [[UInt8]] = []
    withLog { _, batch in
      for command in batch.commands where kinds.insert(command.body.kind).inserted {
        samples.append(bytes { encoder.encode(command, into: &$0) })
      }
    }
    return samples
  }

  static func results(_ format: Format) -> [[UInt8]] {
    let encoder = CommandEncoder(topic: "im.gifts", partition: 0, format: format)
    var samples: [[UInt8]] = []
    withLog { _, batch in samples = batch.results.map { result in bytes { encoder.encode(result, into: &$0) } } }
    return samples
  }

  /// The rooms' states, of a log with a little of everything.
  static var states: [[UInt8]] {
    var samples: [[UInt8]] = []
    withLog { log, _ in
      log.forEachRoom { room in
        var state: [UInt8] = []
        log.writeState(of: room, into: &state)
        samples.append(state)
      }
    }
    for seed in 1...6 as ClosedRange<UInt64> {
      let random = RandomLog(seed: seed, count: 60, changesSettings: false)
      var batch = CommandBatch()
      var log = PartitionLog(settings: random.settings, hashSeed: 1, keepsChanges: false, log: "in/0")
      for input in random.inputs.dropLast() { log.take(input, into: &batch) }
      log.forEachRoom { room in
        var state: [UInt8] = []
        log.writeState(of: room, into: &state)
        if state.count < 2000 { samples.append(state) }
      }
    }
    return samples
  }
}

import Glibc
import JSON
import Kafka
import RoomModel
import Simulation
import Wire

/// Makes a topic and writes the backlog to it: as a flood at once, with the broker's times; as an evening with times of
/// its own; as quiet rooms, each with a few gifts, that ended a while ago.
enum BacklogFill {
  private static let quiet = "quiet"
  /// A span of log time after which what was on a screen is gone, and ids are forgotten.
  private static let quietSinceMs: LogTime = 90_000
  /// The rooms that get a last gift each, which makes time pass in every partition.
  private static let lastGifts = 64

  static func run(_ options: Options) throws {
    let word = options["pace"] ?? "flood"
    let count = try options.integer("count") ?? (word == quiet ? 100_000 : 2_000_000)
    let name = options["topic"] ?? "bench.\(word)"
    let start = Broker.nowMs()
    let events: Int
    if word == quiet {
      events = try fill(name, quietRooms: count)
    } else if let pace = Backlog.Pace(rawValue: word) {
      events = try fill(name, count, pace)
    } else {
      throw Refusal("--pace is flood, evening or \(quiet)")
    }
    Report.line("fill \(word)", ("events", "\(events)"), ("ms", "\(Broker.nowMs() - start)"))
  }

  private static func fill(_ name: String, _ count: Int, _ pace: Backlog.Pace) throws -> Int {
    let target = try FilledTopic(name, keepsTimes: pace == .evening)
    // Past, so that what is left on the lanes at its end is over, and young enough for the topic's retention.
    var backlog = Backlog(count: count, pace: pace, startMs: Broker.nowMs() - pace.spanMs - 600_000)
    while let (atMs, event) = backlog.next() {
      try target.send(event, atMs: atMs)
      if backlog.made % 1000 == 0 { backlog.forget() }
    }
    try target.flush()
    return count
  }

  private static func fill(_ name: String, quietRooms count: Int) throws -> Int {
    let target = try FilledTopic(name, keepsTimes: true)
    let nowMs = Broker.nowMs()
    var rooms = QuietRooms(count: count, startMs: nowMs - quietSinceMs - LogTime(count) * QuietRooms.everyMs)
    while let (atMs, event) = rooms.next() { try target.send(event, atMs: atMs) }
    for number in 0..<lastGifts { try target.send(rooms.last(number), atMs: nowMs) }
    try target.flush()
    return count * QuietRooms.giftsEach + lastGifts
  }
}

/// A topic that is made to be filled with events.
final class FilledTopic {
  private let producer: Producer
  private let topic: OutputTopic
  private let keepsTimes: Bool
  private let encoder = EventEncoder(format: .json)
  private var buffer = ByteBuffer()
  private var sent = 0

  /// - Parameter keepsTimes: Records have the times that they are sent with, not the broker's.
  init(_ name: String, keepsTimes: Bool) throws {
    let admin = try Admin(properties: try Broker.properties(), clientId: "bench-admin", log: { _ in })
    let times = keepsTimes ? "CreateTime" : "LogAppendTime"
    _ = try admin.createTopics(
      [.init(name, partitions: 4, settings: ["message.timestamp.type": times])], timeoutMs: 10_000)
    producer = try Producer(properties: try Broker.properties(), clientId: "bench-fill", log: { _ in })
    topic = try producer.topic(name, timeoutMs: 10_000)
    self.keepsTimes = keepsTimes
  }

  func send(_ event: RoomEvent, atMs: Int64) throws {
    buffer.removeAll()
    encoder.encode(event, into: &buffer)
    try topic.produce(
      Murmur2.partition(key: event.roomId.bytes, partitions: Int32(topic.partitionCount)), key: event.roomId.bytes,
      value: buffer.bytes, timestampMs: keepsTimes ? atMs : nil)
    sent += 1
    if sent % 1000 == 0 { producer.serve() }
  }

  func flush() throws { try producer.flush(timeoutMs: 120_000) }
}

/// The broker of benchmarks.
enum Broker {
  static func properties(_ more: [String: String] = [:]) throws -> KafkaProperties {
    guard let servers = getenv("BENCH_BOOTSTRAP").map({ String(cString: $0) }) else {
      throw Refusal("BENCH_BOOTSTRAP has to name a broker, as 127.0.0.1:9092")
    }
    return try KafkaProperties(more.merging(["bootstrap.servers": servers]) { $1 })
  }

  static func nowMs() -> Int64 { nowMicroseconds() / 1000 }

  static func nowMicroseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}

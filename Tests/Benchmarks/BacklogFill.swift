import Glibc
import Kafka
import RoomModel
import Simulation
import Wire

/// Makes a topic and writes the backlog to it: as a flood at once, with the broker's times; as an evening with times of
/// its own.
enum BacklogFill {
  static func run(_ options: Options) throws {
    let count = try options.integer("count") ?? 2_000_000
    guard let pace = Backlog.Pace(rawValue: options["pace"] ?? "flood") else {
      throw Refusal("--pace is flood or evening")
    }
    let producer = try Producer(properties: try Broker.properties(), clientId: "bench-fill", log: { _ in })
    let name = options["topic"] ?? "bench.\(pace.rawValue)"
    try makeTopic(name, pace)
    let topic = try producer.topic(name, timeoutMs: 10_000)
    // Past, so that what is left on the lanes at its end is over, and young enough for the topic's retention.
    var backlog = Backlog(count: count, pace: pace, startMs: Broker.nowMs() - pace.spanMs - 600_000)
    let encoder = EventEncoder(format: .json)
    var buffer = ByteBuffer()
    let start = Broker.nowMs()
    while let (atMs, event) = backlog.next() {
      buffer.removeAll()
      encoder.encode(event, into: &buffer)
      try topic.produce(
        Murmur2.partition(key: event.roomId.bytes, partitions: Int32(topic.partitionCount)), key: event.roomId.bytes,
        value: buffer.bytes, timestampMs: pace == .evening ? atMs : nil)
      if backlog.made % 1000 == 0 {
        backlog.forget()
        producer.serve()
      }
    }
    try producer.flush(timeoutMs: 120_000)
    Report.line("fill \(pace.rawValue)", ("events", "\(count)"), ("ms", "\(Broker.nowMs() - start)"))
  }

  private static func makeTopic(_ name: String, _ pace: Backlog.Pace) throws {
    let admin = try Admin(properties: try Broker.properties(), clientId: "bench-admin", log: { _ in })
    let times = pace == .flood ? "LogAppendTime" : "CreateTime"
    _ = try admin.createTopics(
      [.init(name, partitions: 4, settings: ["message.timestamp.type": times])], timeoutMs: 10_000)
  }
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

import Foundation
import JSON
import Kafka
import RoomModel
import Simulation
import Synchronization
import Wire

/// The time that a gift takes at a steady rate, from the broker's append to a reader of committed commands.
///
/// Each gift is the first of its combo in a room with a free lane, so that it is shown as soon as it is applied:
/// its `giftShow` has it in its ids, and its append time as `atMs`. That time is cut to milliseconds, so the figures
/// here are half a millisecond too long on average.
enum LatencyBenchmark {
  /// A room has two lanes, and a single gift is on its lane for about two seconds.
  fileprivate static func rooms(at rate: Int) -> Int { max(4000, 2 * rate) }
  /// The time in which connections are made and code is warmed up: the first of the seconds, of which nothing is told.
  private static let warmUpMs: Int64 = 3000

  static func run(_ options: Options) throws {
    let rate = try options.integer("rate") ?? 2000
    let seconds = try options.integer("seconds") ?? 20
    guard Int64(seconds) * 1000 > warmUpMs else {
      throw Refusal("--seconds \(seconds): give more than the \(warmUpMs / 1000) that warm up")
    }
    let commands = options["commands"] ?? "render.commands"
    var reader = try Reader(properties: try Broker.properties(), clientId: "bench-reader", log: { _ in })
    for partition in 0..<(try reader.partitionCount(of: commands, timeoutMs: 10_000)) {
      try reader.start(TopicPartition(commands, Int32(partition)), at: .latest)
    }
    let startMs = Broker.nowMs() + 1000
    let sending = Sending(
      topic: options["topic"] ?? "im.gifts", rate: rate, startMs: startMs, endMs: startMs + Int64(seconds) * 1000)
    sending.start()

    var latencies: [Int64] = []
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    var decoder = CommandDecoder()
    // Reading on after the last was sent hears of those that took long, and where a broker stalls of any at all.
    while Broker.nowMs() < sending.endMs + (latencies.isEmpty ? 60_000 : 2000), sending.failure == nil {
      reader.receive(into: &batch, events: &events, waitMs: 100)
      let now = Broker.nowMicroseconds()
      for index in 0..<batch.count {
        guard
          let published = try decoder.decode(
            value: batch[index].value, contentType: batch[index].lastHeader("content-type")),
          case .giftShow(let show) = published.command.body, show.comboOffset == published.command.recordOffset,
          published.command.atMs >= startMs + warmUpMs
        else { continue }
        latencies.append(now - published.command.atMs * 1000)
      }
      batch.removeAll()
      events.removeAll()
    }
    if let failure = sending.failure { throw Refusal(failure) }
    guard !latencies.isEmpty else { throw Refusal("no command has come: is a worker running?") }
    latencies.sort()
    func percentile(_ share: Double) -> String {
      let microseconds = latencies[min(latencies.count - 1, Int(Double(latencies.count) * share))]
      return "\(Double(microseconds / 100) / 10)"
    }
    Report.line(
      "latency at \(rate)/s", ("p50", percentile(0.5)), ("p95", percentile(0.95)), ("p99", percentile(0.99)),
      ("max", percentile(1)), ("ms, of", "\(latencies.count)"))
  }
}

/// Gifts at a steady rate, from a thread of their own.
private final class Sending: Sendable {
  let topic: String
  let rate: Int
  let startMs: Int64
  let endMs: Int64
  private let failed = Mutex<String?>(nil)

  init(topic: String, rate: Int, startMs: Int64, endMs: Int64) {
    self.topic = topic
    self.rate = rate
    self.startMs = startMs
    self.endMs = endMs
  }

  var failure: String? { failed.withLock { $0 } }

  func start() {
    Thread.detachNewThread { [self] in
      do {
        try run()
      } catch {
        failed.withLock { $0 = "\(error)" }
      }
    }
  }

  private func run() throws {
    let producer = try Producer(
      properties: try Broker.properties(["linger.ms": "0"]), clientId: "bench-sender", log: { _ in })
    let topic = try producer.topic(topic, timeoutMs: 10_000)
    let encoder = EventEncoder(format: .json)
    var buffer = ByteBuffer()
    var texts = TextArena()
    var sent = 0
    while true {
      let now = Broker.nowMicroseconds()
      if now >= endMs * 1000 { break }
      let due = Int((now - startMs * 1000) * Int64(rate) / 1_000_000)
      while sent < due {
        try send(sent, encoder, &buffer, &texts, to: topic)
        sent += 1
      }
      producer.serve()
      usleep(500)
    }
    try producer.flush(timeoutMs: 10_000)
  }

  private func send(
    _ number: Int, _ encoder: EventEncoder, _ buffer: inout ByteBuffer, _ texts: inout TextArena, to topic: OutputTopic
  ) throws {
    texts.removeAll()
    let user = texts.keep(Text("1"), number)
    let room = texts.keep(Text("room-"), number % LatencyBenchmark.rooms(at: rate))
    let event = RoomEvent(
      eventId: texts.keep(texts.keep("\(startMs)-"), number), roomId: room,
      body: .gift(
        texts.lend(
          Gift(
            sender: Sender(userId: user, name: user), giftId: Text("gift-7"), giftName: Text("礼物 7"), value: 50))))
    buffer.removeAll()
    encoder.encode(event, into: &buffer)
    try topic.produce(
      Murmur2.partition(key: room.bytes, partitions: Int32(topic.partitionCount)), key: room.bytes,
      value: buffer.bytes)
  }
}

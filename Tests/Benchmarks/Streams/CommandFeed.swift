import Glibc
import JSON
import Kafka
import RoomModel
import Wire

/// Commands at a steady rate, committed as a worker commits them, and noted in `CommitTimes`. With `--nchan HOST:PORT`
/// each is published there too, as soon as its transaction is committed: the two are fed from one source.
enum CommandFeed {
  private static let commitNs: Int64 = 10_000_000

  static func run(_ options: Options) throws {
    let rate = try options.integer("rate") ?? 1000
    let seconds = try options.integer("seconds") ?? 20
    let rooms = try options.integer("rooms") ?? 100
    let topicName = options["commands"] ?? "render.commands"
    guard let path = options["times"] else { throw Refusal("--times names the file with the times of commits") }
    let times = try CommitTimes(path: path)
    let first = try options.integer("first") ?? 0
    guard first + rate * seconds <= times.capacity else { throw Refusal("that is more than --times has room for") }
    let nchan = try options["nchan"].map { try NchanPublisher($0) }

    let producer = try TransactionalProducer(
      properties: try Broker.properties(), transactionalId: "bench-feed", clientId: "bench-feed",
      outputs: [topicName], timeoutMs: 30_000, log: { _ in })
    try producer.initTransactions(timeoutMs: 30_000)
    let topic = producer.topic(topicName)

    let start = CommitTimes.now()
    var sent = 0
    while sent < rate * seconds {
      let due = min(rate * seconds, Int((CommitTimes.now() - start) * Int64(rate) / 1_000_000_000))
      if due > sent {
        let batch = (sent..<due).map { FedCommand(index: first + $0, rooms: rooms) }
        let atMs = Broker.nowMs()
        let texts = batch.map { $0.json(atMs: atMs) }
        try producer.begin()
        for (command, text) in zip(batch, texts) { try produce(text, of: command.room, to: topic) }
        try producer.commit(timeoutMs: 10_000)
        let now = CommitTimes.now()
        for index in sent..<due { times[first + index] = now }
        try nchan?.publish(zip(batch.map(\.room), texts))
        sent = due
      }
      producer.serve()
      nchan?.readAnswers()
      let next = (CommitTimes.now() - start) / commitNs * commitNs + commitNs + start
      var wait = timespec(tv_sec: 0, tv_nsec: Int(max(0, next - CommitTimes.now())))
      nanosleep(&wait, nil)
    }
    try nchan?.finish()
    Report.line("feed", ("commands", "\(sent)"), ("seconds", "\((CommitTimes.now() - start) / 1_000_000_000)"))
  }

  private static func produce(_ text: String, of room: Int, to topic: OutputTopic) throws {
    var text = text
    var key = FedCommand.name(of: room)
    try key.withUTF8 { key in
      try text.withUTF8 { value in
        let key = UnsafeRawBufferPointer(key)
        try topic.produce(
          Murmur2.partition(key: key, partitions: Int32(topic.partitionCount)), key: key,
          value: UnsafeRawBufferPointer(value))
      }
    }
  }
}

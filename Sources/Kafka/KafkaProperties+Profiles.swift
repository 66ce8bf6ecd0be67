/// Defaults of each kind of client; a user's properties override them, except fixed ones.
extension KafkaProperties {
  static let everyClient = [
    "log.queue": "true",
    "socket.nagle.disable": "true",
    "socket.keepalive.enable": "true",
    "socket.connection.setup.timeout.ms": "5000",
    // A broker that hangs this long is left for another.
    "socket.timeout.ms": "10000",
    "reconnect.backoff.ms": "50",
    "reconnect.backoff.max.ms": "1000",
    "topic.metadata.refresh.fast.interval.ms": "100",
    "retry.backoff.ms": "50",
    // Brokers make topics that a producer asks for, by their own defaults, where nobody tells them not to.
    "allow.auto.create.topics": "false",
    // Java's, so that a consumer in any language finds a key where it expects it.
    "partitioner": "murmur2_random",
  ]

  /// A queue of this size is enough at full speed (see `FetchWakeup`); each record in it takes some 320 bytes besides
  /// its own, hence the bound on their number.
  private static let fetching = [
    "fetch.wait.max.ms": "50",
    "fetch.error.backoff.ms": "20",
    "fetch.max.bytes": "8388608",
    "queued.min.messages": "100000",
    "queued.max.messages.kbytes": "16384",
  ]

  /// A member of the worker's group. It commits nothing itself: offsets go with the transaction.
  /// transaction.timeout < session.timeout < max.poll.interval bounds a take-over.
  func groupConsumer(
    group: String, instanceId: String?, clientId: String
  ) throws(KafkaError) -> [(name: String, value: String)] {
    var fixed = [
      "group.id": group,
      "enable.auto.commit": "false",
      "enable.auto.offset.store": "false",
      "isolation.level": "read_committed",
      // A position that is gone from the log is an error, not a reason to jump.
      "auto.offset.reset": "error",
      "enable.partition.eof": "true",
      "log.queue": "true",
    ]
    fixed["group.instance.id"] = instanceId
    return try resolved(
      for: .consumer, clientId: clientId,
      defaults: Self.fetching.merging([
        "session.timeout.ms": Self.session,
        "heartbeat.interval.ms": "1000",
        "max.poll.interval.ms": "30000",
        "partition.assignment.strategy": "range",
        // An input that grows is noticed so soon.
        "topic.metadata.refresh.interval.ms": Self.refresh,
      ]) { $1 },
      fixed: fixed)
  }

  /// The least that a broker takes unless it is told otherwise: the rooms of a worker that dies stand still for so long.
  /// Six heartbeats may be missing, and a restart with a `worker.id` takes some 2 s of it.
  private static let session = "6000"

  private static let transaction = "5000"
  private static let refresh = "5000"

  /// The time for which a coordinator leaves a transaction open, in milliseconds.
  package var transactionMs: Int64 { Int64(self["transaction.timeout.ms"] ?? Self.transaction) ?? 5000 }
  /// The time for which a coordinator keeps a silent member, in milliseconds.
  package var sessionMs: Int64 { Int64(self["session.timeout.ms"] ?? Self.session) ?? 6000 }

  /// A client that looks at the group from outside. It sees committed offsets, whatever transaction is open, and the
  /// whole log, also behind a transaction that nobody ends.
  func groupWatch(group: String, clientId: String) throws(KafkaError) -> [(name: String, value: String)] {
    let member = try groupConsumer(group: group, instanceId: nil, clientId: clientId)
    return member.filter { $0.name != "isolation.level" } + [("isolation.level", "read_uncommitted")]
  }

  /// - Parameters:
  ///   - partitions: the number of partitions that share the memory of one queue; librdkafka's bounds are for each.
  ///   - staysAtEnd: whether it waits there for more.
  func reader(
    clientId: String, partitions: Int, staysAtEnd: Bool
  ) throws(KafkaError) -> [(name: String, value: String)] {
    var defaults = Self.fetching.merging(Self.memoryShare(of: partitions)) { $1 }
    // Who asks for ends asks the leader that was looked up last: one that has ended is not looked up again for it.
    defaults["topic.metadata.refresh.interval.ms"] = Self.refresh
    if !staysAtEnd { defaults.merge(Self.upToEnd(of: partitions)) { $1 } }
    let all = try resolved(
      for: .consumer, clientId: clientId, defaults: defaults,
      fixed: [
        "enable.auto.commit": "false",
        "enable.auto.offset.store": "false",
        "isolation.level": "read_committed",
        "auto.offset.reset": "error",
        "enable.partition.eof": "true",
        "log.queue": "true",
      ])
    // With a group's name it would look for the group.
    return all.filter { $0.name != "group.id" }
  }

  /// An end is reported when a fetch there comes back with nothing, and a broker has one fetch at a time, for which the
  /// next partition waits: to begin a replay of 60 partitions, one after the other, took 12 s with 50 ms, and takes 2.
  private static func upToEnd(of partitions: Int) -> [String: String] {
    ["fetch.wait.max.ms": "5", "queued.min.messages": "\(readAhead(of: partitions))"]
  }

  /// The number of records of each partition that may wait, where `partitions` are read to their ends at once. It
  /// bounds the memory for small records, whose bytes are fewer than the overhead of each: a comparison of two topics
  /// with 8 partitions each took 414 MB with 100,000, as other clients have, and 199 MB with 2000 a partition, as fast.
  package static func readAhead(of partitions: Int) -> Int { max(250, 64_000 / max(1, partitions)) }

  /// A few may each have a whole queue; more of them divide the memory of four.
  private static func memoryShare(of partitions: Int) -> [String: String] {
    let few = 4
    guard partitions > few else { return [:] }
    return [
      "queued.max.messages.kbytes": "\(max(256, 16_384 * few / partitions))",
      "queued.min.messages": "\(max(1000, 100_000 * few / partitions))",
      "fetch.message.max.bytes": "\(max(65_536, 1_048_576 * few / partitions))",
    ]
  }

  /// A timeout of a worker's clients, in milliseconds: the user's, or our own default.
  package func workers(_ timeout: String) -> String? {
    self[timeout] ?? Self.timeouts[timeout]
  }

  private static let timeouts = ["session.timeout.ms": session, "transaction.timeout.ms": transaction]

  private static let producing = [
    "linger.ms": "1",
    "queue.buffering.max.messages": "500000",
    "queue.buffering.max.kbytes": "131072",
    "batch.num.messages": "10000",
    "batch.size": "1000000",
  ]

  /// A record that is larger than this, uncompressed, no producer of transactions takes.
  package var maxRecordBytes: Int {
    func bytes(_ name: String, _ usual: String) -> Int { Int(self[name] ?? usual) ?? .max }
    // A record larger than the queue would wait for room in it for ever.
    let queue = bytes("queue.buffering.max.kbytes", Self.producing["queue.buffering.max.kbytes"]!)
    return min(bytes("message.max.bytes", Self.messageBytes), queue.multipliedReportingOverflow(by: 1024).partialValue)
  }

  /// The topic decides how long a record may be: librdkafka's own bound, less than a broker's, would let a dead letter
  /// through nowhere. Below the queue's size, where it would wait for ever.
  private static let messageBytes = "100000000"

  /// - Parameter batchBytes: No batch of several records is larger, whatever the user set.
  func transactionalProducer(
    transactionalId: String, clientId: String, batchBytes: Int = .max
  ) throws(KafkaError) -> [(name: String, value: String)] {
    let batch = min(batchBytes, Int(self["batch.size"] ?? Self.producing["batch.size"]!) ?? .max)
    return try resolved(
      for: .producer, clientId: clientId,
      defaults: Self.producing.merging([
        // The commit sends what is there at once. Until then small batches would only cost more.
        "linger.ms": "100",
        // Offsets are refused until the last transaction has ended everywhere, a few milliseconds.
        "retry.backoff.ms": "3",
        "transaction.timeout.ms": Self.timeouts["transaction.timeout.ms"]!,
        "message.timeout.ms": "4000",
        // lz4 takes less than half the CPU of a record without compression, and lets three times as many through (our
        // JSON, a broker on the same two cores): bytes that are not sent need not be copied, checked and written.
        "compression.type": "lz4",
        "socket.timeout.ms": "4000",
        "message.max.bytes": Self.messageBytes,
      ]) { $1 },
      fixed: [
        "transactional.id": transactionalId,
        // A request has records of its own: it may still be on its way when those that were purged are written over.
        "message.copy.max.bytes": "1000000000",
        "batch.size": String(batch),
        "enable.idempotence": "true",
        "acks": "all",
        "delivery.report.only.error": "false",
        "log.queue": "true",
      ])
  }

  /// Every record once as long as the producer lives, in order; no transactions.
  func producer(clientId: String) throws(KafkaError) -> [(name: String, value: String)] {
    try resolved(
      for: .producer, clientId: clientId, defaults: Self.producing.merging(["linger.ms": "5"]) { $1 },
      fixed: ["enable.idempotence": "true", "acks": "all", "delivery.report.only.error": "false", "log.queue": "true"])
  }

  func admin(clientId: String) throws(KafkaError) -> [(name: String, value: String)] {
    try resolved(for: .producer, clientId: clientId, defaults: [:], fixed: ["log.queue": "true"])
  }

  /// The reason why a property may not be set so; `nil` if it may.
  static func objection(to name: String, _ value: String) -> String? {
    let value = value.lowercased()
    switch name {
    case "transactional.id": return "each worker names its own transactions; name a worker with worker.id"
    case "group.instance.id": return "name a worker for good with worker.id"
    case "client.id" where value.utf8.count >= 50: return "use fewer than 50 bytes"
    case "enable.auto.commit", "enable.auto.offset.store", "auto.commit.enable":
      return value == "false" ? nil : "offsets are committed with the transactions; leave it out"
    case "isolation.level":
      return value == "read_committed" ? nil : "only what is committed may be read; leave it out"
    case "enable.idempotence":
      return value == "true" ? nil : "exactly-once rests on it; leave it out"
    case "acks", "request.required.acks":
      return value == "all" || value == "-1" ? nil : "exactly-once needs all; leave it out"
    case "delivery.report.only.error", "enable.partition.eof", "log.queue", "message.copy.max.bytes":
      return "it is ours to set; leave it out"
    case "allow.auto.create.topics":
      return value == "false" ? nil : "flyscreen topics create makes topics as they have to be; leave it out"
    case "partition.assignment.strategy":
      return value.contains("cooperative") ? "librdkafka 2.0.2 can lose partitions with it; use range" : nil
    case "partitioner":
      return value.hasPrefix("murmur2") ? nil : "keys are partitioned as Java clients do it; leave it out"
    case "test.mock.num.brokers": return "use flyscreen demo for a broker of its own"
    default: return nil
    }
  }
}

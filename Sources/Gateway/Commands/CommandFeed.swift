import HTTP
import Kafka
import Platform
import Probes
import Settings
import Synchronization

/// Reads the commands topic into the store, on one thread: committed commands only, each partition in its order.
final class CommandFeed: Sendable {
  private let configuration: Configuration
  private let properties: KafkaProperties
  private let metrics: GatewayMetrics
  private let log: Log
  private let stopping: StopSignal
  private let progress = Mutex(Progress.noBroker)

  private enum Progress {
    case noBroker
    /// It was there before.
    case noTopic
    /// So many partitions have not yet been read to the end that they had when reading them began.
    case reading(left: Int)
  }

  /// Between two looks for a broker that can't be reached.
  private static let retryMs: Int64 = 500
  private static let timeoutMs: Int32 = 5000
  /// Between two looks how far behind we are.
  private static let lagMs: Int64 = 1000
  /// Between two looks whether the topic has grown.
  private static let growthMs: Int64 = 30_000

  init(
    _ configuration: Configuration, _ properties: KafkaProperties, _ metrics: GatewayMetrics, _ log: Log,
    _ stopping: StopSignal
  ) {
    self.configuration = configuration
    self.properties = properties
    self.metrics = metrics
    self.log = log
    self.stopping = stopping
  }

  /// Nil: every partition has been read to the end that it had at the start.
  var unreadiness: String? {
    switch progress.withLock({ $0 }) {
    case .noBroker: "waiting for the broker"
    case .noTopic: "waiting for the commands topic, which is gone"
    case .reading(left: 0): nil
    case .reading(let left): "reading back commands: \(left) partitions to go"
    }
  }

  /// Reads until it is stopped.
  ///
  /// - Parameter found: gets the store once a broker tells what there is to read, before any of it is read.
  /// - Throws: `KafkaError` for what waiting doesn't mend.
  func run(_ found: (CommandStore) -> Void) throws {
    let servers = try configuration.bootstrapServers()
    while !stopping.isSet {
      do throws(KafkaError) {
        let (count, partitions) = try partitionsToServe()
        let reader = try Reader(
          properties: properties, clientId: "flyscreen-gateway", partitions: partitions.count, log: log.ofClient)
        let watermarks = try watermarks(reader, partitions)
        if log.over("broker") { log.info("the broker is there", .broker(servers)) }
        let store = CommandStore(
          topic: configuration.topics.commands, partitionCount: count, begins: watermarks.mapValues(\.begin),
          lookbackMs: configuration.gateway.lookbackMs, historyBytes: configuration.gateway.historyBytes)
        found(store)
        return try follow(Following(reader, store, watermarks))
      } catch {
        guard error.kind == .unreachable else { throw error }
        log.once("broker", .warning, "no broker can be reached; waiting for one", .broker(servers), .error(error))
      }
      stopping.wait(ms: Self.retryMs)
    }
  }

  /// Asked for by a client of its own: how much a reader keeps of each partition is settled when it is made.
  private func partitionsToServe() throws(KafkaError) -> (count: Int32, partitions: [Int32]) {
    let topic = configuration.topics.commands
    let wanted = configuration.gateway.partitions
    let admin = try Admin(properties: properties, clientId: "flyscreen-gateway", log: log.ofClient)
    let count = Int32(try admin.partitionCount(of: topic, timeoutMs: Self.timeoutMs))
    guard wanted.allSatisfy({ $0 < count }) else {
      throw .settings(
        "gateway.partitions: \(topic) has the partitions 0…\(count - 1); give some of those, or none for all")
    }
    return (count, wanted.isEmpty ? Array(0..<count) : wanted)
  }

  private func watermarks(
    _ reader: borrowing Reader, _ partitions: [Int32]
  ) throws(KafkaError) -> [Int32: PartitionWatermarks] {
    try reader.watermarks(
      of: partitions, in: configuration.topics.commands, lookbackMs: configuration.gateway.lookbackMs,
      timeoutMs: Self.timeoutMs)
  }

  // MARK: Reading

  private struct Following: ~Copyable {
    var reader: Reader
    let store: CommandStore
    var decoding: CommandReading
    /// Partitions that are still read back, and up to where: the end that they had when reading them began. One that
    /// is busy may never be read to the end that it has then.
    var catchingUp: [Int32: Int64]
    /// Partitions that are read no more, until they are begun anew.
    var lost: Set<Int32> = []
    var isTopicGone = false

    init(_ reader: consuming Reader, _ store: CommandStore, _ watermarks: [Int32: PartitionWatermarks]) {
      self.reader = reader
      self.store = store
      decoding = CommandReading(partitionCount: store.partitionCount)
      catchingUp = watermarks.mapValues(\.high)
    }

    var progress: Progress {
      isTopicGone ? .noTopic : .reading(left: lost.union(catchingUp.keys).count)
    }
  }

  private func follow(_ following: consuming Following) throws(KafkaError) {
    var now = following
    let store = now.store
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    publish(now)
    for partition in store.served {
      let begin = store.read(partition) { $0.history.begin }
      try now.reader.start(TopicPartition(store.topic, partition), at: .at(begin))
    }
    stopping.onSet(now.reader.waker.wake)
    var lagMs: Int64 = 0
    var growthMs = MonotonicClock.nowMs() + Self.growthMs
    var retryMs: Int64 = 0
    while !stopping.isSet {
      now.reader.receive(into: &batch, events: &events, waitMs: 250)
      take(batch, &now)
      if !batch.isEmpty, log.over("broker") { log.info("the broker is back") }
      batch.removeAll()
      for event in events { try handle(event, &now) }
      events.removeAll()
      if !now.lost.isEmpty, MonotonicClock.nowMs() >= retryMs {
        try restart(&now)
        retryMs = MonotonicClock.nowMs() + Self.retryMs
      }
      store.wakeListeners()
      let nowMs = MonotonicClock.nowMs()
      if nowMs >= lagMs {
        lagMs = nowMs + Self.lagMs
        metrics.lag.set(lag(now.reader, store))
      }
      if nowMs >= growthMs {
        growthMs = nowMs + Self.growthMs
        lookForGrowth(now.reader, store)
      }
    }
  }

  /// Records, of all partitions together, as the last answers of the broker told.
  private func lag(_ reader: borrowing Reader, _ store: CommandStore) -> Int64 {
    store.served.reduce(0) { lag, partition in
      let end = reader.cachedEnd(of: TopicPartition(store.topic, partition)) ?? 0
      return lag + max(0, end - store.read(partition) { $0.history.readTo })
    }
  }

  private func publish(_ now: borrowing Following) {
    let reached = now.progress
    progress.withLock { $0 = reached }
  }

  private func markCaughtUp(_ partition: Int32, _ now: inout Following) {
    guard now.catchingUp.removeValue(forKey: partition) != nil else { return }
    publish(now)
    if unreadiness == nil { log.info("the commands are read back; the gateway is ready") }
  }

  private func take(_ batch: borrowing RecordBatch, _ now: inout Following) {
    let store = now.store
    let nowMs = MonotonicClock.nowMs()
    let wallMs = WallClock.nowMs()
    var next = 0
    while next < batch.count {
      // What is of one partition goes in at once, but not so much that a loop waits long.
      let partition = batch.source(next).partition
      var readings: [PartitionState.Reading] = []
      var readTo: Int64 = 0
      while next < batch.count, batch.source(next).partition == partition, readings.count < 100 {
        let record = batch[next]
        let isLive = record.offset >= now.catchingUp[partition] ?? 0
        let ageMs = wallMs - record.timestampMs
        if isLive { metrics.commitToGateway.observe(Double(max(0, ageMs)) / 1000) }
        // What lay there is as old as its stamp says, if that can be.
        let isSane = (0...2 * configuration.gateway.lookbackMs).contains(ageMs)
        let readMs = isLive || !isSane ? nowMs : nowMs - ageMs
        let read = now.decoding.read(record, readMs: readMs) { skip, why in
          metrics.countSkip(skip)
          log.once(
            skip.label, .warning, "a record of the commands topic is left out, and more like it will be, silently",
            .topic(store.topic), .partition(partition), .offset(record.offset), .reason(why))
        }
        if let read { readings.append(read) }
        readTo = record.offset + 1
        next += 1
      }
      store.change(partition) { state in
        for reading in readings { state.apply(reading) }
        state.advance(to: readTo)
      }
      if let end = now.catchingUp[partition], readTo >= end { markCaughtUp(partition, &now) }
      metrics.commandsRead.add(Int64(readings.count))
    }
  }

  private func handle(_ event: ConsumerEvent, _ now: inout Following) throws(KafkaError) {
    switch event {
    case .endOfPartition(let place, let offset):
      now.store.change(place.partition) { $0.advance(to: offset) }
      markCaughtUp(place.partition, &now)
    case .failed(let error, let place?) where error.isOutOfRange:
      now.lost.insert(place.partition)
      publish(now)
    case .failed(let error, _) where error.kind == .unknownTopic: loseTopic(error, &now)
    case .failed(let error, _): try handle(error, now.store)
    case .assigned, .revoked: break
    }
  }

  // MARK: What goes wrong

  private func handle(_ error: KafkaError, _ store: CommandStore) throws(KafkaError) {
    switch error.kind {
    case .unreachable:
      log.once("broker", .warning, "the broker is away; streams go on when it is back", .error(error))
    case .other where !error.isFatal:
      // librdkafka goes on by itself.
      log.once(error.name, .warning, "trouble with the commands topic", .topic(store.topic), .error(error))
    case .authentication, .authorization, .unknownTopic, .fenced, .settings, .other: throw error
    }
  }

  /// It may be made anew, and then be filled to where we were by the time that librdkafka, which knows topics by their
  /// names alone, goes on reading: so nothing more is read before all is begun anew.
  private func loseTopic(_ error: KafkaError, _ now: inout Following) {
    guard !now.isTopicGone else { return }
    log.warning(
      "the commands topic is gone; streams go on when it has been made anew", .topic(now.store.topic), .error(error))
    for partition in now.store.served { now.reader.stop(TopicPartition(now.store.topic, partition)) }
    now.lost.formUnion(now.store.served)
    now.isTopicGone = true
    publish(now)
  }

  /// Reads what was lost as if the gateway had just begun; streams get snapshots. If no broker tells now what there
  /// is, it is for the next time.
  private func restart(_ now: inout Following) throws(KafkaError) {
    let store = now.store
    let found: [Int32: PartitionWatermarks]
    do throws(KafkaError) {
      let count = try now.reader.partitionCount(of: store.topic, timeoutMs: Self.timeoutMs)
      guard count == store.partitionCount else {
        throw KafkaError(
          name: "INVALID_PARTITIONS", code: 37,
          message: "\(store.topic) was made anew with \(count) partitions, and had \(store.partitionCount); that"
            + " takes a gateway that begins anew", kind: .other)
      }
      found = try watermarks(now.reader, store.served)
    } catch {
      if error.kind == .unknownTopic { return loseTopic(error, &now) }
      guard error.kind == .unreachable else { throw error }
      return
    }
    // Where records are gone that come next, retention was faster than we were. Else the log is another one, since
    // the topic was made anew; and then other partitions may have been filled to where we are, and tell nothing.
    let isAnother = now.lost.contains { partition in
      store.read(partition) { $0.history.readTo } >= found[partition]!.low
    }
    let anew = isAnother ? store.served : now.lost.sorted()
    for partition in anew { now.reader.stop(TopicPartition(store.topic, partition)) }
    // What is still said of the old log is no news.
    if isAnother { now.reader.discard() }
    for partition in anew {
      let watermarks = found[partition]!
      log.warning(
        "a partition of the commands topic has not what comes next; reading it anew", .topic(store.topic),
        .partition(partition), .offset(store.read(partition) { $0.history.readTo }))
      store.change(partition) { $0.reset(begin: watermarks.begin) }
      now.catchingUp[partition] = watermarks.high
      try now.reader.start(TopicPartition(store.topic, partition), at: .at(watermarks.begin))
    }
    now.lost = []
    now.isTopicGone = false
    publish(now)
  }

  private func lookForGrowth(_ reader: borrowing Reader, _ store: CommandStore) {
    guard let count = try? reader.partitionCount(of: store.topic, timeoutMs: Self.timeoutMs),
      count != Int(store.partitionCount)
    else { return }
    log.once(
      "growth", .error,
      "the commands topic has \(count) partitions, and had \(store.partitionCount) when the gateway began; restart it,"
        + " or rooms that have moved are not served", .topic(store.topic))
  }
}

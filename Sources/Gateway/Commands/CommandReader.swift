import Kafka
import Platform
import Probes

/// Reads the commands topic into the store, on the feed's thread.
struct CommandReader: ~Copyable {
  let store: CommandStore
  private var reader: Reader
  private var decoding: CommandReading
  private var progress: TopicProgress
  private let lookbackMs: Int64
  private let readiness: Readiness
  private let metrics: GatewayMetrics
  private let log: Log

  /// Between two tries to read anew what was lost.
  private static let retryMs: Int64 = 500
  private static let timeoutMs: Int32 = 5000
  /// Between two looks how far behind we are.
  private static let lagMs: Int64 = 1000
  /// Between two looks whether the topic has grown.
  private static let growthMs: Int64 = 30_000

  init(
    _ reader: consuming Reader, _ store: CommandStore, _ watermarks: [Int32: PartitionWatermarks], lookbackMs: Int64,
    _ readiness: Readiness, _ metrics: GatewayMetrics, _ log: Log
  ) {
    self.reader = reader
    self.store = store
    self.lookbackMs = lookbackMs
    self.readiness = readiness
    self.metrics = metrics
    self.log = log
    decoding = CommandReading(partitionCount: store.partitionCount)
    progress = TopicProgress(ends: watermarks.mapValues(\.high))
  }

  /// Reads until it is stopped.
  ///
  /// - Throws: `KafkaError` for what waiting doesn't mend.
  mutating func run(_ stopping: StopSignal) throws(KafkaError) {
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    publish()
    for partition in store.served {
      try reader.start(place(partition), at: .at(store.read(partition) { $0.history.begin }))
    }
    stopping.onSet(reader.waker.wake)
    var retryAtMs: Int64 = 0
    var lagAtMs: Int64 = 0
    var growthAtMs = MonotonicClock.nowMs() + Self.growthMs
    while !stopping.isSet {
      reader.receive(into: &batch, events: &events, waitMs: 250)
      take(batch)
      if !batch.isEmpty, log.over("broker") { log.info("the broker is back") }
      batch.removeAll()
      for event in events { try handle(event) }
      events.removeAll()
      if progress.hasLost, MonotonicClock.nowMs() >= retryAtMs {
        try restart()
        retryAtMs = MonotonicClock.nowMs() + Self.retryMs
      }
      store.wakeListeners()
      let nowMs = MonotonicClock.nowMs()
      if nowMs >= lagAtMs {
        lagAtMs = nowMs + Self.lagMs
        metrics.lag.set(lag)
      }
      if nowMs >= growthAtMs {
        growthAtMs = nowMs + Self.growthMs
        checkGrowth()
      }
    }
  }

  private func place(_ partition: Int32) -> TopicPartition { TopicPartition(store.topic, partition) }

  private func readTo(_ partition: Int32) -> Int64 { store.read(partition) { $0.history.readTo } }

  private func publish() {
    if readiness.set(progress.unreadiness) { log.info("the commands are read back; the gateway is ready") }
  }

  // MARK: Records

  private mutating func take(_ batch: borrowing RecordBatch) {
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
        if let reading = read(record, nowMs: nowMs, wallMs: wallMs) { readings.append(reading) }
        readTo = record.offset + 1
        next += 1
      }
      store.change(partition) { state in
        for reading in readings { state.apply(reading) }
        state.advance(to: readTo)
      }
      progress.advance(partition, to: readTo)
      metrics.commandsRead.add(Int64(readings.count))
    }
    publish()
  }

  /// Nil: it is none for a stream.
  private mutating func read(_ record: KafkaRecord, nowMs: Int64, wallMs: Int64) -> PartitionState.Reading? {
    let isLive = progress.isLive(record.source.partition, record.offset)
    let ageMs = wallMs - record.timestampMs
    if isLive { metrics.commitToGateway.observe(Double(max(0, ageMs)) / 1000) }
    // What lay there is as old as its stamp says, if that can be.
    let isSane = (0...2 * lookbackMs).contains(ageMs)
    let (metrics, log, topic) = (metrics, log, store.topic)
    return decoding.read(record, readMs: isLive || !isSane ? nowMs : nowMs - ageMs) { skip, why in
      metrics.countSkip(skip)
      log.once(
        skip.label, .warning, "a record of the commands topic is left out, and more like it will be, silently",
        .topic(topic), .partition(record.source.partition), .offset(record.offset), .reason(why))
    }
  }

  // MARK: Events

  private mutating func handle(_ event: ConsumerEvent) throws(KafkaError) {
    switch event {
    case .endOfPartition(let place, let offset):
      store.change(place.partition) { $0.advance(to: offset) }
      progress.reachEnd(of: place.partition)
    case .failed(let error, let place?) where error.isOutOfRange: progress.lose(place.partition)
    case .failed(let error, _) where error.kind == .unknownTopic: loseTopic(error)
    case .failed(let error, _): try handle(error)
    case .assigned, .revoked: break
    }
    publish()
  }

  private func handle(_ error: KafkaError) throws(KafkaError) {
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
  /// names alone, goes on reading: so nothing more is read before all is read anew.
  private mutating func loseTopic(_ error: KafkaError) {
    if progress.isTopicGone { return }
    progress.loseTopic(store.served)
    log.warning(
      "the commands topic is gone; streams go on when it has been made anew", .topic(store.topic), .error(error))
    for partition in store.served { reader.stop(place(partition)) }
  }

  /// Reads what was lost as if the gateway had just begun; streams get snapshots. If no broker tells now what there
  /// is, it is for the next time.
  private mutating func restart() throws(KafkaError) {
    let found: [Int32: PartitionWatermarks]
    do throws(KafkaError) {
      found = try watermarks()
    } catch {
      switch error.kind {
      case .unknownTopic: loseTopic(error)
      case .unreachable: break
      default: throw error
      }
      return publish()
    }
    let readTo = Dictionary(uniqueKeysWithValues: store.served.map { ($0, self.readTo($0)) })
    let restart = progress.restart(readTo: readTo, lows: found.mapValues(\.low))
    for partition in restart.partitions { reader.stop(place(partition)) }
    if restart.isAnotherLog { reader.discard() }
    for partition in restart.partitions {
      log.warning(
        "a partition of the commands topic has not what comes next; reading it anew", .topic(store.topic),
        .partition(partition), .offset(readTo[partition]!))
      let begin = found[partition]!.begin
      store.change(partition) { $0.reset(begin: begin) }
      try reader.start(place(partition), at: .at(begin))
    }
    progress.begin(ends: found.mapValues(\.high).filter { restart.partitions.contains($0.key) })
    publish()
  }

  private func watermarks() throws(KafkaError) -> [Int32: PartitionWatermarks] {
    let count = try reader.partitionCount(of: store.topic, timeoutMs: Self.timeoutMs)
    guard count == store.partitionCount else {
      throw KafkaError(
        name: "INVALID_PARTITIONS", code: 37,
        message: "\(store.topic) was made anew with \(count) partitions, and had \(store.partitionCount); that"
          + " takes a gateway that begins anew", kind: .other)
    }
    return try reader.watermarks(
      of: store.served, in: store.topic, lookbackMs: lookbackMs, timeoutMs: Self.timeoutMs)
  }

  // MARK: Looks now and then

  /// Records, of all partitions together, as the last answers of the broker told.
  private var lag: Int64 {
    store.served.reduce(0) { $0 + max(0, (reader.cachedEnd(of: place($1)) ?? 0) - readTo($1)) }
  }

  private func checkGrowth() {
    guard let count = try? reader.partitionCount(of: store.topic, timeoutMs: Self.timeoutMs),
      count != Int(store.partitionCount)
    else { return }
    log.once(
      "growth", .error,
      "the commands topic has \(count) partitions, and had \(store.partitionCount) when the gateway began; restart it,"
        + " or rooms that have moved are not served", .topic(store.topic))
  }
}

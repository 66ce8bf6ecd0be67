import Kafka
import KafkaProbes
import Platform
import Probes

/// Reads the commands topic into the store, on the feed's thread.
struct CommandReader: ~Copyable {
  let store: CommandStore
  private var reader: Reader
  private let open: () throws(KafkaError) -> Reader
  private var backOff = RetryWait()
  private var decoder = CommandRecordDecoder()
  private var progress: TopicProgress
  private var routing: RoomRouting
  /// Partitions that the topic has got since the gateway began, and what is read of each next. They have no state:
  /// whatever comes on them strays to that of its room.
  private var added: [Int32: Int64] = [:]
  private var lastCommands = LastCommands()
  private var growthAtMs: Int64 = 0
  private var hanging: HangingLook
  private var hasBeenReady = false
  private let lookbackMs: Int64
  private let readiness: Readiness
  private let metrics: GatewayMetrics
  private let log: Log

  /// Milliseconds between two tries to read lost partitions again.
  private static let retryMs: Int64 = 500
  private static let timeoutMs: Int32 = 5000
  /// Milliseconds between two measurements of the lag.
  private static let lagMs: Int64 = 1000
  /// Milliseconds between two looks whether the topic has grown.
  private static let growthMs: Int64 = 2000
  /// Milliseconds, less than clients' lag: whoever is asked may be frozen, and the question holds up what others send.
  private static let lookMs: Int32 = 200

  init(
    _ reader: consuming Reader, open: @escaping () throws(KafkaError) -> Reader, _ store: CommandStore,
    _ watermarks: [Int32: PartitionWatermarks], lookbackMs: Int64,
    _ readiness: Readiness, _ metrics: GatewayMetrics, tool: TransactionTool, _ log: Log
  ) {
    self.reader = reader
    self.open = open
    self.store = store
    self.lookbackMs = lookbackMs
    self.readiness = readiness
    self.metrics = metrics
    self.log = log
    routing = store.routing
    progress = TopicProgress(ends: watermarks.mapValues(\.high))
    hanging = HangingLook(store.topic, metrics.hanging, tool, log)
  }

  /// Reads until it is stopped.
  ///
  /// - Throws: `KafkaError` for what waiting doesn't mend.
  mutating func run(_ stopping: StopSignal) throws(KafkaError) {
    publish()
    try start(stopping)
    while !stopping.isSet {
      do throws(KafkaError) {
        try follow(stopping)
      } catch {
        // An error before the first success is a wrong setting. A later one is retried.
        guard hasBeenReady, error.mayBeMended else { throw error }
        try reconnect(after: error, stopping)
      }
    }
  }

  /// Reads from where each partition has been read to.
  private mutating func start(_ stopping: StopSignal) throws(KafkaError) {
    for partition in store.served { try reader.start(place(partition), at: .at(readTo(partition))) }
    for (partition, next) in added { try reader.start(place(partition), at: .at(next)) }
    stopping.onSet(reader.waker.wake)
  }

  private mutating func follow(_ stopping: StopSignal) throws(KafkaError) {
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    var retryAtMs: Int64 = 0
    var lagAtMs: Int64 = 0
    growthAtMs = MonotonicClock.nowMs() + Self.growthMs
    while !stopping.isSet {
      reader.receive(into: &batch, events: &events, waitMs: 250)
      try take(batch)
      if !batch.isEmpty { reportBack() }
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
      if nowMs >= growthAtMs { try checkGrowth(nowMs) }
      if nowMs >= hanging.atMs {
        hanging.look(reader, readTo: partitions.reduce(into: [:]) { $0[$1] = readTo($1) }, nowMs: nowMs)
      }
    }
  }

  /// Reads on with another client, whose password and rights may be others. What is served stays as it is, and streams
  /// stay open.
  private mutating func reconnect(after error: KafkaError, _ stopping: StopSignal) throws(KafkaError) {
    var error = error
    while !stopping.isSet {
      log.once(
        "refused", .error, "the broker refuses us; streams go on once its reason is mended",
        .topic(store.topic),
        .error(error))
      readiness.refuse("the broker refuses us: \(error)")
      stopping.wait(ms: backOff.next())
      do throws(KafkaError) {
        reader = try open()
        _ = try reader.partitionCount(of: store.topic, timeoutMs: Self.timeoutMs)
        return try start(stopping)
      } catch let again {
        if again.kind == .unknownTopic { return loseTopic(again) }
        guard again.kind == .unreachable || again.mayBeMended else { throw again }
        error = again
      }
    }
  }

  private mutating func reportBack() {
    backOff.reset()
    if log.over("broker") { log.info("the broker is back") }
    readiness.refuse(nil)
    if log.over("refused") {
      log.info("the broker accepts the gateway's credentials and rights again", .topic(store.topic))
    }
  }

  private func place(_ partition: Int32) -> TopicPartition { TopicPartition(store.topic, partition) }

  private func readTo(_ partition: Int32) -> Int64 {
    added[partition] ?? store.read(partition) { $0.history.readTo }
  }

  /// All partitions that are read.
  private var partitions: [Int32] { store.served + added.keys.sorted() }

  private mutating func publish() {
    if progress.unreadiness == nil { hasBeenReady = true }
    let why = progress.isTopicGone ? Readiness.Reason.topicGone : .readingBack
    if readiness.set(progress.unreadiness, because: why) {
      log.info("the gateway has read back its commands and is ready")
    }
  }

  // MARK: Records

  private mutating func take(_ batch: borrowing RecordBatch) throws(KafkaError) {
    let nowMs = MonotonicClock.nowMs()
    let wallMs = WallClock.nowMs()
    var next = 0
    while next < batch.count {
      // Records of one partition go in at once, but so few that no loop waits long.
      let partition = batch.source(next).partition
      var commands: [ReceivedCommand] = []
      var strays: [ReceivedCommand] = []
      var readTo: Int64 = 0
      while next < batch.count, batch.source(next).partition == partition, commands.count < 100 {
        let record = batch[next]
        if let command = try read(record, nowMs: nowMs, wallMs: wallMs) {
          lastCommands[partition] = command.entry.position
          if command.home == partition { commands.append(command) } else { strays.append(command) }
        }
        readTo = record.offset + 1
        next += 1
      }
      advance(partition, to: readTo, with: commands)
      for stray in strays { store.change(stray.home) { $0.applyStray(stray) } }
      metrics.commandsRead.add(Int64(commands.count + strays.count))
    }
    if batch.count > 0 {
      metrics.aheadMs.set(max(0, batch[batch.count - 1].timestampMs - wallMs))
    }
    heal(nowMs)
    publish()
  }

  private mutating func advance(_ partition: Int32, to readTo: Int64, with commands: [ReceivedCommand] = []) {
    if added[partition] != nil {
      added[partition] = readTo
    } else {
      store.change(partition) { state in
        for command in commands { state.apply(command) }
        state.advance(to: readTo)
      }
    }
    progress.advance(partition, to: readTo)
  }

  /// Rooms whose commands came on two partitions, and out of order.
  private mutating func heal(_ nowMs: Int64) {
    for partition in store.served where store.read(partition, { !$0.disordered.isEmpty }) {
      store.change(partition) { state in state.heal(readMs: nowMs) { decoder.command(of: $0) } }
    }
  }

  /// Nil: it is none for a stream.
  private mutating func read(
    _ record: KafkaRecord, nowMs: Int64, wallMs: Int64
  ) throws(KafkaError) -> ReceivedCommand? {
    let isLive = progress.isLive(record.source.partition, record.offset)
    let ageMs = wallMs - record.timestampMs
    if isLive { metrics.commitToGateway.observe(Double(max(0, ageMs)) / 1000) }
    // A record that lay there is as old as its stamp says, if that can be.
    let isSane = (0...2 * lookbackMs).contains(ageMs)
    let readMs = isLive || !isSane ? nowMs : nowMs - ageMs
    var skipped: (skip: CommandRecordDecoder.Skip, why: String)?
    func received(by routing: RoomRouting) -> ReceivedCommand? {
      decoder.read(record, readMs: readMs) {
        routing.home(of: $0)
      } skip: {
        skipped = ($0, $1)
      }
    }
    if let received = received(by: routing) { return received }
    if skipped?.skip == .misplaced, nowMs >= growthAtMs - Self.growthMs / 2 {
      // Its producer may have seen before us that the topic has grown.
      let before = routing
      try checkGrowth(nowMs)
      if routing != before, let received = received(by: routing) { return received }
    }
    guard let skipped else { return nil }
    metrics.countSkip(skipped.skip)
    log.once(
      skipped.skip.label, .warning,
      "skipping a record of the commands topic; further ones of this kind are counted, not logged",
      .topic(store.topic), .partition(record.source.partition), .offset(record.offset), .reason(skipped.why))
    return nil
  }

  // MARK: Events

  private mutating func handle(_ event: ConsumerEvent) throws(KafkaError) {
    switch event {
    case .endOfPartition(let place, let offset):
      advance(place.partition, to: offset)
      progress.reachEnd(of: place.partition)
      reportBack()
    case .failed(let error, let place?) where error.isOutOfRange:
      progress.lose(place.partition, nowMs: MonotonicClock.nowMs())
    case .failed(let error, _) where error.kind == .unknownTopic: loseTopic(error)
    case .failed(let error, _): try handle(error)
    case .assigned, .revoked: break
    }
    publish()
  }

  private func handle(_ error: KafkaError) throws(KafkaError) {
    switch error.kind {
    case .unreachable:
      log.once("broker", .warning, "no broker answers; streams go on once one does", .error(error))
    case .other where !error.isFatal:
      // librdkafka goes on by itself.
      log.once(error.name, .warning, "can't read the commands topic; retrying", .topic(store.topic), .error(error))
    case .authentication, .authorization, .unknownTopic, .fenced, .settings, .other: throw error
    }
  }

  /// Stops all reading. The topic may be made anew, and be filled to where we were by the time that librdkafka, which
  /// knows topics by their names alone, goes on reading: so nothing more is read before all is read anew.
  private mutating func loseTopic(_ error: KafkaError) {
    if progress.isTopicGone { return }
    progress.loseTopic(partitions, nowMs: MonotonicClock.nowMs())
    log.warning(
      "the commands topic is gone; streams go on when it has been made anew", .topic(store.topic), .error(error))
    for partition in partitions { reader.stop(place(partition)) }
  }

  /// Reads on what a broker says is not there. Records that are gone, and a log that is another one, are read as if the
  /// gateway had just begun; streams get snapshots. If no broker tells now what there is, it is for the next time.
  private mutating func restart() throws(KafkaError) {
    let found: [Int32: PartitionWatermarks]
    let findings: [Int32: TopicProgress.Finding]
    do throws(KafkaError) {
      found = try watermarks()
      let readTo = found.keys.reduce(into: [:]) { $0[$1] = self.readTo($1) }
      findings = try lastCommands.look(in: store.topic, found, readTo: readTo, open)
    } catch {
      switch error.kind {
      case .unknownTopic: loseTopic(error)
      case .unreachable: break
      case .other where error.mayPass && error.name != Self.fewer: try handle(error)
      case .authentication, .authorization, .fenced, .settings, .other: throw error
      }
      return publish()
    }
    var restart = progress.restart(findings, nowMs: MonotonicClock.nowMs())
    // Stray commands of one partition lie among those of another: neither is read again alone.
    if !restart.again.isEmpty, !added.isEmpty { restart = .init(again: partitions, isAnotherLog: restart.isAnotherLog) }
    for partition in restart.again + restart.goingOn { reader.stop(place(partition)) }
    if restart.isAnotherLog { reader.discard() }
    for partition in restart.goingOn {
      log.info(
        "a broker said that the next records of a partition are gone, and they are there; reading on",
        .topic(store.topic), .partition(partition), .offset(readTo(partition)))
      try reader.start(place(partition), at: .at(readTo(partition)))
    }
    for partition in restart.again {
      log.warning(
        "the next records of a partition of the commands topic are gone; reading the partition again",
        .topic(store.topic), .partition(partition), .offset(readTo(partition)))
      let begin = found[partition]!.begin
      lastCommands[partition] = nil
      if added[partition] != nil {
        added[partition] = begin
      } else {
        store.change(partition) { $0.reset(begin: begin) }
      }
      try reader.start(place(partition), at: .at(begin))
    }
    progress.begin(restart, ends: found.mapValues(\.high).filter { restart.again.contains($0.key) })
    publish()
  }

  /// The topic has fewer partitions than it had, which takes another process.
  private static let fewer = "INVALID_PARTITIONS"

  private mutating func watermarks() throws(KafkaError) -> [Int32: PartitionWatermarks] {
    let count = try reader.partitionCount(of: store.topic, timeoutMs: Self.timeoutMs)
    guard count >= routing.partitions else {
      let isBelieved = progress.believesFewer(nowMs: MonotonicClock.nowMs())
      throw KafkaError(
        name: Self.fewer, code: 37,
        message: "\(store.topic) was made anew with \(count) partitions, and had \(routing.partitions); that"
          + " takes a gateway that begins anew", kind: isBelieved ? .other : .unreachable)
    }
    if count > routing.partitions { try grow(to: Int32(count)) }
    return try reader.watermarks(
      of: partitions, in: store.topic, lookbackMs: lookbackMs, timeoutMs: Self.timeoutMs)
  }

  // MARK: Looks now and then

  /// Records, of all partitions together, as the last answers of the broker told.
  private var lag: Int64 {
    partitions.reduce(0) { $0 + max(0, (reader.cachedEnd(of: place($1)) ?? 0) - readTo($1)) }
  }

  private mutating func checkGrowth(_ nowMs: Int64) throws(KafkaError) {
    growthAtMs = nowMs + Self.growthMs
    do throws(KafkaError) {
      let count = try reader.partitionCount(of: store.topic, timeoutMs: Self.lookMs)
      metrics.setReachable(true)
      if !progress.isTopicGone, count > routing.partitions { try grow(to: Int32(count)) }
    } catch {
      metrics.setReachable(error.kind != .unreachable || error.isAnswered)
    }
  }

  private mutating func grow(to count: Int32) throws(KafkaError) {
    let before = routing.partitions
    routing.partitions = count
    progress.grow(nowMs: MonotonicClock.nowMs())
    // The store learns of new partitions before any of their records is delivered: no request is answered by the old
    // count.
    store.grow(to: routing.partitions)
    if routing.share == nil {
      for partition in before..<routing.partitions {
        added[partition] = 0
        try reader.start(place(partition), at: .earliest)
      }
      log.info(
        "the commands topic has grown from \(before) to \(count) partitions; the new ones are read too",
        .topic(store.topic))
    } else {
      log.warning(
        "the commands topic has grown from \(before) to \(count) partitions: \(before)…\(count - 1) are nobody's until a"
          + " gateway has them in gateway.partitions; for rooms that have moved off this one's it answers 421",
        .topic(store.topic))
    }
  }
}

extension KafkaError {
  /// Whether somebody may mend it, by a right or a password: then another client goes on.
  fileprivate var mayBeMended: Bool { isRefusal || kind == .settings || kind == .fenced }
}

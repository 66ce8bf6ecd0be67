import HTTP
import Kafka
import Probes
import Settings
import Synchronization

/// Reads the commands topic into the shelf, on one thread: committed commands only, each partition in its order.
final class CommandFeed: Sendable {
  private let configuration: Configuration
  private let properties: KafkaProperties
  private let metrics: GatewayMetrics
  private let log: Log
  private let stopping: StopFlag
  /// Partitions that have not yet been read to the end that they had when reading began; nil: reading has not begun.
  private let unread = Mutex<Int?>(nil)

  /// Between two looks for a broker that can't be reached.
  private static let retryMs: Int64 = 500
  private static let timeoutMs: Int32 = 5000
  /// Producers' clocks, and the time from a record's stamp to its commit.
  private static let marginMs: Int64 = 10_000
  /// So many records before the end are read however old they are, so that a position has a command to name.
  private static let fewRecords: Int64 = 64
  /// Between two looks how far behind we are.
  private static let lagMs: Int64 = 1000
  /// Between two looks whether the topic has grown.
  private static let growthMs: Int64 = 30_000

  init(
    _ configuration: Configuration, _ properties: KafkaProperties, _ metrics: GatewayMetrics, _ log: Log,
    _ stopping: StopFlag
  ) {
    self.configuration = configuration
    self.properties = properties
    self.metrics = metrics
    self.log = log
    self.stopping = stopping
  }

  /// Nil: every partition has been read to the end that it had at the start.
  var unreadiness: String? {
    switch unread.withLock({ $0 }) {
    case nil: "waiting for the broker"
    case 0: nil
    case let count?: "reading back commands: \(count) partitions to go"
    }
  }

  /// Reads until it is stopped.
  ///
  /// - Parameter found: gets the shelf once a broker tells what there is to read, before any of it is read.
  /// - Throws: `KafkaError` for what waiting doesn't mend.
  func run(_ found: (CommandShelf) -> Void) throws {
    let servers = try configuration.bootstrapServers()
    var reader = try Reader(properties: properties, clientId: "flyscreen-gateway", log: clientLog)
    while !stopping.isSet {
      do throws(KafkaError) {
        let (shelf, ends) = try makeShelf(reader)
        if log.over("broker") { log.info("the broker is there", .broker(servers)) }
        found(shelf)
        return try follow(&reader, shelf, upTo: ends)
      } catch {
        guard error.kind == .unreachable else { throw error }
        log.once("broker", .warning, "no broker can be reached; waiting for one", .broker(servers), .error(error))
      }
      stopping.wait(ms: Self.retryMs)
    }
  }

  private func makeShelf(
    _ reader: borrowing Reader
  ) throws(KafkaError) -> (CommandShelf, ends: [Int32: Int64]) {
    let topic = configuration.topics.commands
    let wanted = configuration.gateway.partitions
    let count = Int32(try reader.partitionCount(of: topic, timeoutMs: Self.timeoutMs))
    guard wanted.allSatisfy({ $0 < count }) else {
      throw .settings(
        "gateway.partitions: \(topic) has the partitions 0…\(count - 1); give some of those, or none for all")
    }
    let partitions = wanted.isEmpty ? Array(0..<count) : wanted
    let extents = try extents(reader, topic, partitions)
    let shelf = CommandShelf(
      topic: topic, partitionCount: count, begins: extents.mapValues(\.lowerBound),
      lookbackMs: configuration.gateway.lookbackMs, historyBytes: configuration.gateway.historyBytes)
    return (shelf, extents.mapValues(\.upperBound))
  }

  /// What is to be read back of each partition, so that all is known of the lookback.
  private func extents(
    _ reader: borrowing Reader, _ topic: String, _ partitions: [Int32]
  ) throws(KafkaError) -> [Int32: Range<Int64>] {
    let places = partitions.map { TopicPartition(topic, $0) }
    // Stamps of commands mean little; a margin makes up for clocks.
    let fromMs = WallClock.nowMs() - configuration.gateway.lookbackMs - Self.marginMs
    let byTime = try reader.offsets(of: places, at: fromMs, timeoutMs: Self.timeoutMs)
    var extents: [Int32: Range<Int64>] = [:]
    for place in places {
      let (low, high) = try reader.queryWatermarks(of: place, timeoutMs: Self.timeoutMs)
      let offset = byTime[place].flatMap { $0 } ?? high
      extents[place.partition] = max(low, min(offset, high - Self.fewRecords))..<high
    }
    return extents
  }

  private var clientLog: ClientLog {
    { [log] line in
      let text = "librdkafka: \(line.facility): \(line.text)"
      log.debug(text)
    }
  }

  // MARK: Reading

  /// - Parameter ends: of the partitions, when reading begins. A partition that is busy may never be read to the end
  ///   that it has then.
  private func follow(
    _ reader: inout Reader, _ shelf: CommandShelf, upTo ends: [Int32: Int64]
  ) throws(KafkaError) {
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    var reading = CommandReading(partitionCount: shelf.partitionCount)
    /// Partitions that are still read back, and up to where.
    var catchingUp = ends
    unread.withLock { $0 = catchingUp.count }
    for partition in shelf.served { try start(&reader, partition, shelf) }
    stopping.onSet(reader.waker)
    var lagMs: Int64 = 0
    var growthMs = MonotonicClock.nowMs() + Self.growthMs
    /// When partitions that lost their place are to be read anew; `.max`: none has.
    var beginsAnewMs = Int64.max
    while !stopping.isSet {
      reader.receive(into: &batch, events: &events, waitMs: 250)
      take(batch, &reading, shelf, &catchingUp)
      if !batch.isEmpty, log.over("broker") { log.info("the broker is back") }
      batch.removeAll()
      for event in events {
        switch event {
        case .endOfPartition(let partition, let offset):
          shelf.change(partition.partition) { $0.hasRead(to: offset) }
          if catchingUp.removeValue(forKey: partition.partition) != nil { hasCaughtUp(catchingUp.count) }
        case .failed(let error) where error.name == "_AUTO_OFFSET_RESET": beginsAnewMs = 0
        case .failed(let error): try answer(error, shelf)
        case .assigned, .revoked: break
        }
      }
      events.removeAll()
      if MonotonicClock.nowMs() >= beginsAnewMs {
        let isDone = try beginAnew(&reader, shelf, &catchingUp)
        beginsAnewMs = isDone ? .max : MonotonicClock.nowMs() + Self.retryMs
      }
      shelf.wakeListeners()
      let nowMs = MonotonicClock.nowMs()
      if nowMs >= lagMs {
        lagMs = nowMs + Self.lagMs
        metrics.lag.set(lag(reader, shelf))
      }
      if nowMs >= growthMs {
        growthMs = nowMs + Self.growthMs
        lookForGrowth(reader, shelf)
      }
    }
  }

  /// Records, of all partitions together, as the last answers of the broker told.
  private func lag(_ reader: borrowing Reader, _ shelf: CommandShelf) -> Int64 {
    shelf.served.reduce(0) { lag, partition in
      let end = reader.cachedEnd(of: TopicPartition(shelf.topic, partition)) ?? 0
      return lag + max(0, end - shelf.read(partition) { $0.history.readTo })
    }
  }

  private func start(
    _ reader: inout Reader, _ partition: Int32, _ shelf: CommandShelf
  ) throws(KafkaError) {
    let begin = shelf.read(partition) { $0.history.begin }
    try reader.start(TopicPartition(shelf.topic, partition), at: .at(begin))
  }

  private func hasCaughtUp(_ left: Int) {
    unread.withLock { $0 = left }
    if left == 0 { log.info("the commands are read back; the gateway is ready") }
  }

  private func take(
    _ batch: borrowing RecordBatch, _ reading: inout CommandReading, _ shelf: CommandShelf,
    _ catchingUp: inout [Int32: Int64]
  ) {
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
        let isLive = record.offset >= catchingUp[partition] ?? 0
        let ageMs = wallMs - record.timestampMs
        if isLive { metrics.commitToGateway.observe(Double(max(0, ageMs)) / 1000) }
        // What lay there is as old as its stamp says, if that can be.
        let isSane = (0...2 * configuration.gateway.lookbackMs).contains(ageMs)
        let readMs = isLive || !isSane ? nowMs : nowMs - ageMs
        let read = reading.read(record, readMs: readMs) { skip, why in
          metrics.skipped(skip)
          log.once(
            skip.word, .warning, "a record of the commands topic is left out, and more like it will be, silently",
            .topic(shelf.topic), .partition(partition), .offset(record.offset), .reason(why))
        }
        if let read { readings.append(read) }
        readTo = record.offset + 1
        next += 1
      }
      shelf.change(partition) { state in
        for reading in readings { state.apply(reading) }
        state.hasRead(to: readTo)
      }
      if let end = catchingUp[partition], readTo >= end {
        catchingUp[partition] = nil
        hasCaughtUp(catchingUp.count)
      }
      metrics.commandsRead.add(Int64(readings.count))
    }
  }

  // MARK: What goes wrong

  private func answer(_ error: KafkaError, _ shelf: CommandShelf) throws(KafkaError) {
    switch error.kind {
    case .unreachable:
      log.once("broker", .warning, "the broker is away; streams go on when it is back", .error(error))
    case .other where !error.isFatal:
      // librdkafka goes on by itself.
      log.once(error.name, .warning, "trouble with the commands topic", .topic(shelf.topic), .error(error))
    case .authentication, .authorization, .unknownTopic, .fenced, .settings, .other: throw error
    }
  }

  /// A place that the topic no longer has: it was made anew, or its records are gone. The partitions concerned are
  /// read again as if the gateway had just begun, and their streams get snapshots.
  ///
  /// - Returns: false if no broker could be asked. librdkafka says it only once of a partition, so we must ask again.
  private func beginAnew(
    _ reader: inout Reader, _ shelf: CommandShelf, _ catchingUp: inout [Int32: Int64]
  ) throws(KafkaError) -> Bool {
    do throws(KafkaError) {
      let extents = try extents(reader, shelf.topic, shelf.served)
      for partition in shelf.served {
        let place = TopicPartition(shelf.topic, partition)
        let extent = extents[partition]!
        let (low, high) = try reader.queryWatermarks(of: place, timeoutMs: Self.timeoutMs)
        let next = shelf.read(partition) { $0.history.readTo }
        guard next < low || next > high else { continue }
        log.warning(
          "a partition of the commands topic has not what comes next; reading it anew", .topic(shelf.topic),
          .partition(partition), .offset(next))
        shelf.change(partition) { $0.reset(begin: extent.lowerBound) }
        catchingUp[partition] = extent.upperBound
        reader.stop(place)
        try reader.start(place, at: .at(extent.lowerBound))
      }
    } catch {
      guard error.kind == .unreachable else { throw error }
      unread.withLock { $0 = max(1, catchingUp.count) }
      return false
    }
    unread.withLock { $0 = catchingUp.count }
    return true
  }

  private func lookForGrowth(_ reader: borrowing Reader, _ shelf: CommandShelf) {
    guard let count = try? reader.partitionCount(of: shelf.topic, timeoutMs: Self.timeoutMs),
      count != Int(shelf.partitionCount)
    else { return }
    log.once(
      "growth", .error,
      "the commands topic has \(count) partitions, and had \(shelf.partitionCount) when the gateway began; restart it,"
        + " or rooms that have moved are not served", .topic(shelf.topic))
  }
}

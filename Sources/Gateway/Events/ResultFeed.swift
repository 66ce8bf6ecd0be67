import HTTP
import JSON
import Kafka
import Platform
import Probes
import RoomModel
import RoomScreen
import Settings
import Synchronization
import Wire

/// Reads the results of grabs on a thread of its own: first the last of them, into the store, for those who were away;
/// then it hands each to all loops, and the one that has its user's stream passes it on.
final class ResultFeed: Sendable {
  private let configuration: Configuration
  private let metrics: GatewayMetrics
  private let log: Log
  private let stopping: StopSignal
  private let store: ResultStore
  private let boxes = Mutex<[Mailbox<ResultNews>]>([])

  private static let clientId = "flyscreen-gateway-results"
  private static let timeoutMs: Int32 = 5000
  /// Milliseconds; the question holds up what is read.
  private static let lookMs: Int32 = 200
  private static let retryMs: Int64 = 1000
  /// The time between two looks whether the topic has grown.
  private static let growthMs: Int64 = 2000

  init(
    _ configuration: Configuration, _ store: ResultStore, _ metrics: GatewayMetrics, _ log: Log, _ stopping: StopSignal
  ) {
    self.store = store
    self.configuration = configuration
    self.metrics = metrics
    self.log = log
    self.stopping = stopping
  }

  func add(_ box: Mailbox<ResultNews>) { boxes.withLock { $0.append(box) } }

  /// Runs until it is stopped. Commands don't wait for it: what is wrong here is only logged.
  func run() throws(KafkaError) {
    let properties = try KafkaProperties(configuration.kafka)
    let topic = configuration.topics.results
    var backOff = RetryWait()
    var next: [TopicPartition: Int64] = [:]
    while !stopping.isSet {
      do throws(KafkaError) {
        // A client of its own asks: how much a reader keeps of each partition is settled when it is made.
        let admin = try Admin(properties: properties, clientId: Self.clientId, log: log.ofClient)
        let count = try admin.partitionCount(of: topic, timeoutMs: Self.timeoutMs)
        var reader = try Reader(properties: properties, clientId: Self.clientId, partitions: count, log: log.ofClient)
        let partitions = Array(0..<Int32(count))
        let begins =
          try next.isEmpty
          ? reader.watermarks(
            of: partitions, in: topic, lookbackMs: configuration.gateway.lookbackMs, timeoutMs: Self.timeoutMs)
          : [:]
        for partition in partitions {
          let place = TopicPartition(topic, partition)
          try reader.start(place, at: (next[place] ?? begins[partition]?.begin).map { .at($0) } ?? .latest)
        }
        return try follow(&reader, partitions: Int32(count), &next, &backOff)
      } catch {
        // The feed of commands says that the broker is away.
        guard error.kind != .unreachable else {
          stopping.wait(ms: Self.retryMs)
          continue
        }
        log.once(
          "results", .warning,
          "results of grabs are not passed on; see that the topic is there and may be read, or turn gateway.results off",
          .topic(topic), .error(error))
        if error.kind == .unknownTopic { next = [:] }
      }
      // A topic that was there may come back, and so may a right.
      stopping.wait(ms: backOff.next())
    }
  }

  /// - Parameter next: the next offset of each partition, kept for the client after this one.
  /// - Throws: `KafkaError` for what takes another client: the topic is gone, or we are refused.
  private func follow(
    _ reader: inout Reader, partitions: Int32, _ next: inout [TopicPartition: Int64], _ backOff: inout RetryWait
  ) throws(KafkaError) {
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    var decoder = ResultDecoder()
    var buffer = ByteBuffer()
    stopping.onSet(reader.waker.wake)
    let boxes = boxes.withLock { $0 }
    var partitions = partitions
    /// Partitions whose end has been seen.
    var readBack: Set<Int32> = []
    /// Places that a broker says are not there, each since when.
    var lost: [TopicPartition: Int64] = [:]
    var growthAtMs = MonotonicClock.nowMs() + Self.growthMs
    while !stopping.isSet {
      reader.receive(into: &batch, events: &events, waitMs: 250)
      for index in 0..<batch.count {
        let source = batch.source(index)
        next[TopicPartition(reader.topicName(source.topicOrdinal), source.partition)] = batch[index].offset + 1
        if batch[index].isBlank { continue }
        guard let (result, isKept) = Self.result(batch[index], &decoder, &buffer) else {
          metrics.countSkip(.notUnderstood)
          continue
        }
        let known = store.add(result, isKept: isKept)
        // The store answers waiting clients until all is read back.
        guard store.isReadBack else { continue }
        for box in boxes { if !box.put(.result(known)) { metrics.droppedResults.add() } }
      }
      batch.removeAll()
      for case .endOfPartition(let place, let offset) in events {
        next[place] = offset
        backOff.reset()
        readBack.insert(place.partition)
        if readBack.count >= partitions, !store.isReadBack {
          store.endReadBack()
          for box in boxes { box.put(.readBack) }
        }
        if log.over("results") { log.info("reading results of grabs again") }
      }
      for case .failed(let error, let place) in events where error.kind != .unreachable {
        // librdkafka would look for the topic again in some minutes.
        if error.kind == .unknownTopic || error.isRefusal { throw error }
        log.once("results", .warning, "can't read results of grabs; some may be missing", .error(error))
        if error.isOutOfRange, let place {
          reader.stop(place)
          lost[place] = MonotonicClock.nowMs()
        }
      }
      events.removeAll()
      if !lost.isEmpty { try readOn(&reader, &lost, next) }
      if MonotonicClock.nowMs() >= growthAtMs {
        try readNewPartitions(&reader, beyond: &partitions)
        growthAtMs = MonotonicClock.nowMs() + Self.growthMs
      }
    }
  }

  /// Reads on where a broker says that there is nothing: the topic was made anew, its records are gone, or that broker
  /// leads the partition no more.
  ///
  /// - Parameter lost: places, each since when; those that are read again are taken away.
  private func readOn(
    _ reader: inout Reader, _ lost: inout [TopicPartition: Int64], _ next: [TopicPartition: Int64]
  ) throws(KafkaError) {
    for (place, sinceMs) in lost {
      guard let (low, high) = try? reader.queryWatermarks(of: place, timeoutMs: Self.lookMs) else { continue }
      let next = next[place] ?? low
      let isShorter = high < next
      if isShorter, MonotonicClock.nowMs() - sinceMs < TopicProgress.patienceMs { continue }
      try reader.start(place, at: .at(isShorter ? low : max(low, next)))
      lost[place] = nil
    }
  }

  /// Reads them from their beginning: all of what is on them is new.
  private func readNewPartitions(_ reader: inout Reader, beyond known: inout Int32) throws(KafkaError) {
    let topic = configuration.topics.results
    guard let count = try? reader.partitionCount(of: topic, timeoutMs: Self.lookMs) else { return }
    while known < Int32(count) {
      try reader.start(TopicPartition(topic, known), at: .earliest)
      known += 1
    }
  }

  private static func result(
    _ record: KafkaRecord, _ decoder: inout ResultDecoder, _ buffer: inout ByteBuffer
  ) -> (StreamResult, isKept: Bool)? {
    let contentType = record.lastHeader("content-type")
    guard let published = try? decoder.decode(value: record.value, contentType: contentType) else { return nil }
    buffer.removeAll()
    CommandEncoder(topic: published.topic.description, partition: published.partition, format: .json)
      .encode(published.result, into: &buffer)
    let result = StreamResult(
      user: ID(published.result.userId), room: ID(published.result.roomId),
      timestampMs: record.timestampMs >= 0 ? record.timestampMs : WallClock.nowMs(), json: Array(buffer.bytes))
    return (result, published.result.outcome != .missed)
  }
}

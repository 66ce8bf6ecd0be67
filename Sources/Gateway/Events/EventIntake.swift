import Glibc
import HTTP
package import Kafka
import Platform
import Probes
import RoomModel
import RoomScreen
import Settings
import Synchronization
import Wire

/// Sends events to their input topics, on a thread that has the producer, and replies with the fate of each.
package final class EventIntake: Sendable {
  /// An event that is understood.
  struct Event: Sendable {
    let kind: EventKind
    let room: ID
    /// Of gathered taps.
    var run: LikeRun? = nil
    /// The event as it goes to the topic.
    let json: [UInt8]
  }

  package enum Outcome: Equatable, Sendable {
    case delivered(TopicPartition, offset: Int64)
    /// The reason in one line.
    case failed(String)
  }

  private struct Submission: Sendable {
    let event: Event
    let reply: @Sendable (Outcome) -> Void
  }

  private struct InFlight {
    let place: TopicPartition
    let receipt: DeliveryReceipts.Receipt
    let reply: @Sendable (Outcome) -> Void
  }

  private let configuration: Configuration
  private let log: Log
  private let stopping = StopSignal()
  private let box = Mutex<[Submission]>([])
  /// A pipe with a byte in it while the box has something.
  private let reading: Int32
  private let writing: Int32

  /// Events in the box, and on their way to the broker.
  private static let capacity = 1000
  /// The time after which an event counts as not delivered.
  private static let patienceMs = "5000"
  private static let retryMs: Int64 = 500
  /// The time between two looks for topics that have grown.
  private static let lookMs: Int64 = 3000
  /// Replies wait as long as the broker takes to tell.
  private static let lookPatienceMs: Int32 = 200

  init(_ configuration: Configuration, _ log: Log) {
    self.configuration = configuration
    self.log = log
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "no descriptor is left for a pipe")
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Any thread. `reply` is called on the intake's.
  ///
  /// - Returns: false if too many wait already.
  func submit(_ event: Event, reply: @escaping @Sendable (Outcome) -> Void) -> Bool {
    let count = box.withLock { box in
      if box.count < Self.capacity { box.append(Submission(event: event, reply: reply)) } else { return 0 }
      return box.count
    }
    if count == 1 { write(writing, "!", 1) }
    return count > 0
  }

  func stop() {
    stopping.set()
    write(writing, "!", 1)
  }

  // MARK: The thread

  /// Runs until it is stopped. Once it has worked, it goes on with another producer where one is refused.
  func run() throws(KafkaError) {
    var backOff = RetryWait()
    var hasWorked = false
    while !stopping.isSet {
      do throws(KafkaError) {
        try work(&backOff, &hasWorked)
      } catch {
        guard hasWorked else { throw error }
        log.once("events", .error, "posted events can't be written to the broker; retrying", .error(error))
        let untilMs = MonotonicClock.nowMs() + backOff.next()
        while !stopping.isSet, MonotonicClock.nowMs() < untilMs {
          for submission in take() { submission.reply(.failed("the broker takes no events now; send it again later")) }
          stopping.wait(ms: Self.retryMs)
        }
      }
    }
  }

  /// Works with one producer, until it is refused or stopped.
  private func work(_ backOff: inout RetryWait, _ hasWorked: inout Bool) throws(KafkaError) {
    let defaults = ["message.timeout.ms": Self.patienceMs, "linger.ms": "1"]
    let properties = try KafkaProperties(defaults.merging(configuration.kafka) { $1 })
    let producer = try Producer(
      properties: properties, clientId: "flyscreen-gateway-events", log: log.ofClient)
    let receipts = DeliveryReceipts(producer, capacity: Self.capacity)
    guard var topics = try awaitTopics(producer) else { return }
    hasWorked = true
    var sent: [InFlight] = []
    var lookAtMs = MonotonicClock.nowMs() + Self.lookMs
    while !stopping.isSet || !sent.isEmpty {
      if sent.isEmpty { awaitSubmission() }
      if MonotonicClock.nowMs() >= lookAtMs {
        lookForGrowth(producer, &topics)
        lookAtMs = MonotonicClock.nowMs() + Self.lookMs
      }
      for submission in take() { send(submission, topics, receipts, &sent) }
      producer.serve(waitMs: sent.isEmpty ? 0 : 2)
      sent.removeAll { one in
        switch receipts.outcome(of: one.receipt) {
        case .waiting: return false
        case .delivered(let offset):
          backOff.reset()
          if log.over("events") { log.info("posted events are written again") }
          one.reply(.delivered(one.place, offset: offset))
        case .failed: one.reply(.failed("the broker did not take the event in time; send it again"))
        }
        receipts.giveBack(one.receipt)
        return true
      }
      if let refusal = producer.refusal {
        for one in sent { one.reply(.failed("the broker did not take the event; send it again")) }
        _ = producer.close(boundedMs: 2000)
        throw refusal
      }
    }
    _ = producer.close(boundedMs: 2000)
  }

  private func awaitSubmission() {
    var poller = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    poll(&poller, 1, 1000)
    var byte: UInt8 = 0
    while read(reading, &byte, 1) > 0 {}
  }

  private func take() -> [Submission] {
    box.withLock { box in
      defer { box = [] }
      return box
    }
  }

  /// Nil: stopped before.
  private func awaitTopics(_ producer: Producer) throws(KafkaError) -> [EventKind: [OutputTopic]]? {
    while !stopping.isSet {
      do throws(KafkaError) {
        var topics: [EventKind: [OutputTopic]] = [:]
        for kind in EventKind.allCases {
          topics[kind] = try configuration.topics.produced(kind).map { name throws(KafkaError) in
            try producer.topic(name, timeoutMs: 5000)
          }
        }
        return topics
      } catch {
        guard error.mayPass else { throw error }
      }
      // The feed says that the broker is away.
      for submission in take() { submission.reply(.failed("no broker can be reached; send it again later")) }
      stopping.wait(ms: Self.retryMs)
    }
    return nil
  }

  /// An event goes where any producer would put it now. If the broker doesn't tell, all stays as it was.
  private func lookForGrowth(_ producer: Producer, _ topics: inout [EventKind: [OutputTopic]]) {
    let all = topics.values.joined()
    for name in Set(all.map(\.name)) {
      guard let known = all.first(where: { $0.name == name }),
        let topic = try? producer.grown(known, timeoutMs: Self.lookPatienceMs), topic !== known
      else { continue }
      log.info("an input topic has grown", .topic(name), .partitions(String(topic.partitionCount)))
      for kind in EventKind.allCases {
        topics[kind] = topics[kind]!.map { $0.name == name ? topic : $0 }
      }
    }
  }

  private func send(
    _ submission: Submission, _ topics: [EventKind: [OutputTopic]], _ receipts: DeliveryReceipts,
    _ sent: inout [InFlight]
  ) {
    let topics = topics[submission.event.kind]!
    let reply = topics.count == 1 ? submission.reply : Self.reply(once: topics.count, submission.reply)
    for topic in topics { send(Submission(event: submission.event, reply: reply), to: topic, receipts, &sent) }
  }

  /// Makes a reply for an event that goes to `count` topics. It is given once: when the last topic has the event, with
  /// its place there, or when the first topic fails.
  package static func reply(
    once count: Int, _ reply: @escaping @Sendable (Outcome) -> Void
  ) -> @Sendable (Outcome) -> Void {
    let missing = Mutex(count)
    return { outcome in
      let isDue = missing.withLock { missing in
        guard missing > 0 else { return false }
        if case .failed = outcome { missing = 0 } else { missing -= 1 }
        return missing == 0
      }
      if isDue { reply(outcome) }
    }
  }

  private func send(
    _ submission: Submission, to topic: OutputTopic, _ receipts: DeliveryReceipts, _ sent: inout [InFlight]
  ) {
    let event = submission.event
    guard let receipt = receipts.take() else {
      return submission.reply(.failed("too many events are on their way; send it again later"))
    }
    let partition = RoomRouting.partition(of: event.room, Int32(topic.partitionCount))
    do throws(KafkaError) {
      try event.withBytes { key, json throws(KafkaError) in
        try topic.produce(partition, key: key, value: json, receipt: receipt)
      }
      sent.append(
        InFlight(place: TopicPartition(topic.name, partition), receipt: receipt, reply: submission.reply))
    } catch {
      receipts.giveBack(receipt)
      submission.reply(.failed(error.isTooLarge ? "the event is too large for its topic" : error.message))
    }
  }
}

extension EventIntake.Event {
  fileprivate func withBytes(
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(KafkaError) -> Void
  ) throws(KafkaError) {
    try room.withBytes { key throws(KafkaError) in
      let result = json.withUnsafeBytes { json in Result { () throws(KafkaError) in try body(key, json) } }
      try result.get()
    }
  }
}

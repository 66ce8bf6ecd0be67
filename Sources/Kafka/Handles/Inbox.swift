import CRdKafka
import Glibc
import Platform

/// Takes the reports of librdkafka's callbacks, as values. All callbacks run on the thread that serves the
/// client, inside its call, so nothing here is shared.
final class Inbox {
  private let log: ClientLog
  /// Nil: nobody wants to know.
  private let statistics: ClientStatistics?
  /// Ends the wait that a callback came in: librdkafka would go on waiting for a record.
  var waker: ConsumerWaker?
  /// Events of a consumer, in the order in which they came.
  var events: [ConsumerEvent] = []
  /// The last error that explains why nothing works; see `reason`.
  private var lastReason: (error: KafkaError, atMs: Int64)?
  private static let freshMs: Int64 = 60_000
  /// They were there, and went; until one answers again.
  var areAllAway = false
  /// The last thing that this client can't get over by itself: it is refused, or has failed for good.
  private(set) var refusal: KafkaError?
  /// The last topic that a transaction may not write to: of the call that fails for it one can't tell which.
  var refusedTopic: String?
  /// The first message that could not be delivered.
  var deliveryFailure: KafkaError?
  /// Its topic.
  private(set) var refusingTopic: String?
  @exclusivity(unchecked) var deliveredCount = 0
  /// A broker was away since this was last looked at.
  var hasLostBroker = false

  /// The bound of what a consumer unpacks. Threads of librdkafka read it once the client is there; it never changes then.
  var unpackBound: UnpackBound?

  /// Memory that `slots` gave, freed when no delivery report can come any more.
  private var slotBlocks: [UnsafeMutablePointer<Int64>] = []

  /// Values of a receipt's slot before its report, and after a report of a failure. No offset is as low.
  static let noReport = Int64.min
  static let failureReport = Int64.min + 1

  /// Memory from which librdkafka reads records; nil: it copies them. Freed like slots.
  let rows: OutputRows?

  init(log: @escaping ClientLog, statistics: ClientStatistics? = nil, rows: OutputRows? = nil) {
    self.log = log
    self.rows = rows
    self.statistics = statistics
  }

  deinit { for block in slotBlocks { block.deallocate() } }

  /// Room for offsets that delivery reports leave: a record carries the address of its slot. All are -1 at first.
  func slots(_ count: Int) -> UnsafeMutablePointer<Int64> {
    let block = UnsafeMutablePointer<Int64>.allocate(capacity: max(1, count))
    block.initialize(repeating: -1, count: max(1, count))
    slotBlocks.append(block)
    return block
  }

  func register(on conf: OpaquePointer, _ type: rd_kafka_type_t) {
    rd_kafka_conf_set_log_cb(conf) { client, level, facility, text in
      guard let client, let inbox = Inbox.of(rd_kafka_opaque(client)) else { return }
      if let facility, let text, strcmp(facility, "ADDPARTS") == 0 { inbox.keepRefusedTopic(String(cString: text)) }
      inbox.log(
        ClientLogLine(
          level: level, facility: facility.map { String(cString: $0) } ?? "",
          text: text.map { String(cString: $0) } ?? ""))
    }
    if statistics != nil {
      rd_kafka_conf_set_stats_cb(conf) { _, json, count, opaque in
        if let json, let inbox = Inbox.of(opaque) {
          inbox.statistics?(UnsafeRawBufferPointer(start: json, count: count))
        }
        // It is librdkafka's to free.
        return 0
      }
    }
    rd_kafka_conf_set_error_cb(conf) { client, code, reason, opaque in
      guard let client, let inbox = Inbox.of(opaque) else { return }
      inbox.failed(client, rd_kafka_resp_err_t(rawValue: code), reason.map { String(cString: $0) } ?? "")
    }
    if type == RD_KAFKA_CONSUMER {
      rd_kafka_conf_set_rebalance_cb(conf) { client, code, partitions, opaque in
        guard let client, let partitions, let inbox = Inbox.of(opaque) else { return }
        inbox.rebalanced(client, code, TopicPartition.all(in: partitions))
      }
    } else {
      // Without one a commit waits for its deliveries in slices of 10 ms.
      rd_kafka_conf_set_dr_msg_cb(conf) { _, message, opaque in
        guard let message, let opaque else { return }
        // It comes for each record, and to count who holds the inbox took longer than the rest.
        Unmanaged<Inbox>.fromOpaque(opaque)._withUnsafeGuaranteedRef { $0.delivered(message) }
      }
    }
  }

  static func of(_ opaque: UnsafeMutableRawPointer?) -> Inbox? {
    opaque.map { Unmanaged<Inbox>.fromOpaque($0).takeUnretainedValue() }
  }

  private func rebalanced(_ client: OpaquePointer, _ code: rd_kafka_resp_err_t, _ partitions: [TopicPartition]) {
    switch code {
    case RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS: events.append(.assigned(partitions))
    case RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS:
      events.append(.revoked(partitions, lost: rd_kafka_assignment_lost(client) != 0))
    default:
      events.append(.failed(KafkaError(code), of: nil))
      events.append(.revoked(partitions, lost: true))
    }
    waker?.wake()
  }

  private func failed(_ client: OpaquePointer, _ code: rd_kafka_resp_err_t, _ reason: String) {
    let error = KafkaError(code, reason, of: client)
    if error.kind != .other { keepReason(error) }
    if error.kind == .unreachable { hasLostBroker = true }
    if code == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN, let cluster = rd_kafka_clusterid(client, 0) {
      rd_kafka_mem_free(client, cluster)
      areAllAway = true
    }
    if error.isRefusal { refusal = error }
    if rd_kafka_type(client) == RD_KAFKA_CONSUMER { events.append(.failed(error, of: nil)) }
  }

  /// `Failed to add partition "render.commands" [1] to transaction: Broker: Topic authorization failed`
  private func keepRefusedTopic(_ line: String) {
    let quoted = line.split(separator: "\"", omittingEmptySubsequences: false)
    guard quoted.count == 3,
      line.hasSuffix(String(cString: rd_kafka_err2str(RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED)))
    else { return }
    refusedTopic = String(quoted[1])
  }

  /// "Wrong password" explains more than "connection closed", which explains more than "all brokers down".
  private func keepReason(_ error: KafkaError) {
    if let last = freshReason, Self.weight(last) > Self.weight(error) { return }
    lastReason = (error, MonotonicClock.nowMs())
  }

  /// librdkafka tells the same again within half a minute, and no call that fails long after it fails for it.
  private var freshReason: KafkaError? {
    lastReason.flatMap { MonotonicClock.nowMs() - $0.atMs < Self.freshMs ? $0.error : nil }
  }

  private static func weight(_ error: KafkaError) -> Int {
    switch error.kind {
    case .unreachable: error.code == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN.rawValue ? 0 : 1
    default: 2
    }
  }

  /// `error` with the reason that came on its own, if one did; reasons are forgotten when asked for.
  func reason(for error: KafkaError) -> KafkaError {
    defer { lastReason = nil }
    guard let reason = freshReason else { return error }
    var explained = error
    explained.kind = reason.kind
    explained.message = "\(error.message): \(reason.message)"
    return explained
  }

  private func delivered(_ message: UnsafePointer<rd_kafka_message_t>) {
    let code = message.pointee.err
    guard code == RD_KAFKA_RESP_ERR_NO_ERROR else {
      if let slot = message.pointee._private?.assumingMemoryBound(to: Int64.self), slot.pointee == Self.noReport {
        slot.pointee = Self.failureReport
      }
      // Records that an abort throws out of the queues were not meant to arrive.
      let isPurged = code == RD_KAFKA_RESP_ERR__PURGE_QUEUE || code == RD_KAFKA_RESP_ERR__PURGE_INFLIGHT
      if deliveryFailure == nil, !isPurged {
        let topic = String(cString: rd_kafka_topic_name(message.pointee.rkt))
        refusingTopic = topic
        deliveryFailure = KafkaError(
          code, "a record for \(topic)[\(message.pointee.partition)]: \(String(cString: rd_kafka_err2str(code)))")
      }
      return
    }
    deliveredCount += 1
    if let slot = message.pointee._private?.assumingMemoryBound(to: Int64.self) {
      slot.pointee = max(slot.pointee, message.pointee.offset)
      if rows != nil, slot[1] < 0 { slot[1] = message.pointee.offset }
    }
  }
}

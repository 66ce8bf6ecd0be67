import Kafka
import KafkaProbes
import Platform
import Settings

/// Clients of librdkafka, and the machine's clocks.
struct BrokerClients: MemberClients {
  func consumer(_ context: MemberContext<Self>) throws(KafkaError) -> BatchedConsumer {
    let plan = context.plan
    return BatchedConsumer(
      try GroupConsumer(
        properties: plan.properties, group: plan.group, instanceId: plan.isNamed ? context.name : nil,
        clientId: context.clientId, topics: plan.topics.input,
        statistics: { [metrics = context.metrics, number = context.number] in
          metrics.groupClients.update(number, $0)
        },
        log: plan.clientLog))
  }

  func reader(_ context: MemberContext<Self>) throws(KafkaError) -> BatchedReader {
    BatchedReader(
      try Kafka.Reader(
        properties: context.plan.properties, clientId: context.clientId, staysAtEnd: false,
        log: context.plan.clientLog))
  }

  func producer(
    _ context: MemberContext<Self>, _ limits: OutputLimits, _ turn: ProducerTurn
  ) throws(KafkaError) -> BrokerProducer {
    try BrokerProducer(context, limits, turn)
  }

  func admin(_ context: MemberContext<Self>) throws(KafkaError) -> BrokerAdmin {
    BrokerAdmin(
      try Kafka.Admin(properties: context.plan.properties, clientId: context.clientId, log: context.plan.clientLog))
  }

  func watch(_ context: MemberContext<Self>) throws(KafkaError) -> BrokerWatch { try BrokerWatch(context) }

  func monotonicMs() -> Int64 { MonotonicClock.nowMs() }
  func wallMs() -> Int64 { WallClock.nowMs() }
  func random() -> UInt64 { .random(in: .min ... .max) }
}

/// A ``GroupConsumer`` with the batch that it fills. Accesses to it are not held against each other for each record.
final class BatchedConsumer: MemberConsumer {
  /// Nil once it is closed.
  @exclusivity(unchecked) private var consumer: GroupConsumer?
  @exclusivity(unchecked) private var batch = RecordBatch(capacity: 2000)
  let wake: @Sendable () -> Void

  init(_ consumer: consuming GroupConsumer) {
    wake = consumer.waker.wake
    self.consumer = consume consumer
  }

  var count: Int { batch.count }
  var capacity: Int { batch.capacity }
  subscript(i: Int) -> KafkaRecord { batch[i] }
  func emptyBatch() { batch.removeAll() }

  func receive(_ events: inout [ConsumerEvent], waitMs: Int32) {
    consumer!.receive(into: &batch, events: &events, waitMs: waitMs)
  }

  var group: GroupMembership { consumer!.currentMembership() }
  var memberId: String? { consumer!.currentMemberId() }

  func assign(_ partitions: [(partition: TopicPartition, offset: StartOffset)]) throws(KafkaError) {
    try consumer!.assign(partitions)
  }

  func unassign() throws(KafkaError) { try consumer!.unassign() }

  func committed(_ partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [CommittedOffset] {
    try consumer!.committed(partitions, timeoutMs: timeoutMs)
  }

  func leaders(of topic: String, timeoutMs: Int32) throws(KafkaError) -> [Int32?] {
    try consumer!.leaders(of: topic, timeoutMs: timeoutMs)
  }

  func queryWatermarks(
    of partition: TopicPartition, timeoutMs: Int32
  ) throws(KafkaError) -> (low: Int64, high: Int64) {
    try consumer!.queryWatermarks(of: partition, timeoutMs: timeoutMs)
  }

  func cachedEnd(of partition: TopicPartition) -> Int64? { consumer!.cachedEnd(of: partition) }

  func close(boundedMs: Int) -> Bool {
    batch.removeAll()
    return consumer.take()?.close(boundedMs: boundedMs) ?? true
  }
}

extension GroupConsumer {
  // A method: a property of a value that can't be copied, and that a class holds, can't be read here.
  fileprivate func currentMembership() -> GroupMembership { membership }
  fileprivate func currentMemberId() -> String? { memberId }
}

/// A ``Reader`` with the batch that it fills.
final class BatchedReader: MemberReader {
  @exclusivity(unchecked) private var reader: Reader
  @exclusivity(unchecked) private var batch = RecordBatch(capacity: 2000)

  init(_ reader: consuming Reader) { self.reader = reader }

  var count: Int { batch.count }
  var capacity: Int { batch.capacity }
  subscript(i: Int) -> KafkaRecord { batch[i] }
  func emptyBatch() { batch.removeAll() }

  func receive(_ events: inout [ConsumerEvent], waitMs: Int32) {
    reader.receive(into: &batch, events: &events, waitMs: waitMs)
  }

  func start(_ partition: TopicPartition, at offset: StartOffset) throws(KafkaError) {
    try reader.start(partition, at: offset)
  }

  func stop(_ partition: TopicPartition) { reader.stop(partition) }
  func topicName(_ ordinal: Int) -> String { reader.topicName(ordinal) }

  func leaders(of topic: String, timeoutMs: Int32) throws(KafkaError) -> [Int32?] {
    try reader.leaders(of: topic, timeoutMs: timeoutMs)
  }

  func queryWatermarks(
    of partition: TopicPartition, timeoutMs: Int32
  ) throws(KafkaError) -> (low: Int64, high: Int64) {
    try reader.queryWatermarks(of: partition, timeoutMs: timeoutMs)
  }

  func cachedEnd(of partition: TopicPartition) -> Int64? { reader.cachedEnd(of: partition) }

  func offsets(
    of partitions: [TopicPartition], at timeMs: Int64, timeoutMs: Int32
  ) throws(KafkaError) -> [TopicPartition: Int64?] {
    try reader.offsets(of: partitions, at: timeMs, timeoutMs: timeoutMs)
  }
}

final class BrokerAdmin: MemberAdmin {
  private let admin: Admin

  init(_ admin: consuming Admin) { self.admin = admin }

  func describeGroup(_ group: String, timeoutMs: Int32) throws(KafkaError) -> GroupDescription {
    try admin.describeGroup(group, timeoutMs: timeoutMs)
  }

  func settings(of topic: String, timeoutMs: Int32) throws(KafkaError) -> [String: [String: String]] {
    try admin.describe([topic], timeoutMs: timeoutMs).settings
  }
}

/// Its clients are made when they are first needed: a restore needs one.
final class BrokerWatch: MemberWatch {
  private let plan: WorkerPlan
  private let clientId: String
  private let group: GroupWatch
  private var offsets: GroupOffsets?
  private var reader: Reader?

  init(_ context: MemberContext<BrokerClients>) throws(KafkaError) {
    (plan, clientId) = (context.plan, context.clientId)
    group = try GroupWatch(
      properties: context.plan.properties, group: context.plan.group, clientId: context.clientId,
      log: context.plan.clientLog)
  }

  func decided(_ partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [CommittedOffset] {
    try group.committed(partitions, timeoutMs: timeoutMs)
  }

  func stable(_ partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [CommittedOffset] {
    if offsets == nil {
      offsets = try GroupOffsets(
        properties: plan.properties, group: plan.group, clientId: clientId, log: plan.clientLog)
    }
    return try offsets!.committed(partitions, timeoutMs: timeoutMs)
  }

  func partitionCount(of topic: String, timeoutMs: Int32) throws(KafkaError) -> Int {
    try group.partitionCount(of: topic, timeoutMs: timeoutMs)
  }

  func logEnds(of partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [TopicPartition: Int64] {
    try group.ends(of: partitions, timeoutMs: timeoutMs)
  }

  func ends(of partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [TopicPartition: PartitionEnds] {
    if reader == nil { reader = try Reader(properties: plan.properties, clientId: clientId, log: plan.clientLog) }
    return try group.ends(of: partitions, readableBy: reader!, timeoutMs: timeoutMs)
  }
}

package import Kafka

/// The clients of Kafka that a member works with, and the clocks beside them: ``BrokerClients``, and those of the
/// simulation, which runs the same members over arrays.
///
/// The worker is generic over them within this target alone, so release builds have it compiled for ``BrokerClients``.
package protocol MemberClients: Sendable {
  associatedtype Consumer: MemberConsumer
  associatedtype Reader: MemberReader
  associatedtype Producer: MemberProducer where Producer.Group == Consumer.Group
  associatedtype Admin: MemberAdmin
  associatedtype Watch: MemberWatch

  /// Joins the group.
  func consumer(_ context: MemberContext<Self>) throws(KafkaError) -> Consumer
  /// Reads what is there, committed, and no more.
  func reader(_ context: MemberContext<Self>) throws(KafkaError) -> Reader
  /// Ends what an earlier one with the same name left open, and fences it.
  func producer(
    _ context: MemberContext<Self>, _ limits: OutputLimits, _ turn: ProducerTurn
  ) throws(KafkaError) -> Producer
  func admin(_ context: MemberContext<Self>) throws(KafkaError) -> Admin
  /// Looks at the group and its logs from outside.
  func watch(_ context: MemberContext<Self>) throws(KafkaError) -> Watch

  /// Milliseconds of a clock that only moves forward.
  func monotonicMs() -> Int64
  /// Milliseconds since 1970, of a clock that may jump.
  func wallMs() -> Int64
  /// A number by chance.
  func random() -> UInt64
}

/// A record that was received: a view, good until the batch is emptied.
package protocol MemberRecord {
  var source: PartitionKey { get }
  var offset: Int64 { get }
  /// -1: none.
  var timestampMs: Int64 { get }
  var key: UnsafeRawBufferPointer? { get }
  var value: UnsafeRawBufferPointer? { get }
  var allHeaders: [(name: String, value: UnsafeRawBufferPointer?)] { get }
  func lastHeader(_ name: String) -> UnsafeRawBufferPointer?
  func hasHeader(_ name: String, otherThan text: String) -> Bool
  /// The batch that the record stands for, if it does.
  var passedBatch: PassedBatch? { get }
}

extension MemberRecord {
  package var passedBatch: PassedBatch? { nil }
}

extension KafkaRecord: MemberRecord {}

/// Receives records and events, a batch at a time.
package protocol BatchSource: AnyObject {
  associatedtype Record: MemberRecord

  /// The number of records in the batch.
  var count: Int { get }
  var capacity: Int { get }
  subscript(i: Int) -> Record { get }
  func emptyBatch()
  /// Waits up to `waitMs` for something to come, then takes what there is, as far as the batch has room for it.
  func receive(_ events: inout [ConsumerEvent], waitMs: Int32)

  /// The broker that leads each partition of a topic, as many as there are; nil: none does.
  func leaders(of topic: String, timeoutMs: Int32) throws(KafkaError) -> [Int32?]
  /// The first offset, and the one after the last that committed readers see.
  func queryWatermarks(of partition: TopicPartition, timeoutMs: Int32) throws(KafkaError) -> (low: Int64, high: Int64)
  /// The end of the log as the last fetch reported it.
  func cachedEnd(of partition: TopicPartition) -> Int64?
}

extension BatchSource {
  func partitionCount(of topic: String, timeoutMs: Int32) throws(KafkaError) -> Int {
    try leaders(of: topic, timeoutMs: timeoutMs).count
  }
}

/// A place in the consumer group: ``GroupConsumer`` says what its calls do.
package protocol MemberConsumer: BatchSource {
  /// Names the member in its group at this moment.
  associatedtype Group

  var group: Group { get }
  var memberId: String? { get }
  /// Ends a wait, from any thread.
  var wake: @Sendable () -> Void { get }
  func assign(_ partitions: [(partition: TopicPartition, offset: StartOffset)]) throws(KafkaError)
  func unassign() throws(KafkaError)
  func committed(_ partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [CommittedOffset]
  /// - Returns: Whether it took no longer than it may.
  func close(boundedMs: Int) -> Bool
}

/// Reads partitions without a group: ``Reader`` says what its calls do.
package protocol MemberReader: BatchSource {
  func start(_ partition: TopicPartition, at offset: StartOffset) throws(KafkaError)
  func stop(_ partition: TopicPartition)
  func topicName(_ ordinal: Int) -> String
  func offsets(
    of partitions: [TopicPartition], at timeMs: Int64, timeoutMs: Int32
  ) throws(KafkaError) -> [TopicPartition: Int64?]
}

package protocol MemberAdmin: AnyObject {
  func describeGroup(_ group: String, timeoutMs: Int32) throws(KafkaError) -> GroupDescription
  /// The settings of a topic.
  func settings(of topic: String, timeoutMs: Int32) throws(KafkaError) -> [String: [String: String]]
}

package protocol MemberWatch: AnyObject {
  /// The group's offsets as they are decided, whatever is pending for them.
  func decided(_ partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [CommittedOffset]
  /// The group's offsets once nothing is pending for them. A member that joins the group would hear nothing meanwhile: its
  /// question waits behind that.
  func stable(_ partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [CommittedOffset]
  func partitionCount(of topic: String, timeoutMs: Int32) throws(KafkaError) -> Int
  /// The offset after the last record of each, whatever transaction is open. Where a partition has no leader none is told.
  func logEnds(of partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [TopicPartition: Int64]
  /// Where a partition has no leader none are told.
  func ends(of partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [TopicPartition: PartitionEnds]
}

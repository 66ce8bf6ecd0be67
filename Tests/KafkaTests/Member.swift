import Kafka

/// A member of a group under test, which collects its events.
final class Member {
  var consumer: GroupConsumer?
  var batch = RecordBatch()
  var records: [Seen] = []
  var events: [ConsumerEvent] = []
  var assigned: [TopicPartition] = []

  let waker: ConsumerWaker

  init(group: String, topics: [String], instanceId: String? = nil, _ properties: KafkaProperties) throws {
    let consumer = try GroupConsumer(
      properties: properties, group: group, instanceId: instanceId, clientId: "member", topics: topics
    ) { _ in }
    waker = consumer.waker
    self.consumer = .some(consume consumer)
  }

  /// Receives once and notes it; answers nothing.
  func step(waitMs: Int32 = 200) {
    var new: [ConsumerEvent] = []
    consumer?.receive(into: &batch, events: &new, waitMs: waitMs)
    records += batch.take()
    for event in new {
      if case .assigned(let partitions) = event { assigned = partitions.sorted() }
      if case .revoked = event { assigned = [] }
    }
    events += new
  }

  func wait(_ what: String, until isSo: () throws -> Bool) throws {
    try eventually(what) {
      if try isSo() { return true }
      step()
      return try isSo()
    }
  }

  var revocations: [[TopicPartition]] {
    events.compactMap { if case .revoked(let partitions, _) = $0 { partitions.sorted() } else { nil } }
  }

  func assignAll(at offset: StartOffset = .earliest) throws {
    try consumer!.assign(assigned.map { ($0, offset) })
  }

  func committed(_ partitions: [TopicPartition]) throws -> [CommittedOffset] {
    try ask { try $0.committed(partitions, timeoutMs: 60_000) }
  }

  /// Calls the consumer itself, for anything that has no function here.
  func ask<R: ~Copyable>(_ body: (inout GroupConsumer) throws -> R) rethrows -> R { try body(&consumer!) }

  func close(boundedMs: Int = 60_000) -> Bool {
    guard let consumer = consumer.take() else { return true }
    return consumer.close(boundedMs: boundedMs)
  }
}

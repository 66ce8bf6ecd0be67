import Kafka
import Testing

/// The properties of Kafka that exactly-once rests on, on a real broker.
@Suite(.enabled(if: RealBroker.isThere, RealBroker.whyNot), .timeLimit(.minutes(15)))
struct TransactionTests {
  private func producer(
    _ id: String, _ outputs: [String], _ more: [String: String] = [:]
  ) throws -> TransactionalProducer {
    let producer = try TransactionalProducer(
      properties: RealBroker.properties(more), transactionalId: id, clientId: "tests", outputs: outputs,
      timeoutMs: 60_000
    ) { _ in }
    try producer.initTransactions(timeoutMs: 60_000)
    return producer
  }

  private func error(of body: () throws -> Void) -> KafkaError? {
    do {
      try body()
      return nil
    } catch {
      return error as? KafkaError
    }
  }

  /// Sends a record, and waits until the broker has it: where it has heard nothing of a transaction yet, it refuses the
  /// abort of one that has records (librdkafka's issue 4849).
  private func send(_ value: String, to output: OutputTopic, with producer: TransactionalProducer) throws {
    let before = output.delivered(0)
    try output.produce(0, key: "a", value: value)
    try eventually("the broker has the record") {
      producer.serve()
      return output.delivered(0) != before
    }
  }

  @Test func onlyCommittedRecordsAreSeen() throws {
    let topic = try RealBroker.topic("committed")
    let producer = try producer(RealBroker.unique("id"), [topic])
    let output = producer.topic(topic)
    try producer.begin()
    try output.produce(0, key: "a", value: "1")
    try producer.commit(timeoutMs: 60_000)
    try producer.begin()
    try send("2", to: output, with: producer)
    try producer.abort(timeoutMs: 60_000)
    try producer.begin()
    var batch = OutputBatch(output, partition: 0)
    try batch.append(key: "a", value: "3")
    try batch.flush()
    try producer.commit(timeoutMs: 60_000)
    #expect(producer.deliveryFailure == nil)
    #expect(try readAll(topic, partitions: 1, RealBroker.properties()).map(\.value) == ["1", "3"])
    #expect(producer.close(boundedMs: 60_000))
  }

  @Test func whereARecordWentIsKnownAfterItsCommit() throws {
    let topic = try RealBroker.topic("delivered", partitions: 2)
    let producer = try producer(RealBroker.unique("id"), [topic])
    let output = producer.topic(topic)
    #expect(output.delivered(0) == nil)
    for round in 0..<3 {
      try producer.begin()
      var batch = OutputBatch(output, partition: 0)
      for i in 0..<10 { try batch.append(key: nil, value: "\(round).\(i)") }
      try batch.flush()
      try output.produce(0, key: nil, value: "\(round).10", headers: [OutputHeader("h", "v")])
      try producer.commit(timeoutMs: 60_000)
      // Eleven records and a marker each.
      #expect(output.delivered(0) == Int64(round * 12 + 10))
      #expect(output.delivered(1) == nil)
    }
    #expect(producer.close(boundedMs: 60_000))
  }

  @Test func offsetsAndTheirMetadataComeBack() throws {
    let topic = try RealBroker.topic("metadata", partitions: 3)
    let output = try RealBroker.topic("output")
    let group = RealBroker.unique("group")
    let a = try Member(group: group, topics: [topic], RealBroker.properties())
    try a.wait("it has all") { a.assigned.count == 3 }
    try a.assignAll()
    let producer = try producer(RealBroker.unique("id"), [output])
    let metadata = "v1:" + String(repeating: "0123456789abcdef", count: 200)
    try producer.begin()
    try a.ask { consumer in
      try producer.sendOffsets(
        [
          CommittedOffset(TopicPartition(topic, 0), offset: 7, metadata: metadata),
          CommittedOffset(TopicPartition(topic, 1), offset: 8),
        ], group: consumer.membership.metadata(), timeoutMs: 60_000)
    }
    try producer.commit(timeoutMs: 60_000)
    let committed = try a.committed((0..<3).map { TopicPartition(topic, $0) })
    #expect(committed.map(\.offset) == [7, 8, nil])
    #expect(committed[0].metadata == metadata)
    #expect(committed[1].metadata?.isEmpty ?? true)
    #expect(a.close())
    #expect(producer.close(boundedMs: 60_000))
  }

  @Test func anOlderProducerWithTheSameIdIsFenced() throws {
    let topic = try RealBroker.topic("fenced")
    let id = RealBroker.unique("id")
    let older = try producer(id, [topic])
    try older.begin()
    try older.topic(topic).produce(0, key: nil, value: "older")
    let younger = try producer(id, [topic])
    let error = error { try older.commit(timeoutMs: 60_000) }
    #expect(error?.kind == .fenced)
    #expect(error?.isFatal == true)
    try younger.begin()
    try younger.topic(topic).produce(0, key: nil, value: "younger")
    try younger.commit(timeoutMs: 60_000)
    #expect(try readAll(topic, partitions: 1, RealBroker.properties()).map(\.value) == ["younger"])
    #expect(older.close(boundedMs: 60_000))
    #expect(younger.close(boundedMs: 60_000))
  }

  @Test func offsetsOfAGenerationThatIsOverAreRefusedAndTheTransactionCanBeAborted() throws {
    let topic = try RealBroker.topic("generation", partitions: 2)
    let output = try RealBroker.topic("output")
    let group = RealBroker.unique("group")
    let a = try Member(group: group, topics: [topic], RealBroker.properties())
    try a.wait("it has all") { a.assigned.count == 2 }
    try a.assignAll()
    let old = a.ask { $0.membership.metadata() }
    let b = try Member(group: group, topics: [topic], RealBroker.properties())
    try a.wait("it gives all back") {
      b.step(waitMs: 0)
      return !a.revocations.isEmpty
    }
    try a.consumer!.unassign()
    try a.wait("both have one") {
      b.step(waitMs: 0)
      return a.assigned.count == 1 && b.assigned.count == 1
    }
    let producer = try producer(RealBroker.unique("id"), [output])
    try producer.begin()
    try producer.topic(output).produce(0, key: nil, value: "zombie")
    let error = error {
      try producer.sendOffsets(
        [CommittedOffset(TopicPartition(topic, 0), offset: 1)], group: old, timeoutMs: 60_000)
    }
    #expect(error?.kind == .fenced)
    #expect(error?.requiresAbort == true)
    #expect(error?.isFatal == false)
    try producer.abort(timeoutMs: 60_000)
    try producer.begin()
    try producer.topic(output).produce(0, key: nil, value: "after")
    try producer.commit(timeoutMs: 60_000)
    #expect(try readAll(output, partitions: 1, RealBroker.properties()).map(\.value) == ["after"])
    #expect(a.close())
    #expect(b.close())
    #expect(producer.close(boundedMs: 60_000))
  }

  @Test func aFullQueueOnlyDelaysAndKeepsTheOrder() throws {
    let topic = try RealBroker.topic("full")
    let producer = try TransactionalProducer(
      properties: RealBroker.properties(["queue.buffering.max.messages": "100"]),
      transactionalId: RealBroker.unique("id"), clientId: "tests", outputs: [topic], timeoutMs: 60_000
    ) { _ in }
    try producer.initTransactions(timeoutMs: 60_000)
    let output = producer.topic(topic)
    try producer.begin()
    var batch = OutputBatch(output, partition: 0)
    for i in 0..<2_500 { try batch.append(key: nil, value: "\(i)") }
    try batch.flush()
    for i in 2_500..<2_800 { try output.produce(0, key: nil, value: "\(i)", headers: [OutputHeader("h", "v")]) }
    try producer.commit(timeoutMs: 60_000)
    #expect(try readAll(topic, partitions: 1, RealBroker.properties()).map(\.value) == (0..<2_800).map { "\($0)" })
    #expect(producer.close(boundedMs: 60_000))
  }

  /// librdkafka reads records where they were put, and memory is used again for the next transaction.
  @Test func eachTransactionsRecordsAreThoseThatWereGiven() throws {
    let topic = try RealBroker.topic("rows")
    let producer = try producer(RealBroker.unique("id"), [topic], [:])
    let output = producer.topic(topic)
    var batch = OutputBatch(output, partition: 0)
    var expected: [String] = []
    for transaction in 0..<6 {
      try producer.begin()
      let isAborted = transaction % 3 == 1
      if isAborted { try send("first", to: output, with: producer) }
      let values = (0..<3000 / (transaction + 1)).map {
        "\(transaction)/\($0) " + String(repeating: Character(Unicode.Scalar(UInt8(97 + $0 % 26))), count: 400)
      }
      for value in values { try batch.append(key: "key", value: value) }
      if isAborted {
        // Some of them are on their way, and some are not handed over.
        try producer.abort(timeoutMs: 60_000)
      } else {
        try batch.flush()
        try producer.commit(timeoutMs: 60_000)
        expected += values
      }
    }
    #expect(try readAll(topic, partitions: 1, RealBroker.properties()).map(\.value) == expected)
    #expect(producer.close(boundedMs: 60_000))
  }

  @Test func aRecordThatIsTooLargeIsRefusedAtOnceAndTheTransactionGoesOnWithoutIt() throws {
    let topic = try RealBroker.topic("large")
    let producer = try producer(RealBroker.unique("id"), [topic], ["message.max.bytes": "1000000"])
    try producer.begin()
    var batch = OutputBatch(producer.topic(topic), partition: 0)
    try batch.append(key: nil, value: "before")
    try batch.flush()
    let large = String(repeating: "x", count: 2_000_000)
    #expect(throws: KafkaError.self) { try batch.append(key: nil, value: large) }
    #expect(throws: KafkaError.self) { try producer.topic(topic).produce(0, key: nil, value: large) }
    try producer.commit(timeoutMs: 60_000)
    #expect(try readAll(topic, partitions: 1, RealBroker.properties()).map(\.value) == ["before"])
    #expect(producer.close(boundedMs: 60_000))
  }
}

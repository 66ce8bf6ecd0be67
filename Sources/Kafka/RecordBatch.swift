import CRdKafka

/// Records as a consumer received them, in order within each partition. It owns librdkafka's messages until it is
/// emptied, and is kept: filled, read, emptied, filled again.
package struct RecordBatch: ~Copyable {
  package let capacity: Int
  package private(set) var count = 0
  private let messages: UnsafeMutablePointer<UnsafeMutablePointer<rd_kafka_message_t>?>
  private let sources: UnsafeMutablePointer<PartitionKey>
  /// The client of these messages: it must outlive them.
  private var client: Client?

  package init(capacity: Int = 2_000) {
    self.capacity = capacity
    messages = .allocate(capacity: capacity)
    sources = .allocate(capacity: capacity)
  }

  deinit {
    for i in 0..<count { rd_kafka_message_destroy(messages[i]) }
    messages.deallocate()
    sources.deallocate()
  }

  package var isEmpty: Bool { count == 0 }

  package subscript(i: Int) -> KafkaRecord {
    precondition(i < count)
    return KafkaRecord(messages[i]!, sources[i])
  }

  /// The partition of the record at `i`, without looking at the record.
  package func source(_ i: Int) -> PartitionKey {
    precondition(i < count)
    return sources[i]
  }

  package func forEach<E: Error>(_ body: (KafkaRecord) throws(E) -> Void) throws(E) {
    for i in 0..<count { try body(KafkaRecord(messages[i]!, sources[i])) }
  }

  package mutating func removeAll() {
    for i in 0..<count { rd_kafka_message_destroy(messages[i]) }
    count = 0
    client = nil
  }

  /// Takes what `queue` holds, as far as there is room, having waited up to `waitMs` for the first. `sort` says which
  /// partition a message is from, or disposes of it (it has seen to the message then) with `nil`.
  mutating func fill(
    from queue: OpaquePointer, of client: Client, waitMs: Int32,
    sort: (UnsafeMutablePointer<rd_kafka_message_t>) -> PartitionKey?
  ) {
    guard count < capacity else { return }
    // The batch call alone would wait until it is full, or all of its time; and it must not come first with no wait:
    // it would swallow a wake meant for the wait.
    guard let first = rd_kafka_consume_queue(queue, waitMs) else { return }
    messages[count] = first
    var end = count + 1
    if end < capacity {
      end += max(0, rd_kafka_consume_batch_queue(queue, 0, messages + end, capacity - end))
    }
    if end < capacity { client.inbox.unpackBound?.emptied() }
    self.client = client
    for i in count..<end {
      let message = messages[i]!
      guard let source = sort(message) else { continue }
      messages[count] = message
      sources[count] = source
      count += 1
    }
    if count == 0 { self.client = nil }
  }
}

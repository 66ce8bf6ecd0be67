import CRdKafka

/// Records for one partition of one topic, collected in a kept buffer and handed to librdkafka many at a time: the
/// cheapest way in, which knows neither headers nor timestamps.
package struct OutputBatch: ~Copyable {
  package let topic: OutputTopic
  package let partition: Int32
  package private(set) var count = 0
  private let messages: UnsafeMutablePointer<rd_kafka_message_t>
  private var bytes: UnsafeMutableRawPointer
  private var byteCount = 0
  private var byteCapacity: Int

  /// Past either of these a batch hands itself over.
  private static let maxCount = 1_000
  private static let maxBytes = 256 * 1_024

  package init(_ topic: OutputTopic, partition: Int32) {
    self.topic = topic
    self.partition = partition
    byteCapacity = 16 * 1_024
    bytes = .allocate(byteCount: byteCapacity, alignment: 16)
    messages = .allocate(capacity: Self.maxCount)
    var blank = rd_kafka_message_t()
    blank._private = UnsafeMutableRawPointer(topic.slot(partition))
    messages.initialize(repeating: blank, count: Self.maxCount)
  }

  deinit {
    bytes.deallocate()
    messages.deallocate()
  }

  package var isEmpty: Bool { count == 0 }

  /// Adds a record; a `nil` key is none, a `nil` value is a tombstone. What is full is flushed.
  package mutating func append(
    key: UnsafeRawBufferPointer?, value: UnsafeRawBufferPointer?
  ) throws(KafkaError) {
    let size = (key?.count ?? 0) + (value?.count ?? 0)
    if byteCount + size > byteCapacity { grow(to: byteCount + size) }
    // Where the bytes lie in the buffer is made an address when the buffer no longer moves. From 1 on: 0 is null.
    let message = messages + count
    (message.pointee.key, message.pointee.key_len) = add(key)
    (message.pointee.payload, message.pointee.len) = add(value)
    count += 1
    if count == Self.maxCount || byteCount >= Self.maxBytes { try flush() }
  }

  private mutating func add(_ part: UnsafeRawBufferPointer?) -> (UnsafeMutableRawPointer?, Int) {
    guard let part else { return (nil, 0) }
    let place = UnsafeMutableRawPointer(bitPattern: byteCount + 1)
    if let start = part.baseAddress { (bytes + byteCount).copyMemory(from: start, byteCount: part.count) }
    byteCount += part.count
    return (place, part.count)
  }

  private mutating func grow(to needed: Int) {
    byteCapacity = max(needed, 2 * byteCapacity)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: byteCapacity, alignment: 16)
    larger.copyMemory(from: bytes, byteCount: byteCount)
    bytes.deallocate()
    bytes = larger
  }

  /// Hands over what was collected, in order. Where librdkafka's queue is full it serves deliveries until there is
  /// room: at most `message.timeout.ms`, after which what waits there fails.
  package mutating func flush() throws(KafkaError) {
    guard count > 0 else { return }
    defer { removeAll() }
    for i in 0..<count {
      messages[i].key = address(messages[i].key)
      messages[i].payload = address(messages[i].payload)
    }
    var first = 0
    while first < count {
      let taken = rd_kafka_produce_batch(
        topic.handle, partition, RD_KAFKA_MSG_F_COPY, messages + first, Int32(count - first))
      if Int(taken) == count - first { return }
      // Refusals for want of room are all at the end: the order holds.
      guard let refused = (first..<count).first(where: { messages[$0].err != RD_KAFKA_RESP_ERR_NO_ERROR })
      else { return }
      guard messages[refused].err == RD_KAFKA_RESP_ERR__QUEUE_FULL else {
        throw KafkaError(
          messages[refused].err,
          "a record for \(topic.name)[\(partition)]: \(String(cString: rd_kafka_err2str(messages[refused].err)))")
      }
      first = refused
      topic.client.poll(100)
    }
  }

  package mutating func removeAll() {
    count = 0
    byteCount = 0
  }

  private func address(_ place: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    place.map { bytes + (Int(bitPattern: $0) - 1) }
  }
}

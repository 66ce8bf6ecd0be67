import CRdKafka

/// Records for one partition of one topic, collected and handed to librdkafka many at a time: the cheapest way in, which
/// knows neither headers nor timestamps.
///
/// In a transaction they are copied once, into rows that librdkafka reads them from until it has ended (``OutputRows``).
/// Drops records that were not handed over by then.
package struct OutputBatch: ~Copyable {
  package let topic: OutputTopic
  package let partition: Int32
  package private(set) var count = 0
  private let messages: UnsafeMutablePointer<rd_kafka_message_t>
  /// Nil without transactions: librdkafka makes copies then.
  private let rows: OutputRows?
  private var transaction: Int
  private var row: OutputRows.Row
  private var used = 0

  /// Past this it hands itself over, and where a row is full.
  private static let maxCount = 1_000

  package init(_ topic: OutputTopic, partition: Int32) {
    self.topic = topic
    self.partition = partition
    rows = topic.client.inbox.rows
    // None: it comes with the first record.
    transaction = -1
    row = OutputRows.Row(start: UnsafeMutableRawPointer(bitPattern: 16)!, size: 0)
    messages = .allocate(capacity: Self.maxCount)
    var blank = rd_kafka_message_t()
    blank._private = UnsafeMutableRawPointer(topic.slot(partition))
    messages.initialize(repeating: blank, count: Self.maxCount)
  }

  deinit {
    if rows == nil, row.size > 0 { row.start.deallocate() }
    messages.deallocate()
  }

  package var isEmpty: Bool { count == 0 }

  /// Adds a record; a `nil` key is none, a `nil` value is a tombstone. What is full is flushed.
  package mutating func append(
    key: UnsafeRawBufferPointer?, value: UnsafeRawBufferPointer?
  ) throws(KafkaError) {
    let size = (key?.count ?? 0) + (value?.count ?? 0)
    if let rows, transaction != rows.transaction {
      count = 0
      takeRow(from: rows, atLeast: size)
    } else if used + size > row.size {
      try flush()
      takeRow(from: rows, atLeast: size)
    }
    let message = messages + count
    (message.pointee.key, message.pointee.key_len) = add(key)
    (message.pointee.payload, message.pointee.len) = add(value)
    count += 1
    if count == Self.maxCount || used >= row.size { try flush() }
  }

  private mutating func add(_ part: UnsafeRawBufferPointer?) -> (UnsafeMutableRawPointer?, Int) {
    guard let part else { return (nil, 0) }
    let place = row.start + used
    if let start = part.baseAddress { place.copyMemory(from: start, byteCount: part.count) }
    used += part.count
    return (place, part.count)
  }

  private mutating func takeRow(from rows: OutputRows?, atLeast size: Int) {
    used = 0
    if let rows {
      row = rows.take(atLeast: size)
      transaction = rows.transaction
    } else if row.size < size {
      if row.size > 0 { row.start.deallocate() }
      let size = max(size, OutputRows.usualSize)
      row = OutputRows.Row(start: .allocate(byteCount: size, alignment: 16), size: size)
    }
  }

  /// Hands over what was collected, in order. Where librdkafka's queue is full it serves deliveries until there is
  /// room: at most `message.timeout.ms`, after which what waits there fails.
  package mutating func flush() throws(KafkaError) {
    if let rows, transaction != rows.transaction { count = 0 }
    guard count > 0 else { return }
    defer { removeAll() }
    if let rows { topic.noteSent(partition, ended: rows.transaction) }
    var first = 0
    while first < count {
      let taken = rd_kafka_produce_batch(
        topic.handle, partition, rows == nil ? RD_KAFKA_MSG_F_COPY : 0, messages + first, Int32(count - first))
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
    // Records that librdkafka was given stay where they are.
    if rows == nil { used = 0 }
  }
}

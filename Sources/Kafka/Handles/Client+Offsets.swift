import CRdKafka
import Platform

extension Client {
  /// Its group's committed offsets, once no transaction of a predecessor is pending for them.
  func committed(_ partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [CommittedOffset] {
    try patiently(timeoutMs) { timeoutMs throws(KafkaError) in
      let list = PartitionList(partitions)
      try KafkaError.check(rd_kafka_committed(handle, list.handle, timeoutMs), "the group's offsets")
      var offsets: [CommittedOffset] = []
      for entry in list.entries {
        let partition = TopicPartition(entry)
        try KafkaError.check(entry.err, "the group's offset of \(partition)")
        offsets.append(CommittedOffset(entry, partition))
      }
      return offsets
    }
  }

  /// A place in a partition to ask for.
  enum SoughtOffset {
    case beginning
    /// The offset after the last record that committed readers see.
    case end
    /// The first record of this time, in milliseconds, or later.
    case time(Int64)

    fileprivate var number: Int64 {
      switch self {
      case .beginning: Int64(RD_KAFKA_OFFSET_BEGINNING)
      case .end: Int64(RD_KAFKA_OFFSET_END)
      // A negative number would be a question of another kind.
      case .time(let timeMs): max(0, timeMs)
      }
    }
  }

  /// - Returns: for each partition, negative where there is none.
  func offsets(
    of partitions: [TopicPartition], at sought: SoughtOffset, timeoutMs: Int32
  ) throws(KafkaError) -> [TopicPartition: Int64] {
    try patiently(timeoutMs) { timeoutMs throws(KafkaError) in
      let list = PartitionList([])
      for partition in partitions { list.add(partition, offset: sought.number) }
      try KafkaError.check(
        rd_kafka_offsets_for_times(handle, list.handle, timeoutMs),
        "the offsets of \(partitions.map(\.description).joined(separator: ", "))")
      var found: [TopicPartition: Int64] = [:]
      for entry in list.entries {
        let partition = TopicPartition(entry)
        try KafkaError.check(entry.err, "the offsets of \(partition)")
        found[partition] = entry.offset
      }
      return found
    }
  }

  /// The first offset of a partition, and the one after its last.
  func watermarks(of partition: TopicPartition, timeoutMs: Int32) throws(KafkaError) -> (low: Int64, high: Int64) {
    // rd_kafka_query_watermark_offsets waits far beyond its time for a leader that is frozen or gone.
    let endMs = MonotonicClock.nowMs() + Int64(timeoutMs)
    let low = try offsets(of: [partition], at: .beginning, timeoutMs: timeoutMs)[partition]!
    let leftMs = Int32(clamping: max(1, endMs - MonotonicClock.nowMs()))
    return (low, try offsets(of: [partition], at: .end, timeoutMs: leftMs)[partition]!)
  }
}

extension CommittedOffset {
  fileprivate init(_ entry: rd_kafka_topic_partition_t, _ partition: TopicPartition) {
    let metadata = entry.metadata.map {
      String(decoding: UnsafeRawBufferPointer(start: $0, count: entry.metadata_size), as: UTF8.self)
    }
    self.init(partition, offset: entry.offset >= 0 ? entry.offset : nil, metadata: metadata)
  }
}

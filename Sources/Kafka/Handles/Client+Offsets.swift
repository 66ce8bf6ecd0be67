import CRdKafka

extension Client {
  /// What its group committed, once no transaction of a predecessor is pending for it.
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
}

extension CommittedOffset {
  fileprivate init(_ entry: rd_kafka_topic_partition_t, _ partition: TopicPartition) {
    let metadata = entry.metadata.map {
      String(decoding: UnsafeRawBufferPointer(start: $0, count: entry.metadata_size), as: UTF8.self)
    }
    self.init(partition, offset: entry.offset >= 0 ? entry.offset : nil, metadata: metadata)
  }
}

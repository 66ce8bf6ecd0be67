import CRdKafka

extension Client {
  /// Asks a broker for the partitions of a topic. It is also what makes the first record for a topic go out at once
  /// rather than up to a second later.
  func partitionCount(of topic: String, timeoutMs: Int32) throws(KafkaError) -> Int {
    try leaders(of: topic, timeoutMs: timeoutMs).count
  }

  /// The broker that leads each partition, as many as there are; nil: none does.
  func leaders(of topic: String, timeoutMs: Int32) throws(KafkaError) -> [Int32?] {
    let handle = try self.topic(topic)
    return try patiently(timeoutMs) { timeoutMs throws(KafkaError) in
      try leaders(of: topic, handle, timeoutMs)
    }
  }

  private func leaders(
    of topic: String, _ handle: OpaquePointer, _ timeoutMs: Int32
  ) throws(KafkaError) -> [Int32?] {
    var answer: UnsafePointer<rd_kafka_metadata>?
    let code = rd_kafka_metadata(self.handle, 0, handle, &answer, timeoutMs)
    guard code == RD_KAFKA_RESP_ERR_NO_ERROR, let answer else {
      throw KafkaError(code, "the partitions of \(topic): \(String(cString: rd_kafka_err2str(code)))")
    }
    defer { rd_kafka_metadata_destroy(answer) }
    let found = UnsafeBufferPointer(start: answer.pointee.topics, count: Int(answer.pointee.topic_cnt))
    guard let entry = found.first(where: { String(cString: $0.topic) == topic }) else {
      throw KafkaError(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, "there is no topic \(topic)")
    }
    if entry.err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART {
      throw KafkaError(entry.err, "there is no topic \(topic)")
    }
    try KafkaError.check(entry.err, "the partitions of \(topic)")
    var leaders = [Int32?](repeating: nil, count: Int(entry.partition_cnt))
    for partition in UnsafeBufferPointer(start: entry.partitions, count: leaders.count)
    where partition.leader >= 0 && leaders.indices.contains(Int(partition.id)) {
      leaders[Int(partition.id)] = partition.leader
    }
    return leaders
  }
}

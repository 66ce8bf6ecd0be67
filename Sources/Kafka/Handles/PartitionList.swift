import CRdKafka
import Glibc

/// A list of partitions in librdkafka's form.
struct PartitionList: ~Copyable {
  let handle: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>

  init(_ partitions: some Collection<TopicPartition>) {
    handle = rd_kafka_topic_partition_list_new(Int32(partitions.count))
    for partition in partitions { add(partition) }
  }

  deinit { rd_kafka_topic_partition_list_destroy(handle) }

  func add(_ partition: TopicPartition, offset: Int64 = Int64(RD_KAFKA_OFFSET_INVALID), metadata: String? = nil) {
    let entry = rd_kafka_topic_partition_list_add(handle, partition.topic, partition.partition)!
    entry.pointee.offset = offset
    guard let metadata else { return }
    // librdkafka frees it with the list, with free(3).
    entry.pointee.metadata = UnsafeMutableRawPointer(strdup(metadata))
    entry.pointee.metadata_size = metadata.utf8.count
  }

  var entries: UnsafeBufferPointer<rd_kafka_topic_partition_t> {
    UnsafeBufferPointer(start: handle.pointee.elems, count: Int(handle.pointee.cnt))
  }
}

extension TopicPartition {
  init(_ entry: rd_kafka_topic_partition_t) {
    self.init(String(cString: entry.topic), entry.partition)
  }

  static func all(in list: UnsafePointer<rd_kafka_topic_partition_list_t>) -> [TopicPartition] {
    UnsafeBufferPointer(start: list.pointee.elems, count: Int(list.pointee.cnt)).map { TopicPartition($0) }
  }
}

extension StartOffset {
  var raw: Int64 {
    switch self {
    case .at(let offset): offset
    case .earliest: Int64(RD_KAFKA_OFFSET_BEGINNING)
    case .latest: Int64(RD_KAFKA_OFFSET_END)
    }
  }
}

import Kafka
import Worker

/// Reads partitions without a group.
final class SimulatedReader: SimulatedSource, MemberReader {
  /// Ends of logs that it reads no more, which it is told of all the same.
  private var lateEnds: [(partition: TopicPartition, offset: Int64)] = []

  init(_ clients: SimulatedClients) {
    super.init(clients, topics: [])
    process.openReaders += 1
  }

  deinit { process.openReaders -= 1 }

  override func receive(_ events: inout [ConsumerEvent], waitMs: Int32) {
    process.pass()
    // A search for savepoints would wait for ever.
    guard !process.isDead else { return events.append(.failed(.outOfRange, of: nil)) }
    if let error = process.trouble() { return events.append(.failed(error, of: nil)) }
    let late = lateEnds.filter { places[$0.partition] == nil }
    lateEnds = []
    guard late.isEmpty else { return events += late.map { .endOfPartition($0.partition, offset: $0.offset) } }
    if tellEarlyEnd(&events) { return }
    fill(&events)
  }

  /// Whether the leader is new, and hasn't heard yet how much was committed: it takes the log for no longer than was read.
  private func isLeaderNew() -> Bool { !process.isQuiet && process.world.newLeaders?.one(in: 4) == true }

  /// Tells of an end before the end.
  private func tellEarlyEnd(_ events: inout [ConsumerEvent]) -> Bool {
    guard isLeaderNew() else { return false }
    let met = places.sorted { $0.key < $1.key }.first { partition, place in
      place.toldEnd != place.next && place.next < kafka.log(partition).end
    }
    guard let (partition, place) = met else { return false }
    places[partition]!.toldEnd = place.next
    places[partition]!.cachedEnd = place.next
    events.append(.endOfPartition(partition, offset: place.next))
    return true
  }

  override func end(of partition: TopicPartition, readTo next: Int64) -> Int64 {
    process.haveNewLeaders.contains(partition) || isLeaderNew() ? next : super.end(of: partition, readTo: next)
  }

  func start(_ partition: TopicPartition, at offset: StartOffset) throws(KafkaError) {
    try process.call("read \(partition)")
    if !topics.contains(partition.topic) { topics.append(partition.topic) }
    precondition(places[partition] == nil, "\(partition) is read already")
    if partition.partition >= kafka.partitionCounts[partition.topic]! {
      process.world.breach("\(process.name) reads \(partition), which isn't there")
    }
    let log = kafka.log(partition)
    switch offset {
    case .at(let next): places[partition] = Place(next: next)
    case .earliest: places[partition] = Place(next: log.first)
    case .latest: places[partition] = Place(next: log.stable)
    }
  }

  func stop(_ partition: TopicPartition) {
    if places.removeValue(forKey: partition) != nil {
      lateEnds.append((partition, kafka.log(partition).stable))
    }
  }

  func topicName(_ ordinal: Int) -> String { topics[ordinal] }

  func offsets(
    of partitions: [TopicPartition], at timeMs: Int64, timeoutMs: Int32
  ) throws(KafkaError) -> [TopicPartition: Int64?] {
    try process.call("offsets of a time")
    guard !partitions.isEmpty else { throw .invalid }
    return Dictionary(
      uniqueKeysWithValues: partitions.map { partition in
        (partition, kafka.read(partition, from: 0).first { $0.entry.timestampMs >= timeMs }?.offset)
      })
  }
}

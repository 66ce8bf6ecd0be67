import Kafka
import Worker

/// Looks at the group and its logs from outside.
final class SimulatedWatch: MemberWatch {
  private let clients: SimulatedClients

  init(_ clients: SimulatedClients) { self.clients = clients }

  private func ask(_ what: String) throws(KafkaError) {
    try clients.process.call(what)
    if clients.monotonicMs() < clients.kafka.backMs { throw .timedOut }
  }

  func decided(_ partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [CommittedOffset] {
    try ask("what is decided")
    return partitions.map {
      let found = clients.kafka.committed($0)
      return CommittedOffset($0, offset: found?.offset, metadata: found?.metadata)
    }
  }

  func stable(_ partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [CommittedOffset] {
    try ask("what is stable")
    let kafka = clients.kafka
    clients.sawPendingOffsets = partitions.contains(where: kafka.isUnstable)
    if clients.monotonicMs() < kafka.foundMs || clients.sawPendingOffsets { throw .timedOut }
    if timeoutMs < 1000, kafka.slowAnswers > 0 {
      kafka.slowAnswers -= 1
      throw .timedOut
    }
    return try decided(partitions, timeoutMs: timeoutMs)
  }

  func partitionCount(of topic: String, timeoutMs: Int32) throws(KafkaError) -> Int {
    try ask("partitions of \(topic)")
    return clients.kafka.partitionCounts[topic]!
  }

  func logEnds(of partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [TopicPartition: Int64] {
    try ask("ends of logs")
    guard !partitions.isEmpty else { throw .invalid }
    let led = partitions.filter { !clients.kafka.leaderless.contains($0) }
    return Dictionary(uniqueKeysWithValues: led.map { ($0, clients.kafka.log($0).end) })
  }

  func ends(of partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [TopicPartition: PartitionEnds] {
    try ask("ends of partitions")
    guard !partitions.isEmpty else { throw .invalid }
    clients.sawEnded = !clients.kafka.hasUnfinished(clients.process.number)
    var found: [TopicPartition: PartitionEnds] = [:]
    if !clients.kafka.leaderless.isDisjoint(with: partitions) {
      clients.hasMissedLeader = true
      throw .leaderAway
    }
    for partition in partitions where clients.process.isQuiet || !clients.process.chance.one(in: 20) {
      let log = clients.kafka.log(partition)
      found[partition] = PartitionEnds(readable: log.stable, end: log.end)
    }
    return found
  }
}

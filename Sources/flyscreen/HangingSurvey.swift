import Glibc
import Kafka
import Settings

/// Looks for transactions that hang in the topics of a group, for a command that ends.
struct HangingSurvey: ~Copyable {
  let watch: GroupWatch
  private let reader: Reader
  private let topics: TopicSettings
  private let group: String
  /// Topics that no broker told of, and why; a line each.
  private(set) var notChecked: [String] = []

  private static let timeoutMs: Int32 = 10_000

  init(_ configuration: Configuration, _ properties: KafkaProperties, clientId: String) throws(KafkaError) {
    let group = configuration.groupId
    let watch = try GroupWatch(properties: properties, group: group, clientId: clientId, log: { _ in })
    let reader = try Reader(properties: properties, clientId: clientId, log: { _ in })
    self.watch = watch
    self.reader = reader
    self.group = group
    topics = configuration.topics
  }

  /// Lists the partitions of all topics that the group works with. Topics that are not there are left out.
  mutating func partitions() throws(KafkaError) -> [TopicPartition] {
    var partitions: [TopicPartition] = []
    for topic in Set(topics.input + topics.outputs).sorted() {
      let count = try self.count(of: topic)
      partitions += (0..<Int32(count)).map { TopicPartition(topic, $0) }
    }
    let count = try self.count(of: OffsetsTopic.name)
    if count > 0 {
      partitions.append(TopicPartition(OffsetsTopic.name, OffsetsTopic.partition(of: group, count: count)))
    }
    return partitions
  }

  private mutating func count(of topic: String) throws(KafkaError) -> Int {
    do throws(KafkaError) {
      return try watch.partitionCount(of: topic, timeoutMs: Self.timeoutMs)
    } catch {
      guard error.kind == .unknownTopic || error.kind == .authorization else { throw error }
      notChecked.append("\(topic) (\(error.message))")
      return 0
    }
  }

  /// Finds partitions whose last stable offset stands below their end at two looks.
  ///
  /// - Parameter seconds: between the two looks; nobody waits where the first one finds none.
  mutating func hanging(
    in partitions: [TopicPartition], seconds: Int
  ) throws(KafkaError) -> [TopicPartition: PartitionEnds] {
    var ends = StandingEnds(limitMs: 1)
    for (partition, seen) in try look(partitions) { ends.note(seen, of: partition, nowMs: 0) }
    let suspects = ends.standing(nowMs: 1).keys.sorted()
    guard !suspects.isEmpty else { return [:] }
    sleep(UInt32(seconds))
    for (partition, seen) in try look(suspects) { ends.note(seen, of: partition, nowMs: 1) }
    return ends.standing(nowMs: 1)
  }

  /// Asks topic by topic, so that a partition without a leader hides those of its topic alone.
  private mutating func look(_ partitions: [TopicPartition]) throws(KafkaError) -> [TopicPartition: PartitionEnds] {
    var found: [TopicPartition: PartitionEnds] = [:]
    for topic in Set(partitions.map(\.topic)).sorted() {
      let places = partitions.filter { $0.topic == topic }
      do throws(KafkaError) {
        found.merge(try watch.ends(of: places, readableBy: reader, timeoutMs: Self.timeoutMs)) { $1 }
      } catch {
        guard error.isAnswered || error.kind == .authorization || error.kind == .other else { throw error }
        notChecked.append("\(topic) (\(error.message))")
      }
    }
    return found
  }
}

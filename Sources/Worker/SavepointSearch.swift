package import Kafka
package import Recovery
package import Settings

/// Finds how far a group's workers have come with a partition, whatever is committed: the newest savepoint of its
/// changelog. Its calls block.
struct SavepointSearch<Clients: MemberClients> {
  private let clients: Clients
  private let reader: Clients.Reader
  private let helpers: HelperTopics
  private var events: [ConsumerEvent] = []

  /// Records from the end of the log: savepoints lie ten seconds of it apart.
  private static var firstStep: Int64 { 2000 }
  private static var timeoutMs: Int32 { 2000 }
  /// The time limit of one step.
  private static var patienceMs: Int64 { 10_000 }

  init(_ clients: Clients, _ reader: Clients.Reader, _ helpers: HelperTopics) {
    self.clients = clients
    self.reader = reader
    self.helpers = helpers
  }

  /// - Returns: Nil: there is none that this version reads.
  mutating func newest(of input: TopicPartition) throws(KafkaError) -> Savepoint? {
    let place = TopicPartition(helpers.changelog(of: input.topic), input.partition)
    let (low, high) = try reader.queryWatermarks(of: place, timeoutMs: Self.timeoutMs)
    var (until, step) = (high, Self.firstStep)
    while until > low {
      let from = max(low, until - step)
      if let newest = try newest(in: place, from..<until) { return newest }
      (until, step) = (from, 4 * step)
    }
    return nil
  }

  private mutating func newest(in place: TopicPartition, _ range: Range<Int64>) throws(KafkaError) -> Savepoint? {
    var newest: Savepoint?
    try reader.start(place, at: .at(range.lowerBound))
    defer { reader.stop(place) }
    var isDone = false
    let endMs = clients.monotonicMs() + Self.patienceMs
    while !isDone {
      reader.receive(&events, waitMs: 100)
      for i in 0..<reader.count where !isDone {
        let record = reader[i]
        isDone = record.offset >= range.upperBound - 1
        guard record.offset < range.upperBound, record.key == nil, let value = record.value,
          !record.hasHeader(HelperTopics.groupHeader, otherThan: helpers.group)
        else { continue }
        newest = (try? Savepoint(value)) ?? newest
      }
      reader.emptyBatch()
      let events = events
      self.events.removeAll()
      for event in events {
        switch event {
        case .endOfPartition: isDone = true
        case .failed(let error, _) where error.kind != .unreachable: throw error
        case .failed, .assigned, .revoked: break
        }
      }
      if !isDone, clients.monotonicMs() >= endMs {
        throw KafkaError(
          name: "_TIMED_OUT", code: -185, message: "\(place) could not be read in time", isRetriable: true,
          kind: .unreachable)
      }
    }
    return newest
  }
}

extension Savepoint {
  /// The newest one of each of these input partitions that has one which this version reads. The call blocks.
  package static func newest(
    of inputs: [TopicPartition], in helpers: HelperTopics, _ properties: KafkaProperties, clientId: String,
    log: @escaping ClientLog
  ) throws(KafkaError) -> [TopicPartition: Savepoint] {
    let reader = BatchedReader(
      try Reader(properties: properties, clientId: clientId, staysAtEnd: false, log: log))
    var search = SavepointSearch(BrokerClients(), reader, helpers)
    var found: [TopicPartition: Savepoint] = [:]
    for input in inputs { found[input] = try search.newest(of: input) }
    return found
  }
}

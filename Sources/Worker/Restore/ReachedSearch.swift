internal import JSON
package import Kafka
internal import Recovery
package import Settings

/// Finds how far a group's workers have come with a partition at least, whatever is committed, by what they wrote to its
/// changelog and journal. Its calls block.
package struct ReachedSearch<Reader: MemberReader> {
  private let reader: Reader
  private var ranges: RangeReader<Reader>
  private let helpers: HelperTopics

  /// Records from the end of the changelog: savepoints lie ten seconds of the log apart.
  private static var firstStep: Int64 { 2000 }
  private static var timeoutMs: Int32 { 2000 }
  private static var silenceMs: Int32 { 10_000 }

  package init(_ reader: Reader, _ helpers: HelperTopics) {
    self.reader = reader
    ranges = RangeReader(reader)
    self.helpers = helpers
  }

  /// - Returns: An offset before which all records of the input were committed; nil: nothing that this version reads
  ///   tells one.
  package mutating func offset(in input: TopicPartition) throws(KafkaError) -> Int64? {
    let changelog = TopicPartition(helpers.changelog(of: input.topic), input.partition)
    let journal = TopicPartition(helpers.journal(of: input.topic), input.partition)
    let saved = try newestSavepoint(in: changelog)
    // Whatever lies before the savepoint may be of an earlier life of the group, which was set back on purpose.
    var room: Int64?
    try read(changelog, from: (saved?.at ?? -1) + 1) { record in
      guard let key = record.key, let value = record.value else { return }
      room = (try? RoomRecord(value, of: key))?.offset ?? room
    }
    var document = JSONDocument()
    var line: Int64?
    try read(journal, from: saved?.savepoint.metadata.restorePoint.journalFrom ?? 0) { record in
      line = record.value.flatMap { try? JournalLine(json: $0, with: &document) }?.offset ?? line
    }
    return [saved?.savepoint.offset, room, line].compactMap(\.self).max()
  }

  private mutating func newestSavepoint(
    in changelog: TopicPartition
  ) throws(KafkaError) -> (savepoint: Savepoint, at: Int64)? {
    let (low, high) = try reader.queryWatermarks(of: changelog, timeoutMs: Self.timeoutMs)
    var (until, step) = (high, Self.firstStep)
    while until > low {
      let from = max(low, until - step)
      var newest: (Savepoint, Int64)?
      try read(changelog, from..<until) { record in
        guard record.key == nil, let value = record.value, let savepoint = try? Savepoint(value) else { return }
        newest = (savepoint, record.offset)
      }
      if let newest { return newest }
      (until, step) = (from, 4 * step)
    }
    return nil
  }

  private mutating func read(
    _ place: TopicPartition, from offset: Int64, _ take: (Reader.Record) -> Void
  ) throws(KafkaError) {
    let (low, high) = try reader.queryWatermarks(of: place, timeoutMs: Self.timeoutMs)
    let first = max(low, offset)
    if first < high { try read(place, first..<high, take) }
  }

  /// Hands on the records that this group wrote.
  private mutating func read(
    _ place: TopicPartition, _ range: Range<Int64>, _ take: (Reader.Record) -> Void
  ) throws(KafkaError) {
    let helpers = helpers
    try ranges.read(place, range, silenceMs: Self.silenceMs) { record in
      if !record.hasHeader(HelperTopics.groupHeader, otherThan: helpers.group) { take(record) }
    }
  }
}

/// How far a group's workers have come at least with each of these input partitions of which anything tells. The call
/// blocks.
package func reachedOffsets(
  in inputs: [TopicPartition], _ helpers: HelperTopics, _ properties: KafkaProperties, clientId: String,
  log: @escaping ClientLog
) throws(KafkaError) -> [TopicPartition: Int64] {
  let reader = BatchedReader(
    try Kafka.Reader(properties: properties, clientId: clientId, staysAtEnd: false, log: log))
  var search = ReachedSearch(reader, helpers)
  var found: [TopicPartition: Int64] = [:]
  for input in inputs { found[input] = try search.offset(in: input) }
  return found
}

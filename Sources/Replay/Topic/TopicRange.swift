package import Kafka
package import RoomModel
internal import Recovery
internal import Wire
package import Settings

/// A place in a topic's log, as people name it.
package enum LogPlace: Equatable, Sendable {
  case beginning
  /// The offset after the last record that is committed when it is asked for.
  case end
  case offset(Int64)
  /// The first record of that time or later.
  case time(LogTime)
}

/// A part of one partition of an input topic.
package struct PartitionRange: @unchecked Sendable {
  package let partition: TopicPartition
  package var offsets: Range<Int64>
  /// All that the broker has of it.
  package let extent: Range<Int64>
  /// The time of its first record, if an earlier time was asked for and records were deleted.
  package let beginsLate: LogTime?
  /// All of it was asked for, or from an earlier time on, and records were deleted.
  package let lacksRecords: Bool
  /// The extent of the journal. Records that are asked for later have all the lines about them in it.
  let journal: Range<Int64>
  let helpers: HelperTopics
  let plan: RecoveryPlan

  /// Its first record beside the one that was asked for.
  package var beginning: Beginning { plan.beginning }

  /// Set where the record that was asked for is not known exactly: the first that is; nil also where none is.
  package var exactFrom: ExactPlace? { plan.exactFrom }

  /// The rules of its first records, or of records before them from which the rooms are restored: rules only go up.
  package var rules: Int64 { plan.settings.rules }
}

/// Asks the broker which records places mean.
package struct TopicRange {
  private let topic: String
  private let stream: any PartitionStream
  private let helpers: HelperTopics

  package init(_ topic: String, _ logs: any LogStore, helpers: HelperTopics = HelperTopics()) throws {
    self.topic = topic
    self.helpers = helpers
    stream = try logs.connect(streams: 1).newStream()
  }

  package func partitionCount() throws -> Int32 { try stream.partitionCount(of: topic) }

  /// The partition of a key, as Java's clients choose it.
  package func partition(ofKey key: String) throws -> Int32 {
    let count = try partitionCount()
    return key.withText { Murmur2.partition(key: $0.bytes, partitions: count) }
  }

  /// The offset after the last record that is committed.
  package func end(of number: Int32) throws -> Int64 { try stream.extent(of: TopicPartition(topic, number)).upperBound }

  /// One partition, from `lookback` records before one of it on.
  package func partition(
    _ number: Int32, around offset: Int64, lookback: Int64, to: LogPlace, isExact: Bool = true
  ) throws -> [PartitionRange] {
    guard try number < stream.partitionCount(of: topic) else { return try partitions(number, from: .beginning, to: to) }
    let partition = TopicPartition(topic, number)
    let extent = try stream.extent(of: partition)
    _ = try self.offset(of: .offset(offset), in: partition, extent)
    let first = max(extent.lowerBound, offset - lookback)
    return try partitions(number, from: .offset(first), to: to, exactFor: offset, isExact: isExact)
  }

  /// One partition up to the last record of that time, from `lookback` records before on; nil: what it had then is gone.
  package func partition(
    _ number: Int32, at time: LogTime, lookback: Int64, isExact: Bool
  ) throws -> PartitionRange? {
    guard try number < stream.partitionCount(of: topic) else {
      return try partitions(number, from: .beginning, to: .end).first
    }
    let partition = TopicPartition(topic, number)
    let extent = try stream.extent(of: partition)
    let end = try offset(of: .time(time + 1), in: partition, extent)
    if end == extent.lowerBound, end > 0 { return nil }
    let first = max(extent.lowerBound, end - 1 - lookback)
    return try partitions(
      number, from: .offset(first), to: .offset(end), exactFor: end > first ? end - 1 : nil, isExact: isExact
    ).first
  }

  /// They begin where it is known how the rooms stood, if that is anywhere within what is asked for.
  ///
  /// - Parameters:
  ///   - partition: nil: all.
  ///   - isExact: false: they begin where it is asked for, also where it is not known how the rooms stood.
  ///   - exactFor: a record that must be among those that are replayed, also if the rooms before it are not exact.
  package func partitions(
    _ partition: Int32?, from: LogPlace, to: LogPlace, exactFor: Int64? = nil, isExact: Bool = true
  ) throws -> [PartitionRange] {
    let numbers = try numbers(partition)
    try checkLogs(upTo: numbers.upperBound)
    var ranges: [PartitionRange] = []
    for number in numbers {
      let partition = TopicPartition(topic, number)
      let extent = try stream.extent(of: partition)
      let first = try offset(of: from, in: partition, extent)
      let beginsLate = try self.beginsLate(partition, extent, first: first, from: from)
      let last = try offset(of: to, in: partition, extent)
      let journal = try JournalExtent(of: partition, helpers, by: stream)
      let plan = try RecoveryPlan(
        partition, asked: first, before: exactFor.map { $0 + 1 } ?? last, isExact: isExact, extent, journal, helpers,
        by: stream)
      ranges.append(
        PartitionRange(
          partition: partition, offsets: plan.offset..<max(plan.offset, last), extent: extent, beginsLate: beginsLate,
          lacksRecords: beginsLate != nil || from == .beginning && extent.lowerBound > 0, journal: journal.offsets,
          helpers: helpers, plan: plan))
    }
    return ranges
  }

  private func numbers(_ partition: Int32?) throws -> Range<Int32> {
    let count = try stream.partitionCount(of: topic)
    if let partition, partition >= count {
      throw BrokenLog("\(topic) has no partition \(partition): it has \(count), from 0")
    }
    return partition.map { $0..<$0 + 1 } ?? 0..<count
  }

  /// The records alone, partition by partition, also of a topic that is no input of a worker's.
  ///
  /// - Parameters:
  ///   - partition: nil: all.
  ///   - last: The most records of each partition: its last ones.
  package func eachRecord(
    of partition: Int32?, from: LogPlace, to: LogPlace, last: Int64 = .max, _ take: (LogRecord) throws -> Void
  ) throws {
    for number in try numbers(partition) {
      let partition = TopicPartition(topic, number)
      let extent = try stream.extent(of: partition)
      let (first, end) = (try offset(of: from, in: partition, extent), try offset(of: to, in: partition, extent))
      if first >= end { continue }
      try stream.start(partition, (end - min(last, end - first))..<end)
      defer { stream.stop() }
      while let record = try stream.peek() {
        try take(record.logged)
        stream.advance()
      }
    }
  }

  /// Log time, in ms, from the first record that is there to the first before which it is known how the rooms stood; to
  /// `now` if there is none. Time before a group's own beginning doesn't count.
  package func inexactMs(of number: Int32, now: LogTime) throws -> Int64 {
    let range = try partitions(number, from: .beginning, to: .end)[0]
    guard range.beginning != .exact, !range.plan.isGroupsBeginning,
      let first = try stream.first(of: range.partition, in: range.extent)
    else { return 0 }
    return max(0, (range.exactFrom?.at ?? now) - first.timestampMs)
  }

  /// The part of a range after a savepoint under the rules of this program, so that older ones have no part in it; nil:
  /// there is none.
  package func partUnderCurrentRules(of range: PartitionRange) throws -> PartitionRange? {
    let changelog = TopicPartition(helpers.changelog(of: topic), range.partition.partition)
    let saved = try stream.extent(of: changelog)
    let first = try Savepoints(in: changelog, of: helpers.group, saved, by: stream) { savepoint, _ in
      savepoint.metadata.restorePoint.settings.rules < LogRules.current || savepoint.offset < range.offsets.lowerBound
    }
    guard let from = first.after?.0.offset, range.offsets.contains(from) else { return nil }
    return try partitions(range.partition.partition, from: .offset(from), to: .offset(range.offsets.upperBound)).first
  }

  /// Checks that journal and changelog are there: a log alone doesn't tell when timers fired, nor under which settings.
  private func checkLogs(upTo last: Int32) throws {
    for name in [helpers.journal(of: topic), helpers.changelog(of: topic)] {
      let count: Int32
      do throws(KafkaError) {
        count = try stream.partitionCount(of: name)
      } catch {
        guard error.kind == .unknownTopic else { throw error }
        throw BrokenLog(
          "\(topic) is no input of a worker's, since there is no topic \(name): see topics.input, topics.helpers and"
            + " kafka.group.id, and whether it was deleted")
      }
      if count < last {
        throw BrokenLog(
          "\(topic) has got more partitions than \(name), which has \(count): each of the first \(count) can be replayed,"
            + " with --partition N")
      }
    }
  }

  private func beginsLate(
    _ partition: TopicPartition, _ extent: Range<Int64>, first: Int64, from: LogPlace
  ) throws -> LogTime? {
    guard case .time(let time) = from, first == extent.lowerBound, first > 0, !extent.isEmpty else { return nil }
    guard let begins = try stream.first(of: partition, in: extent)?.timestampMs, begins > time else { return nil }
    return begins
  }

  private func offset(of place: LogPlace, in partition: TopicPartition, _ extent: Range<Int64>) throws -> Int64 {
    switch place {
    case .beginning: return extent.lowerBound
    case .end: return extent.upperBound
    case .time(let time):
      return min(try stream.offset(of: partition, at: time) ?? extent.upperBound, extent.upperBound)
    case .offset(let offset):
      if offset < extent.lowerBound {
        throw BrokenLog(
          "\(partition) begins at offset \(extent.lowerBound): what lies before it is gone", isGone: true)
      }
      if offset > extent.upperBound {
        throw BrokenLog("\(partition) ends at offset \(extent.upperBound): there is no \(offset) yet")
      }
      return offset
    }
  }
}

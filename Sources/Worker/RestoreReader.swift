import Kafka
import Platform
import Recovery
import Settings

/// Reads changelogs, journals and pieces of the input for a restore, beside the group's consumer, a bit at a time: a
/// rebalance can come meanwhile and make it needless.
struct RestoreReader: ~Copyable {
  private enum Source {
    case changelog(of: TopicPartition)
    case journal(of: TopicPartition)
    case input(TopicPartition, until: Int64)
  }

  private var reader: Reader
  private var sources: [TopicPartition: Source] = [:]
  private var ends: [TopicPartition: Member.LogEnds] = [:]
  private static let queryMs: Int32 = 1000
  /// Records of other groups that are older say nothing of today.
  private static let foreignMs: Int64 = 600_000
  private var warm: Set<String> = []
  private var batch = RecordBatch(capacity: 2000)
  private var events: [ConsumerEvent] = []
  private let round: Int
  private let helpers: HelperTopics
  /// Records of changelogs and journals that other groups wrote.
  private(set) var foreignRecords: Int64 = 0
  private(set) var foreignTopic: String?
  private var records: Int64 = 0
  /// Of what is read: the next record, and the end as it was known when reading began.
  private var stretches: [TopicPartition: Range<Int64>] = [:]

  /// The logs that have not been read far enough.
  var awaited: [TopicPartition] { sources.keys.sorted() }

  /// Records that were read since this was last asked, and those that are still to be read, as far as that is known.
  mutating func takeProgress() -> (read: Int64, remaining: Int64) {
    defer { records = 0 }
    return (records, stretches.values.reduce(0) { $0 + Int64($1.count) })
  }

  init(_ context: MemberContext, round: Int) throws(KafkaError) {
    self.round = round
    helpers = context.plan.topics.helpers
    reader = try Reader(
      properties: context.plan.properties, clientId: context.clientId, staysAtEnd: false, log: context.plan.clientLog)
  }

  mutating func readLogs(_ reads: [Member.LogsToRead]) throws(KafkaError) {
    for read in reads {
      let partition = read.partition
      ends[partition] = Member.LogEnds(partition: partition, changelogEnd: 0, journalEnd: 0)
      let changelog = TopicPartition(helpers.changelog(of: partition.topic), partition.partition)
      let journal = TopicPartition(helpers.journal(of: partition.topic), partition.partition)
      try start(changelog, .changelog(of: partition), at: first(of: changelog, from: read.changelogFrom))
      try start(journal, .journal(of: partition), at: first(of: journal, from: read.journalFrom))
    }
  }

  mutating func replayInput(_ ranges: [TopicPartition: Range<Int64>]) throws(KafkaError) {
    for (partition, range) in ranges {
      stretches[partition] = range
      try start(partition, .input(partition, until: range.upperBound), at: .at(range.lowerBound))
    }
  }

  /// From where the log begins, if that is later, or its end, if that is sooner; nil: from its end.
  private mutating func first(of partition: TopicPartition, from offset: Int64?) throws(KafkaError) -> StartOffset {
    guard let offset else { return .latest }
    let (low, high) = try reader.queryWatermarks(of: partition, timeoutMs: Self.queryMs)
    let first = max(low, min(offset, high))
    stretches[partition] = first..<max(first, high)
    return .at(first)
  }

  private mutating func start(_ partition: TopicPartition, _ source: Source, at offset: StartOffset)
    throws(KafkaError)
  {
    // A topic that the reader does not know yet would be looked for with the next turn of a timer, half a second on.
    if warm.insert(partition.topic).inserted {
      _ = try reader.partitionCount(of: partition.topic, timeoutMs: Self.queryMs)
    }
    sources[partition] = source
    try reader.start(partition, at: offset)
  }

  /// Hands on what has come. Nothing more is to be done until everything has.
  mutating func step(_ member: inout Member, waitMs: Int32, nowMs: Int64) throws -> [Member.Action] {
    reader.receive(into: &batch, events: &events, waitMs: waitMs)
    defer { batch.removeAll() }
    var topics: [Int: String] = [:]
    for i in 0..<batch.count {
      let record = batch[i]
      let ordinal = record.source.topicOrdinal
      let topic = topics[ordinal] ?? reader.topicName(ordinal)
      topics[ordinal] = topic
      let place = TopicPartition(topic, record.source.partition)
      guard let source = sources[place] else { continue }
      records += 1
      if let stretch = stretches[place], record.offset < stretch.upperBound {
        stretches[place] = (record.offset + 1)..<stretch.upperBound
      }
      if isForeign(record, source) {
        // Older ones stay in the log for long after somebody has mended it.
        if WallClock.nowMs() - record.timestampMs < Self.foreignMs {
          foreignRecords += 1
          foreignTopic = topic
        }
        continue
      }
      do throws(RestoreError) { try hand(record, from: source, at: place, to: &member) } catch {
        if case .newer = error { throw WorkerError.newer("\(place) offset \(record.offset): \(error)") }
        throw WorkerError.unreadable("\(place)", offset: record.offset, why: "\(error)")
      }
    }
    for event in events {
      switch event {
      case .endOfPartition(let place, let offset): reachedEnd(place, offset)
      case .failed(let error, _) where error.kind != .unreachable: throw error
      case .failed, .assigned, .revoked: break
      }
    }
    events.removeAll(keepingCapacity: true)
    guard sources.isEmpty else { return [] }
    if ends.isEmpty { return member.inputReplayed(round: round) }
    defer { ends = [:] }
    return try member.logsRead(ends: Array(ends.values), round: round, nowMs: nowMs)
  }

  /// A group of another name reads and writes its own, even where topics are shared.
  private func isForeign(_ record: KafkaRecord, _ source: Source) -> Bool {
    switch source {
    case .changelog, .journal: record.hasHeader(HelperTopics.groupHeader, otherThan: helpers.group)
    case .input: false
    }
  }

  private mutating func hand(
    _ record: KafkaRecord, from source: Source, at place: TopicPartition, to member: inout Member
  ) throws(RestoreError) {
    switch source {
    case .changelog(let partition):
      // A savepoint, which is for replays.
      guard let key = record.key else { return }
      let value = record.value ?? UnsafeRawBufferPointer(start: nil, count: 0)
      try member.found(partition, room: key, checkpoint: value, at: record.offset)
    case .journal(let partition):
      let value = record.value ?? UnsafeRawBufferPointer(start: nil, count: 0)
      try member.found(partition, journalLine: value, at: record.offset)
    case .input(let partition, let until):
      if record.offset < until { member.replay(InputRecord(record), of: partition) }
      if record.offset >= until - 1 { done(place) }
    }
  }

  private mutating func reachedEnd(_ place: TopicPartition, _ offset: Int64) {
    switch sources[place] {
    case .changelog(let partition) where isWholeLog(place, offset):
      ends[partition]?.changelogEnd = offset
      done(place)
    case .journal(let partition) where isWholeLog(place, offset):
      ends[partition]?.journalEnd = offset
      done(place)
    case .input(_, let until) where offset >= until:
      done(place)
    case .changelog, .journal, .input, nil:
      break
    }
  }

  /// A predecessor that hangs in a transaction hides what committed readers would see after it: then the end that they
  /// see isn't the log's, and another will come.
  private func isWholeLog(_ place: TopicPartition, _ offset: Int64) -> Bool {
    offset >= reader.cachedEnd(of: place) ?? offset
  }

  private mutating func done(_ place: TopicPartition) {
    guard sources.removeValue(forKey: place) != nil else { return }
    stretches[place] = nil
    reader.stop(place)
  }
}

extension InputRecord {
  init(_ record: KafkaRecord) {
    self.init(
      offset: record.offset, timestampMs: record.timestampMs, key: record.key, value: record.value,
      contentType: record.lastHeader("content-type"))
  }
}

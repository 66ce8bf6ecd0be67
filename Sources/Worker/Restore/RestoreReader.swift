import Kafka
import Recovery
import Settings

/// Reads changelogs, journals and pieces of the input for a restore, beside the group's consumer, a bit at a time: a
/// rebalance can come meanwhile and make it needless.
final class RestoreReader<Clients: MemberClients> {
  private enum Source {
    case changelog(of: TopicPartition)
    case journal(of: TopicPartition)
    case input(TopicPartition, until: Int64, withHeaders: Bool)

    /// The partition that is restored.
    var partition: TopicPartition {
      switch self {
      case .changelog(let partition), .journal(let partition), .input(let partition, _, _): partition
      }
    }
  }

  /// The answer that the ``Member`` gets once all of ``sources`` has been read.
  private enum Answer {
    case logsRead([TopicPartition: Member.LogEnds])
    case inputReplayed
  }

  private let reader: Clients.Reader
  private let clients: Clients
  private var sources: [TopicPartition: Source] = [:]
  private var answer = Answer.logsRead([:])
  /// Records of other groups that are older say nothing of today.
  private static var foreignMs: Int64 { 600_000 }
  private var warm: Set<String> = []
  private var events: [ConsumerEvent] = []
  private let helpers: HelperTopics
  /// Records of changelogs and journals that other groups wrote.
  private(set) var foreignRecords: Int64 = 0
  private(set) var foreignTopic: String?
  private var records: Int64 = 0
  /// When something came last.
  private var progressMs: Int64
  /// Nothing has come for so long: a log may have lost its leader.
  private static var patienceMs: Int64 { 3000 }
  /// The stretch of each partition that is read: the next record, and the last stable offset that was known when reading began.
  private var stretches: [TopicPartition: Range<Int64>] = [:]
  private let watch: Clients.Watch
  /// The end of each changelog and journal when reading began, whatever transactions hid there: all of a commit that
  /// was decided before lies before it.
  private var ends: [TopicPartition: Int64] = [:]
  /// The first record that is wanted, where a log may be read from before it.
  private var wantedFrom: [TopicPartition: Int64] = [:]

  /// The logs that have not been read far enough.
  var awaited: [TopicPartition] { sources.keys.sorted() }

  /// Records that were read since this was last asked, and those that are still to be read, as far as that is known.
  func takeProgress() -> (read: Int64, remaining: Int64) {
    defer { records = 0 }
    return (records, stretches.values.reduce(0) { $0 + Int64($1.count) })
  }

  /// Begins to read the logs.
  init(_ context: MemberContext<Clients>, _ reads: [Member.LogsToRead]) throws(KafkaError) {
    helpers = context.plan.topics.helpers
    clients = context.clients
    progressMs = clients.monotonicMs()
    reader = try clients.reader(context)
    watch = try clients.watch(context)
    try findEnds(of: reads.flatMap { logs(of: $0.partition) })
    var ends: [TopicPartition: Member.LogEnds] = [:]
    for read in reads {
      let partition = read.partition
      ends[partition] = Member.LogEnds(partition: partition, changelogEnd: 0, journalEnd: 0)
      let changelog = TopicPartition(helpers.changelog(of: partition.topic), partition.partition)
      let journal = TopicPartition(helpers.journal(of: partition.topic), partition.partition)
      try start(changelog, .changelog(of: partition), at: first(of: changelog, from: read.changelogFrom))
      try start(journal, .journal(of: partition), at: first(of: journal, from: read.journalFrom))
    }
    answer = .logsRead(ends)
  }

  private func logs(of partition: TopicPartition) -> [TopicPartition] {
    [helpers.changelog(of: partition.topic), helpers.journal(of: partition.topic)].map {
      TopicPartition($0, partition.partition)
    }
  }

  private func findEnds(of logs: [TopicPartition]) throws(KafkaError) {
    let found = try watch.logEnds(of: logs, timeoutMs: CallLimit.callMs)
    for log in logs {
      guard let end = found[log] else {
        throw KafkaError(
          name: "LEADER_NOT_AVAILABLE", code: 5, message: "the end of \(log) is not known", isRetriable: true,
          kind: .unreachable)
      }
      ends[log] = end
    }
  }

  /// - Parameter withHeaders: The partitions for which a mapping reads headers.
  func replayInput(
    _ ranges: [TopicPartition: Range<Int64>], withHeaders: Set<TopicPartition>
  ) throws(KafkaError) {
    answer = .inputReplayed
    for (partition, range) in ranges.sorted(by: { $0.key < $1.key }) {
      stretches[partition] = range
      let source = Source.input(
        partition, until: range.upperBound, withHeaders: withHeaders.contains(partition))
      try start(partition, source, at: .at(range.lowerBound))
    }
  }

  /// The offset from which to read: the log's beginning if that is later, its end if that is sooner; nil: its end.
  private func first(of partition: TopicPartition, from offset: Int64?) throws(KafkaError) -> StartOffset {
    guard let offset else { return .latest }
    let (low, high) = try reader.queryWatermarks(of: partition, timeoutMs: CallLimit.callMs)
    // What a transaction hides may begin before it.
    if high < offset { wantedFrom[partition] = offset }
    let first = max(low, min(offset, high))
    stretches[partition] = first..<max(first, high)
    return .at(first)
  }

  private func start(_ partition: TopicPartition, _ source: Source, at offset: StartOffset)
    throws(KafkaError)
  {
    // A topic that the reader does not know yet would be looked for with the next turn of a timer, half a second on.
    if warm.insert(partition.topic).inserted {
      _ = try reader.partitionCount(of: partition.topic, timeoutMs: CallLimit.callMs)
    }
    sources[partition] = source
    try reader.start(partition, at: offset)
  }

  /// Reads what has come. Nothing more is to be done until everything has.
  ///
  /// - Parameter found: Gets it. Records in it are good until the next step.
  func step(into found: inout [Member.RestoreEvent], waitMs: Int32, nowMs: Int64) throws(KafkaError) {
    reader.emptyBatch()
    reader.receive(&events, waitMs: waitMs)
    if reader.count > 0 || !events.isEmpty { progressMs = nowMs }
    var topics: [Int: String] = [:]
    for i in 0..<reader.count {
      let record = reader[i]
      let ordinal = record.source.topicOrdinal
      let topic = topics[ordinal] ?? reader.topicName(ordinal)
      topics[ordinal] = topic
      let place = TopicPartition(topic, record.source.partition)
      guard let source = sources[place] else { continue }
      if let from = wantedFrom[place], record.offset < from { continue }
      records += 1
      if let stretch = stretches[place], record.offset < stretch.upperBound {
        stretches[place] = (record.offset + 1)..<stretch.upperBound
      }
      if isForeign(record, source) {
        // Older ones stay in the log for long after somebody has mended it.
        if clients.wallMs() - record.timestampMs < Self.foreignMs {
          foreignRecords += 1
          foreignTopic = topic
        }
        continue
      }
      if let content = content(of: record, from: source, at: place) {
        found.append(.record(content, of: source.partition, in: place, offset: record.offset))
      }
    }
    var obstacles: [TopicPartition: Member.Obstacle] = [:]
    for event in events {
      switch event {
      case .endOfPartition(let place, let offset): try reachedEnd(place, offset)
      case .failed(let error, let place?) where error.isOfItsPartition:
        if let source = sources[place] { obstacles[source.partition] = .init(log: place, error: error) }
      case .failed(let error, _) where error.kind != .unreachable: throw error
      case .failed, .assigned, .revoked: break
      }
    }
    events.removeAll(keepingCapacity: true)
    if nowMs - progressMs >= Self.patienceMs {
      progressMs = nowMs
      obstacles.merge(leaderless()) { $1 }
    }
    if !obstacles.isEmpty {
      leaveOut(obstacles)
      found.append(.heldUp(obstacles))
    }
    guard sources.isEmpty else { return }
    switch answer {
    case .logsRead(let ends): found.append(.logsRead(ends.values.sorted { $0.partition < $1.partition }))
    case .inputReplayed: found.append(.inputReplayed)
    }
  }

  /// The partitions that have to wait for a leader of a log.
  private func leaderless() -> [TopicPartition: Member.Obstacle] {
    var leaders = Leaders { [reader] topic throws(KafkaError) in
      try reader.leaders(of: topic, timeoutMs: CallLimit.callMs)
    }
    var found: [TopicPartition: Member.Obstacle] = [:]
    for (log, source) in sources.sorted(by: { $0.key < $1.key }) where found[source.partition] == nil {
      // Where no broker answers it is no matter of this log's leader.
      if (try? leaders.has(log)) == false { found[source.partition] = .init(log: log) }
    }
    return found
  }

  /// Reads nothing more for these partitions.
  private func leaveOut(_ obstacles: [TopicPartition: Member.Obstacle]) {
    for (log, source) in sources where obstacles[source.partition] != nil { done(log) }
    if case .logsRead(let ends) = answer { answer = .logsRead(ends.filter { obstacles[$0.key] == nil }) }
  }

  /// A group of another name reads and writes its own, even where topics are shared.
  private func isForeign(_ record: Clients.Reader.Record, _ source: Source) -> Bool {
    switch source {
    case .changelog, .journal: record.hasHeader(HelperTopics.groupHeader, otherThan: helpers.group)
    case .input: false
    }
  }

  /// Nil: the record is none of those that tell how rooms stand.
  private func content(
    of record: Clients.Reader.Record, from source: Source, at place: TopicPartition
  ) -> Member.Record? {
    switch source {
    case .changelog:
      // Another record without a key is a savepoint, or a blank record.
      guard record.key != nil || RoomRecord.hasMarks(key: record.key, value: record.value) else {
        return record.value.map { .savepoint($0) }
      }
      let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
      return .state(room: record.key ?? nothing, record.value ?? nothing)
    case .journal:
      // A record without a value is a blank one.
      return record.value.map { .journalLine($0) }
    case .input(_, let until, let withHeaders):
      if record.offset >= until - 1 { done(place) }
      return record.offset < until
        ? .input(InputRecord(record), headers: withHeaders ? record.allHeaders : []) : nil
    }
  }

  private func reachedEnd(_ place: TopicPartition, _ offset: Int64) throws(KafkaError) {
    switch sources[place] {
    case .changelog(let partition) where try isWholeLog(place, offset):
      note(partition) { $0.changelogEnd = offset }
      done(place)
    case .journal(let partition) where try isWholeLog(place, offset):
      note(partition) { $0.journalEnd = offset }
      done(place)
    case .input(_, let until, _) where offset >= until:
      done(place)
    case .changelog, .journal, .input, nil:
      break
    }
  }

  private func note(_ partition: TopicPartition, _ change: (inout Member.LogEnds) -> Void) {
    guard case .logsRead(var ends) = answer, var found = ends[partition] else { return }
    change(&found)
    ends[partition] = found
    answer = .logsRead(ends)
  }

  /// A predecessor that hangs in a transaction hides what committed readers would see after it: then the end that they
  /// see isn't the log's, and another will come. The same holds where a new leader hasn't heard yet how much was
  /// committed.
  private func isWholeLog(_ place: TopicPartition, _ offset: Int64) throws(KafkaError) -> Bool {
    guard offset < ends[place]! else { return true }
    // A log that is shorter now than when reading began has lost records; a leader tells the end once it is sure of it.
    try findEnds(of: [place])
    return offset >= ends[place]!
  }

  private func done(_ place: TopicPartition) {
    guard sources.removeValue(forKey: place) != nil else { return }
    stretches[place] = nil
    reader.stop(place)
  }
}

extension InputRecord {
  init(_ record: some MemberRecord) {
    self.init(
      offset: record.offset, timestampMs: record.timestampMs, key: record.key, value: record.value,
      contentType: record.lastHeader("content-type"), isPassed: record.passedBatch != nil)
  }
}

import JSON
package import Kafka
import Recovery
package import RoomModel
import Settings
import Wire

/// The beginning of a replay, beside the one that was asked for.
package enum Beginning: Equatable, Sendable {
  /// The rooms are as they stood before the first record that was asked for.
  case exact
  /// It begins at a later record, the first before which it is still known how the rooms stood; log time there, and in
  /// a line, why.
  case late(asked: Int64, at: LogTime, why: String)
  /// The rooms are as they may have stood: nothing in the range is exact.
  case inexact(why: String)

  package var why: String? {
    switch self {
    case .exact: nil
    case .late(_, _, let why), .inexact(let why): why
    }
  }
}

/// The first record before which it is known exactly how the rooms of a partition stood.
package struct ExactPlace: Equatable, Sendable {
  package let offset: Int64
  /// Log time there.
  package let at: LogTime

  /// `im.gifts[0] is known exactly from offset 3249 (20:08:48.000) on`
  package func words(of partition: TopicPartition) -> String {
    "\(partition) is known exactly from offset \(offset) (\(at.dateAndClock)) on"
  }
}

/// The source from which the rooms of a partition are restored as they stood before a record: the one that is asked
/// for, or else the first for which everything that it needs is there.
struct RecoveryPlan {
  let origin: PartitionRecovery.Origin
  /// The first record to be replayed for somebody to see.
  let offset: Int64
  let journalFrom: Int64
  /// The part of the changelog to read.
  let changelog: Range<Int64>
  let beginning: Beginning
  /// Set where the record that was asked for is not known exactly: the first that is; nil also where none is.
  private(set) var exactFrom: ExactPlace?
  /// Whether the group published nothing of the records before `exactFrom`, so that nothing is lost.
  private(set) var isGroupsBeginning = false

  /// The settings in force where the log begins to be gone through, which may be before `offset`.
  var settings: LogSettings {
    switch origin {
    case .commit(let savepoint): savepoint.metadata.restorePoint.settings
    case .nothing(_, let settings, _, _): settings
    }
  }

  /// - Parameters:
  ///   - end: It must begin before this record to be of any use.
  ///   - isExact: Whether it is to begin at a later record where it can't be exact.
  ///   - extent: All that the broker has of the input.
  init(
    _ input: TopicPartition, asked: Int64, before end: Int64, isExact: Bool, _ extent: Range<Int64>,
    _ journal: JournalExtent,
    _ helpers: HelperTopics, by stream: any PartitionStream
  ) throws {
    let changelog = TopicPartition(helpers.changelog(of: input.topic), input.partition)
    let saved = try stream.extent(of: changelog)
    let first = extent.lowerBound
    /// The missing part that a savepoint needs; nil: nothing is missing.
    func missing(_ savepoint: Savepoint, _ at: Int64) -> String? {
      let point = savepoint.metadata.restorePoint
      if !journal.reaches(point.journalFrom) { return journal.isTooShort }
      if !(saved.lowerBound...at).contains(savepoint.metadata.changelogFrom) {
        return "\(changelog) no longer reaches back far enough"
      }
      return point.offset < first
        ? "\(input) begins at offset \(first) only, and the rooms' state needs \(point.offset)" : nil
    }

    let around = try Savepoints(in: changelog, of: helpers.group, saved, by: stream) { savepoint, _ in
      savepoint.offset <= asked
    }
    let settings = around.after?.0.metadata.restorePoint.settings ?? LogSettings()
    var origin = PartitionRecovery.Origin.nothing(before: first, settings)
    var (journalFrom, changelogRead) = (Int64(0), 0..<Int64(0))
    var why: String?
    var begins: Int64?
    func take(_ savepoint: Savepoint, _ at: Int64) {
      origin = .commit(savepoint)
      journalFrom = savepoint.metadata.restorePoint.journalFrom
      let from = max(savepoint.metadata.changelogFrom, saved.lowerBound)
      changelogRead = from..<max(from, at)
    }
    if let (savepoint, at) = around.before {
      take(savepoint, at)
      why = missing(savepoint, at)
    } else if let point = around.after?.0.metadata.restorePoint, point.clock == .min {
      // There the group began, knowing nothing.
      origin = .nothing(before: point.offset, settings)
      journalFrom = point.journalFrom
      why = journal.reaches(journalFrom) ? nil : journal.isTooShort
      if point.offset < first { why = "\(input) begins at offset \(first) only, and all of it is needed" }
      begins = point.offset
    } else if asked > 0, first > 0 || around.after != nil {
      why = "nothing tells any more how rooms stood before \(input) offset \(first)"
    } else {
      why = journal.reaches(0) ? nil : journal.isTooShort
    }
    if why != nil, let start = try journal.start(of: helpers.group, by: stream), start.offset >= first {
      // All that the group did is told from there on, without the changelog.
      origin = .nothing(before: start.offset, start.settings)
      (journalFrom, changelogRead, why, begins) = (0, 0..<0, nil, start.offset)
    }

    var (offset, beginning) = (asked, Beginning.exact)
    if why == nil, let begins, asked < begins, let before = try stream.first(of: input, in: asked..<begins) {
      // This group published nothing of these.
      let why = "\(helpers.group) began at offset \(begins) of \(input)"
      beginning = .inexact(why: why)
      let at = try stream.first(of: input, in: begins..<extent.upperBound) ?? before
      exactFrom = ExactPlace(offset: begins, at: at.timestampMs)
      isGroupsBeginning = true
      if isExact, begins < end { (offset, beginning) = (begins, .late(asked: asked, at: at.timestampMs, why: why)) }
    } else if let why {
      beginning = .inexact(why: why)
      let whole = try Savepoints(in: changelog, of: helpers.group, saved, by: stream) { missing($0, $1) != nil }.after
      if let savepoint = whole?.0 { exactFrom = ExactPlace(offset: savepoint.offset, at: savepoint.metadata.clock) }
      if isExact, let (savepoint, at) = whole, (asked..<end).contains(savepoint.offset) {
        take(savepoint, at)
        (offset, beginning) = (savepoint.offset, .late(asked: asked, at: savepoint.metadata.clock, why: why))
      }
    }
    (self.origin, self.offset, self.beginning) = (origin, offset, beginning)
    (self.journalFrom, self.changelog) = (journalFrom, changelogRead)
  }
}

/// The part of a partition's journal that the broker still has.
struct JournalExtent {
  let offsets: Range<Int64>
  /// The first record that is there; nil: none is.
  private let first: Int64?
  private let partition: TopicPartition

  init(of input: TopicPartition, _ helpers: HelperTopics, by stream: any PartitionStream) throws {
    partition = TopicPartition(helpers.journal(of: input.topic), input.partition)
    offsets = try stream.extent(of: partition)
    first = offsets.lowerBound > 0 ? try stream.first(of: partition, in: offsets)?.offset : nil
  }

  /// Whether every line from there on is there. A transaction ends with a record of its own, no line, to which a place
  /// behind a line points: it is gone as soon as its line is. That is so if at the next place there is a line, or the end.
  func reaches(_ from: Int64) -> Bool {
    guard from < offsets.lowerBound else { return from <= offsets.upperBound }
    return from > 0 && from == offsets.lowerBound - 1 && (offsets.isEmpty || first == offsets.lowerBound)
  }

  /// The place where the group began, knowing nothing, and its settings there: its first line tells them. Nil: the
  /// journal's beginning is gone.
  func start(
    of group: String, by stream: any PartitionStream
  ) throws(KafkaError) -> (offset: Int64, settings: LogSettings)? {
    guard offsets.lowerBound == 0 else { return nil }
    try stream.start(partition, offsets, of: group)
    defer { stream.stop() }
    var document = JSONDocument()
    guard let value = try stream.peek()?.value, let line = try? JournalLine(json: value, with: &document),
      case .settings(let settings) = line.what
    else { return nil }
    return (line.offset, settings)
  }

  var isTooShort: String {
    offsets.lowerBound == 0
      ? "\(partition) ends before what is needed of it" : "\(partition) begins at offset \(offsets.lowerBound) only"
  }
}

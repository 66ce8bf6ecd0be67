import Kafka
package import RoomScreen

/// The reasons why an answer about parts of topics is not exact, a line each.
package struct Untold {
  private let question: Explainer.Question
  private let room: ID
  private let ranges: [PartitionRange]

  package init(_ question: Explainer.Question, room: ID, of ranges: [PartitionRange]) {
    (self.question, self.room, self.ranges) = (question, room, ranges)
  }

  /// Whether it is about one place of the log, so that all of it is exact or none.
  package var isOfPlace: Bool {
    switch question {
    case .command, .moment: true
    case .event, .user: false
    }
  }

  /// The reason why nothing can be told of a place; nil: it can, or the question is about no place.
  package var ofPlace: String? {
    isOfPlace ? ranges.first { !$0.isExact }.map(Self.words) : nil
  }

  /// Lines about partitions that are known exactly only from a later record on than was asked for, and the records
  /// of the question that come before.
  ///
  /// - Parameter explainer: learns which records were read.
  package func earlier(in logs: any LogStore, for explainer: inout Explainer) throws -> [String] {
    var lines: [String] = []
    for range in ranges where range.isExact {
      let events = try range.exactFrom.map { _ in try EarlierEvents(question, room: room, of: range, logs) }
      if let from = events?.from { explainer.note(lookedFrom: from, of: range.partition) }
      guard let place = range.exactFrom, let events, let first = events.first else {
        if !explainer.answeredOf.isEmpty { lines += lacking(in: range) }
        continue
      }
      let record = "\(range.partition.topic)/\(range.partition.partition)/\(first)"
      let what =
        events.count == 1
        ? "record \(record) is before it" : "\(events.count) records are before it, the first \(record)"
      lines.append("\(place.words(of: range.partition)); \(what) (\(range.beginning.why ?? ""))")
    }
    return lines
  }

  /// A line where the user may have been among those whose records are gone, beside others that are told.
  private func lacking(in range: PartitionRange) -> [String] {
    guard case .user = question, range.lacksRecords else { return [] }
    let begin =
      range.exactFrom?.words(of: range.partition) ?? "\(range.partition) begins at offset \(range.offsets.lowerBound)"
    return [
      "\(begin); what the user did before it is not counted: the records before offset \(range.extent.lowerBound) are gone"
    ]
  }

  /// Lines about partitions of which all was asked for, and records were deleted.
  package var gone: [String] {
    ranges.filter(\.lacksRecords).map {
      "\($0.partition) begins at offset \($0.extent.lowerBound): what lies before it is gone"
    }
  }

  /// The doubts about partitions of the answer whose rooms may have stood otherwise.
  package func doubts(_ explainer: borrowing Explainer) -> [String] {
    explainer.doubts.map { doubt in
      let partition = TopicPartition(doubt.topic, doubt.partition)
      return ranges.first { $0.partition == partition && !$0.isExact }.map(Self.words)
        ?? "\(partition) is not known exactly: \(doubt.why)"
    }
  }

  private static func words(for range: PartitionRange) -> String {
    let why = range.beginning.why ?? ""
    return range.exactFrom.map { "\($0.words(of: range.partition)); this is before it (\(why))" }
      ?? "nothing of \(range.partition) is known exactly: \(why)"
  }
}

extension PartitionRange {
  /// False: it is not known exactly how its rooms stood.
  package var isExact: Bool {
    if case .inexact = beginning { return false }
    return true
  }
}

package import RoomModel
package import RoomScreen
package import Wire

/// Counts of a replay.
package struct ReplaySummary: Equatable, Sendable {
  package var partitions = 0
  package var records = 0
  /// Messages that a mapping has ignored.
  package var passedOver = 0
  package var duplicates = 0
  /// Gifts that added nothing to their streaks.
  package var swallowedGifts: Int64 = 0
  package var notUnderstood = Tally<NotUnderstood.Reason>()
  package var commands = Tally<RoomCommand.Body.Kind>()
  /// Results of grabs.
  package var results = Tally<GrabResult.Outcome>()
  /// Those of which some event was understood; one that had events in several partitions is one.
  package var rooms: Set<ID> = []
  /// The least and the greatest timestamp of a record.
  package var time: ClosedRange<LogTime>?

  package init() {}

  mutating func countRecord(at time: LogTime) {
    records += 1
    guard let range = self.time else {
      self.time = time...time
      return
    }
    self.time = min(range.lowerBound, time)...max(range.upperBound, time)
  }
}

extension ReplaySummary {
  /// Adds the summary of a replay that had other partitions of the same log.
  mutating func add(_ other: ReplaySummary) {
    partitions += other.partitions
    records += other.records
    passedOver += other.passedOver
    duplicates += other.duplicates
    swallowedGifts += other.swallowedGifts
    notUnderstood.add(other.notUnderstood)
    commands.add(other.commands)
    results.add(other.results)
    rooms.formUnion(other.rooms)
    guard let span = other.time else { return }
    time = time.map { min($0.lowerBound, span.lowerBound)...max($0.upperBound, span.upperBound) } ?? span
  }
}

/// The count of each case.
package struct Tally<Case: CaseIterable & Hashable & Sendable>: Equatable, Sendable {
  private var counts: [Case: Int] = [:]

  package subscript(_ one: Case) -> Int { counts[one, default: 0] }

  package var total: Int { counts.values.reduce(0, +) }

  /// The cases that there were, in the order in which they are declared.
  package var present: [(case: Case, count: Int)] {
    Case.allCases.compactMap { one in counts[one].map { (one, $0) } }
  }

  mutating func count(_ one: Case) { counts[one, default: 0] += 1 }

  mutating func add(_ other: Tally) { counts.merge(other.counts) { $0 + $1 } }
}

extension ReplaySummary: CustomStringConvertible {
  /// A few lines for people.
  package var description: String {
    var rows: [(String, String)] = [("records", "\(records) in \(partitions) partition\(partitions == 1 ? "" : "s")")]
    if let time {
      rows.append(
        ("log time", "\(time.lowerBound)…\(time.upperBound) (\(seconds(time.upperBound - time.lowerBound)) s)"))
    }
    rows.append(("rooms", "\(rooms.count)"))
    if passedOver > 0 { rows.append(("passed over", "\(passedOver) (by the topic's mapping)")) }
    rows.append(("duplicates", "\(duplicates)"))
    if swallowedGifts > 0 { rows.append(("gifts that added nothing to their streakId", "\(swallowedGifts)")) }
    rows.append(("not understood", "\(notUnderstood.total)"))
    rows += notUnderstood.present.map { ("  \($0.case.rawValue)", "\($0.count)") }
    rows.append(("commands", "\(commands.total)"))
    rows += commands.present.map { ("  \($0.case)", "\($0.count)") }
    if results.total > 0 { rows.append(("results of grabs", "\(results.total)")) }
    rows += results.present.map { ("  \($0.case.word)", "\($0.count)") }
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { $0 + String(repeating: " ", count: width - $0.count + 2) + $1 + "\n" }.joined()
  }

  private func seconds(_ span: Milliseconds) -> String {
    let thousandths = String(span % 1000)
    return "\(span / 1000)." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
  }
}

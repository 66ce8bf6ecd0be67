package import RoomModel

/// The restore points of one partition that a restore may still have to begin at, oldest first.
///
/// Transactions are numbered; a restore point taken after transaction *n* has number *n*.
package struct RestorePoints {
  private struct Stretch {
    var point: RestorePoint
    var transaction: Int64
    /// The time at which the last `eventId` seen between this restore point and the next is forgotten.
    var idsUntil: LogTime
    /// The changelog has the marks of what came in it: it need not be read for them.
    var hasMarks = false
  }

  private var stretches: [Stretch]
  /// Marks that were written: where in the changelog, and until when they are needed.
  private var marks = Queue<(from: Int64, until: LogTime)>()
  /// Beyond this many, every second one goes: a restore then begins somewhat earlier than it must.
  private static let most = 128

  package init(from point: RestorePoint) {
    stretches = [Stretch(point: point, transaction: 0, idsUntil: .min)]
  }

  package var count: Int { stretches.count }
  /// The transaction after which the oldest one was taken.
  package var oldestTransaction: Int64 { stretches[0].transaction }

  /// The distance of two: a restore begins at most this much earlier than it must.
  private static let everyMs: Milliseconds = 1000
  private static let everyRecords: Int64 = 50_000

  /// Whether another is to be taken here.
  package func isDue(offset: Int64, clock: LogTime, settingsEpoch: Int64) -> Bool {
    let last = stretches.count - 1
    let newest = stretches[last].point.clock
    return newest == .min || clock - newest >= Self.everyMs
      || offset - stretches[last].point.offset >= Self.everyRecords
      || stretches[last].point.settingsEpoch != settingsEpoch
  }

  /// Ids came until `clock`, each remembered for `windowMs`.
  package mutating func noteIds(clock: LogTime, windowMs: Milliseconds) {
    guard clock != .min else { return }
    let last = stretches.count - 1
    stretches[last].idsUntil = max(stretches[last].idsUntil, clock &+ windowMs)
  }

  /// The changelog has the marks of all that came from `offset` on; they lie nowhere before `changelogFrom`.
  package mutating func wroteMarks(since offset: Int64, changelogFrom: Int64) {
    var until = LogTime.min
    for i in stretches.indices where stretches[i].point.offset >= offset {
      stretches[i].hasMarks = true
      until = max(until, stretches[i].idsUntil)
    }
    foundMarks(changelogFrom: changelogFrom, until: until)
  }

  /// The changelog has marks that came before the oldest restore point.
  package mutating func foundMarks(changelogFrom: Int64, until: LogTime) { marks.append((changelogFrom, until)) }

  /// The first record of the changelog with marks that are needed; known after ``start(changedAfter:offset:clock:)``.
  package var marksFrom: Int64? { marks.first?.from }

  package mutating func append(_ point: RestorePoint, after transaction: Int64) {
    stretches.append(Stretch(point: point, transaction: transaction, idsUntil: .min))
    if stretches.count > Self.most { thinOut() }
  }

  /// The place where a restore begins to read the log, and the place from which rooms get their events again.
  package struct Start: Equatable {
    /// The restore point before the oldest `eventId` that told a duplicate when the log was at `applyFrom`, and that the
    /// changelog doesn't have.
    package var point: RestorePoint
    /// The offset before the oldest change that no checkpoint has. What comes before it tells only of duplicates.
    package var applyFrom: Int64

    package init(point: RestorePoint, applyFrom: Int64) {
      self.point = point
      self.applyFrom = applyFrom
    }
  }

  /// The newest place to begin at, older ones being forgotten.
  ///
  /// - Parameters:
  ///   - transaction: After it came the oldest change that no checkpoint has; nil: there is none.
  ///   - offset: The end of what has been processed, and `clock` its clock.
  package mutating func start(changedAfter transaction: Int64?, offset: Int64, clock: LogTime) -> Start {
    var (applyFrom, clock, bound) = (offset, clock, stretches.count - 1)
    if let transaction {
      bound = (stretches.lastIndex { $0.transaction <= transaction }) ?? 0
      (applyFrom, clock) = (stretches[bound].point.offset, stretches[bound].point.clock)
    }
    let from = stretches[..<bound].firstIndex { $0.idsUntil > clock && !$0.hasMarks } ?? bound
    while let first = marks.first, first.until <= clock { marks.removeFirst() }
    if from > 0 { stretches.removeFirst(from) }
    return Start(point: stretches[0].point, applyFrom: applyFrom)
  }

  private mutating func thinOut() {
    var kept: [Stretch] = [stretches[0]]
    for (i, stretch) in stretches.enumerated().dropFirst() {
      if i % 2 == 1, i + 1 < stretches.count {
        kept[kept.count - 1].idsUntil = max(kept[kept.count - 1].idsUntil, stretch.idsUntil)
        kept[kept.count - 1].hasMarks = kept[kept.count - 1].hasMarks && stretch.hasMarks
      } else {
        kept.append(stretch)
      }
    }
    stretches = kept
  }
}

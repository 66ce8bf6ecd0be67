package import RoomModel

/// The marks of one partition that a restore may still have to begin at, oldest first.
///
/// Transactions are numbered; a mark taken after transaction *n* has number *n*.
package struct MarkTrail {
  private struct Stretch {
    var mark: Mark
    var transaction: Int64
    /// When the last `eventId` seen between this mark and the next is forgotten.
    var idsUntil: LogTime
  }

  private var stretches: [Stretch]
  /// Beyond this many, every second one goes: a restore then begins somewhat earlier than it must.
  private static let most = 128

  package init(from mark: Mark) {
    stretches = [Stretch(mark: mark, transaction: 0, idsUntil: .min)]
  }

  package var count: Int { stretches.count }
  package var newest: Mark { stretches[stretches.count - 1].mark }
  /// The transaction after which the oldest mark was taken.
  package var oldestTransaction: Int64 { stretches[0].transaction }

  /// Ids came until `clock`, each remembered for `windowMs`.
  package mutating func noteIds(clock: LogTime, windowMs: Milliseconds) {
    guard clock != .min else { return }
    let last = stretches.count - 1
    stretches[last].idsUntil = max(stretches[last].idsUntil, clock &+ windowMs)
  }

  package mutating func append(_ mark: Mark, after transaction: Int64) {
    stretches.append(Stretch(mark: mark, transaction: transaction, idsUntil: .min))
    if stretches.count > Self.most { thinOut() }
  }

  /// Where a restore has to begin to read the log, and from where on rooms get their events again.
  package struct Start: Equatable {
    /// Before the oldest `eventId` that told a duplicate when the log was at `applyFrom`.
    package var mark: Mark
    /// Before the oldest change that no checkpoint has. What comes before it tells only of duplicates.
    package var applyFrom: Int64

    package init(mark: Mark, applyFrom: Int64) {
      self.mark = mark
      self.applyFrom = applyFrom
    }
  }

  /// The newest place to begin at, older marks being forgotten.
  ///
  /// - Parameters:
  ///   - transaction: After it came the oldest change that no checkpoint has; nil: there is none.
  ///   - offset: The end of what has been processed, and `clock` its clock.
  package mutating func start(changedAfter transaction: Int64?, offset: Int64, clock: LogTime) -> Start {
    var (applyFrom, clock, bound) = (offset, clock, stretches.count - 1)
    if let transaction {
      bound = (stretches.lastIndex { $0.transaction <= transaction }) ?? 0
      (applyFrom, clock) = (stretches[bound].mark.offset, stretches[bound].mark.clock)
    }
    let from = stretches[..<bound].firstIndex { $0.idsUntil > clock } ?? bound
    if from > 0 { stretches.removeFirst(from) }
    return Start(mark: stretches[0].mark, applyFrom: applyFrom)
  }

  private mutating func thinOut() {
    var kept: [Stretch] = [stretches[0]]
    for (i, stretch) in stretches.enumerated().dropFirst() {
      if i % 2 == 1, i + 1 < stretches.count {
        kept[kept.count - 1].idsUntil = max(kept[kept.count - 1].idsUntil, stretch.idsUntil)
      } else {
        kept.append(stretch)
      }
    }
    stretches = kept
  }
}

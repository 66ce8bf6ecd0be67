package import RoomModel

/// The marks of one partition that a restore may still have to begin at, oldest first.
///
/// A restore must begin before the oldest change that no checkpoint has, and before the oldest `eventId` that still tells
/// a duplicate. Transactions are numbered; a mark taken after transaction *n* has number *n*.
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

  /// The newest mark that a restore may begin at, those before it being forgotten.
  ///
  /// - Parameters:
  ///   - clock: The partition's clock: ids forgotten by then tell nothing any more.
  ///   - transaction: After it came the oldest change that no checkpoint has.
  package mutating func mark(clock: LogTime, changedAfter transaction: Int64) -> Mark {
    var from = 0
    while from + 1 < stretches.count, stretches[from].idsUntil <= clock,
      stretches[from + 1].transaction <= transaction
    {
      from += 1
    }
    if from > 0 { stretches.removeFirst(from) }
    return stretches[0].mark
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

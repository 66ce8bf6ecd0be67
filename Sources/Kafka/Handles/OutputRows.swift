/// Memory that records lie in which librdkafka was given without a copy: it reads them there until their transaction has
/// ended, one way or the other. A row that is taken stays where it is until then, and is used again after.
final class OutputRows {
  struct Row {
    let start: UnsafeMutableRawPointer
    /// Bytes.
    let size: Int
  }

  /// Counts the transactions that have ended. A row that was taken before is not the taker's any more.
  private(set) var transaction = 0
  private var taken: [Row] = []
  private var free: [Row] = []

  /// The usual size, for many records. Pages that nobody writes to take no memory.
  static let usualSize = 256 * 1_024

  deinit {
    for row in taken + free { row.start.deallocate() }
  }

  func take(atLeast size: Int) -> Row {
    let row: Row
    if size <= Self.usualSize, let last = free.popLast() {
      row = last
    } else {
      let size = max(size, Self.usualSize)
      row = Row(start: .allocate(byteCount: size, alignment: 16), size: size)
    }
    taken.append(row)
    return row
  }

  /// Called once librdkafka has let go of every record. If transactions get smaller, memory goes back little by little:
  /// memory given back at once costs more the next time than the records in it.
  func transactionEnded() {
    transaction += 1
    let needed = taken.count
    for row in taken {
      if row.size == Self.usualSize { free.append(row) } else { row.start.deallocate() }
    }
    taken.removeAll(keepingCapacity: true)
    let spare = free.count - needed
    if spare > 0 { for _ in 0..<(spare + 7) / 8 { free.removeLast().start.deallocate() } }
  }
}

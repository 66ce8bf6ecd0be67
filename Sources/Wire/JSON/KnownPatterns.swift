import JSON

/// The patterns of the last documents, each with what is known of it. A document that is written like one of them is read
/// without a parser.
///
/// There are a few, because senders leave out what a gift has not: one of a streak is written otherwise than others.
struct KnownPatterns<What>: ~Copyable {
  private struct Known: ~Copyable {
    var pattern = JSONPattern()
    var what: What?
  }

  private let known: UnsafeMutablePointer<Known>
  private let limit: Int
  private var count = 0
  /// The pattern that matched last: likely the next document matches it, too.
  private var last = 0
  /// The pattern that the next one replaces.
  private var oldest = 0
  /// The number of other documents that pass before one is learnt: where all are different, learning is in vain.
  private var left = 0

  init(limit: Int) {
    self.limit = limit
    known = .allocate(capacity: limit)
  }

  deinit {
    known.deinitialize(count: count)
    known.deallocate()
  }

  /// The values of the document that matched.
  @inline(__always) var values: PatternValues { known[last].pattern.values }

  /// What is known of it.
  @inline(__always) var what: What { known[last].what.unsafelyUnwrapped }

  /// Whether a document is written as one before it; if not, it must be parsed.
  @inline(__always) mutating func matches(_ document: UnsafeRawBufferPointer) -> Bool {
    if count == 0 { return false }
    return known[last].pattern.matches(document) || matchesOther(document)
  }

  @inline(never) private mutating func matchesOther(_ document: UnsafeRawBufferPointer) -> Bool {
    for i in 0..<count where i != last && known[i].pattern.matches(document) {
      last = i
      return true
    }
    return false
  }

  mutating func removeAll() {
    known.deinitialize(count: count)
    (count, last, oldest, left) = (0, 0, 0, 0)
  }

  /// Whether it is time to learn from a document that was parsed.
  mutating func isDue() -> Bool {
    defer { left = left == 0 ? 15 : left - 1 }
    return left == 0
  }

  /// Learns how a document is written: `root` was read of it.
  ///
  /// - Parameters:
  ///   - constants: Places on the tape of values that have to stay as they are.
  ///   - what: Tells by the slots what is known of such documents; nil: nothing, so it is not learnt.
  @inline(never) mutating func learn(
    _ document: UnsafeRawBufferPointer, _ root: JSONValue, constants: Set<Int> = [], _ what: ([JSONScalar]) -> What?
  ) {
    if oldest == count {
      (known + count).initialize(to: Known())
      count += 1
    }
    last = oldest
    known[last].what = known[last].pattern.learn(document, root, constants: constants).flatMap(what)
    if known[last].what == nil { return known[last].pattern.forget() }
    oldest = (oldest + 1) % limit
  }
}

package import RoomModel

/// An event that was registered, and until when it is remembered.
package struct RegisteredMark {
  package let mark: EventMark
  package let until: LogTime

  package init(_ mark: EventMark, until: LogTime) {
    self.mark = mark
    self.until = until
  }
}

/// The marks that came since some record, in the order in which they came, for those who write them: so another need not
/// read the records again. It lies in blocks of some thousand, of which each has a part of the log.
struct MarkLog: ~Copyable {
  private static var blockCount: Int { 2048 }

  private var marks = Block<RegisteredMark>()
  /// The ends of blocks: the record before which one ends, and the number of marks up to there.
  private var ends = Block<(offset: Int64, count: Int)>()
  /// The first record that it covers; nil: it keeps nothing.
  private(set) var from: Int64?

  var isOn: Bool { from != nil }
  var count: Int { marks.count }
  var byteCount: Int { marks.byteCount + ends.byteCount }

  /// Keeps what comes from here on.
  mutating func begin(at offset: Int64) {
    self = MarkLog()
    from = offset
  }

  mutating func append(_ mark: RegisteredMark, at offset: Int64) {
    marks.append(mark)
    if marks.count - (ends.isEmpty ? 0 : ends[ends.count - 1].count) >= Self.blockCount { cut(at: offset + 1) }
  }

  /// A block ends here, if any record came in it: a restore may begin here.
  mutating func cut(at offset: Int64) {
    guard let from, offset > (ends.isEmpty ? from : ends[ends.count - 1].offset) else { return }
    ends.append((offset, marks.count))
  }

  /// Each block, with the part of the log that it covers. (What came after the last cut is in none.)
  func forEachBlock(_ body: (Range<Int64>, UnsafeBufferPointer<RegisteredMark>) -> Void) {
    guard var offset = from else { return }
    var first = 0
    for i in 0..<ends.count {
      let end = ends[i]
      body(offset..<end.offset, UnsafeBufferPointer(start: marks.elements + first, count: end.count - first))
      (offset, first) = end
    }
  }
}

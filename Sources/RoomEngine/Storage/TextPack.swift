import RoomModel

/// Several texts in one allocation: the end of each as 16 bits, then the bytes of all, one after the other.
struct TextPack<let size: Int>: ~Copyable {
  private let start: UnsafeMutableRawPointer

  /// Together they must be shorter than 2^16 bytes, as all texts of one event are.
  init(_ texts: InlineArray<size, Text>) {
    precondition(Self.holds(texts), "texts within their limits")
    let start = UnsafeMutableRawPointer.allocate(byteCount: size * 2 + Self.length(of: texts), alignment: 8)
    var end = 0
    for i in 0..<size {
      (start + size * 2 + end).copyShort(from: texts[i].start, count: texts[i].count)
      end &+= texts[i].count
      start.storeBytes(of: UInt16(truncatingIfNeeded: end), toByteOffset: i * 2, as: UInt16.self)
    }
    self.start = start
  }

  static func holds(_ texts: InlineArray<size, Text>) -> Bool { length(of: texts) < 1 << 16 }

  private static func length(of texts: InlineArray<size, Text>) -> Int {
    var length = 0
    for i in 0..<size { length += texts[i].count }
    return length
  }

  deinit {
    start.deallocate()
  }

  /// All of them, end to end.
  var whole: Text { Text(start: start + size * 2, count: end(of: size - 1)) }

  var byteCount: Int { size * 2 + end(of: size - 1) }

  subscript(_ index: Int) -> Text {
    @inline(__always) get { self[index, through: index] }
  }

  /// The texts from `first` to `last`, end to end.
  subscript(_ first: Int, through last: Int) -> Text {
    @inline(__always) get {
      let from = first == 0 ? 0 : end(of: first - 1)
      return Text(start: start + size * 2 + from, count: end(of: last) - from)
    }
  }

  /// The texts in a copy of `whole`.
  func views(in copy: Text) -> InlineArray<size, Text> {
    var from = 0
    return InlineArray { index in
      let to = end(of: index)
      defer { from = to }
      return Text(start: copy.start + from, count: to - from)
    }
  }

  @inline(__always) private func end(of index: Int) -> Int {
    Int(start.load(fromByteOffset: index * 2, as: UInt16.self))
  }
}

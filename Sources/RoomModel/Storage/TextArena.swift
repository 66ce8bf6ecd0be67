/// Bytes of texts, in chunks that never move: a text is good until `removeAll()`.
///
/// It is kept and filled anew, so it allocates only while it grows.
public struct TextArena: ~Copyable {
  private var chunks: [UnsafeMutableRawBufferPointer] = []
  /// The chunk that is being filled.
  private var chunk = -1
  /// The free rest of it; before the first, nothing.
  @usableFromInline var next = UnsafeMutableRawPointer(bitPattern: 16)!
  @usableFromInline var free = 0
  /// Where the first chunk begins; before there is one, `next`.
  @usableFromInline var first = UnsafeMutableRawPointer(bitPattern: 16)!

  private static var chunkSize: Int { 64 * 1024 }

  public init() {}

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  /// Most records leave nothing in it.
  @inlinable @inline(__always) public mutating func removeAll() {
    if next != first { fill(0) }
  }

  public mutating func keep(_ text: Text) -> Text {
    if text.isEmpty { return .empty }
    let target = place(for: text.count)
    target.copyShort(from: text.start, count: text.count)
    return Text(start: target, count: text.count)
  }

  public mutating func keep(_ string: String) -> Text {
    if string.isEmpty { return .empty }
    var string = string
    return string.withUTF8 { keep(Text(start: $0.baseAddress!, count: $0.count)) }
  }

  /// `prefix` and a number from 0, without making a `String`: every event has an id of its own.
  public mutating func keep(_ prefix: Text, _ number: Int) -> Text {
    let most = prefix.count + 20
    let target = place(for: most)
    target.copyMemory(from: prefix.start, byteCount: prefix.count)
    var digit = most
    var rest = number
    repeat {
      digit -= 1
      target.storeBytes(of: UInt8(ascii: "0") + UInt8(rest % 10), toByteOffset: digit, as: UInt8.self)
      rest /= 10
    } while rest > 0
    let count = most - digit
    (target + prefix.count).copyMemory(from: target + digit, byteCount: count)
    return Text(start: target, count: prefix.count + count)
  }

  public mutating func keep<Element: BitwiseCopyable>(
    _ elements: UnsafeBufferPointer<Element>
  ) -> UnsafeBufferPointer<Element> {
    let size = elements.count * MemoryLayout<Element>.stride
    guard size > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
    // Texts end anywhere.
    let target = place(for: size + MemoryLayout<Element>.alignment - 1).alignedUp(for: Element.self)
    target.copyMemory(from: elements.baseAddress!, byteCount: size)
    return UnsafeBufferPointer(
      start: target.bindMemory(to: Element.self, capacity: elements.count), count: elements.count)
  }

  /// A value that lives as long as the texts.
  @inlinable @inline(__always) public mutating func lend<Value: BitwiseCopyable>(_ value: Value) -> Lent<Value> {
    let size = MemoryLayout<Value>.size
    let target = place(for: size + MemoryLayout<Value>.alignment - 1).alignedUp(for: Value.self)
    let lent = target.bindMemory(to: Value.self, capacity: 1)
    lent.initialize(to: value)
    return Lent(lent)
  }

  @inlinable @inline(__always) mutating func place(for count: Int) -> UnsafeMutableRawPointer {
    if free < count { takeChunk(for: count) }
    defer {
      next += count
      free &-= count
    }
    return next
  }

  /// The next that has room for so much.
  @usableFromInline @inline(never) mutating func takeChunk(for count: Int) {
    while chunk + 1 < chunks.count {
      fill(chunk + 1)
      if free >= count { return }
    }
    chunks.append(.allocate(byteCount: max(count, Self.chunkSize), alignment: 16))
    fill(chunks.count - 1)
  }

  @usableFromInline mutating func fill(_ place: Int) {
    chunk = place
    next = chunks[place].baseAddress!
    free = chunks[place].count
    if place == 0 { first = next }
  }
}

/// Values in a row that are filled in, read and emptied again and again, for each record once or oftener.
///
/// An `Array` looks with each value whether somebody else holds it, and to empty it takes 80 instructions; this takes one
/// or two. It holds what owns nothing.
public struct RefilledList<Element>: ~Copyable {
  @usableFromInline var start: UnsafeMutablePointer<Element>
  @usableFromInline var count = 0
  @usableFromInline var capacity = 0

  public init() { start = UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment)! }

  deinit { if capacity > 0 { start.deallocate() } }

  /// Good until the next change.
  public var elements: UnsafeBufferPointer<Element> {
    @inlinable @inline(__always) get { UnsafeBufferPointer(start: start, count: count) }
  }

  @inlinable @inline(__always) public mutating func append(_ element: Element) {
    if count == capacity { grow() }
    (start + count).initialize(to: element)
    count &+= 1
  }

  /// The memory stays.
  @inlinable @inline(__always) public mutating func removeAll() { count = 0 }

  @usableFromInline @inline(never) mutating func grow() {
    capacity = max(16, 2 * capacity)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.moveInitialize(from: start, count: count)
    if count > 0 { start.deallocate() }
    start = larger
  }
}

public import RoomModel

/// Bytes on their way out.
///
/// It is kept and filled anew for each message, so it allocates only while it grows. What it holds moves when it
/// grows: take `base` when all is appended.
public struct ByteBuffer: ~Copyable {
  @usableFromInline var start: UnsafeMutableRawPointer
  @usableFromInline var capacity: Int
  @usableFromInline var used = 0

  public init(capacity: Int = 1024) {
    self.capacity = max(capacity, 16)
    start = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit { start.deallocate() }

  @inlinable @inline(__always) public var count: Int { used }

  @inlinable public var base: UnsafeRawPointer { UnsafeRawPointer(start) }

  /// Good until the next change.
  @inlinable public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: used) }

  /// The bytes as a text, which is a view of the buffer.
  @inlinable public var text: Text { Text(start: start, count: used) }

  @inlinable public mutating func removeAll() { used = 0 }

  /// Takes back what was appended after there were `count` bytes.
  public mutating func removeAll(after count: Int) { used = min(used, count) }

  /// Replaces a byte that was appended.
  @inlinable @inline(__always) public mutating func replaceByte(at place: Int, with byte: UInt8) {
    start.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
  }

  /// Makes room for `more` bytes, so that appending them moves nothing.
  @inlinable public mutating func reserve(_ more: Int) {
    if capacity &- used < more { grow(more) }
  }

  @usableFromInline @inline(never) mutating func grow(_ more: Int) {
    capacity = max(2 * capacity, used + more)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: start, byteCount: used)
    start.deallocate()
    start = larger
  }

  /// Moves the bytes from `place` on, and leaves room for `more` before them.
  public mutating func insertRoom(_ more: Int, at place: Int) {
    reserve(more)
    (start + place + more).copyMemory(from: start + place, byteCount: used - place)
    used += more
  }

  @inlinable public mutating func append(_ byte: UInt8) {
    reserve(1)
    start.storeBytes(of: byte, toByteOffset: used, as: UInt8.self)
    used &+= 1
  }

  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if let start = bytes.baseAddress { append(start, count: bytes.count) }
  }

  @inlinable @inline(__always) public mutating func append(_ from: UnsafeRawPointer, count: Int) {
    reserve(count)
    (start + used).copyShort(from: from, count: count)
    used &+= count
  }

  public mutating func append(_ text: Text) { append(text.start, count: text.count) }

  /// Inlined whatever its size, so that copying a literal is a few stores of constants.
  @inlinable @inline(__always) public mutating func append(_ literal: StaticString) {
    let size = literal.utf8CodeUnitCount
    reserve(size)
    (start + used).copyMemory(from: literal.utf8Start, byteCount: size)
    used &+= size
  }

  /// Appends a `String`, where one is at hand anyway. (It has a name of its own, or literals would go this way.)
  public mutating func append(string: String) {
    var string = string
    string.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }
}

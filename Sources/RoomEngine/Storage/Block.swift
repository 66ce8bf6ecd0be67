import RoomModel

/// A row of elements in memory of its own, which grows as needed.
///
/// It is what an `Array` is without shared ownership: changing it in place costs no look whether somebody else holds
/// it too, and it holds what can't be copied.
struct Block<Element: ~Copyable>: ~Copyable {
  private var start: UnsafeMutablePointer<Element>
  // Rooms have dozens of these, most of them empty.
  private var used: Int32 = 0
  private var room: Int32 = 0

  private(set) var count: Int {
    @inline(__always) get { Int(used) }
    @inline(__always) set { used = Int32(newValue) }
  }
  private(set) var capacity: Int {
    @inline(__always) get { Int(room) }
    @inline(__always) set { room = Int32(newValue) }
  }

  init() {
    start = UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment)!
  }

  deinit {
    start.deinitialize(count: count)
    if capacity > 0 { start.deallocate() }
  }

  var isEmpty: Bool { count == 0 }

  var byteCount: Int { capacity * MemoryLayout<Element>.stride }

  subscript(_ index: Int) -> Element {
    @inline(__always) unsafeAddress {
      precondition(index >= 0 && index < count, "an element that is there")
      return UnsafePointer(start + index)
    }
    @inline(__always) unsafeMutableAddress {
      precondition(index >= 0 && index < count, "an element that is there")
      return start + index
    }
  }

  mutating func append(_ element: consuming Element) {
    if count == capacity { resize(to: max(4, capacity * 2)) }
    (start + count).initialize(to: element)
    count += 1
  }

  mutating func removeLast() -> Element {
    precondition(count > 0, "an element to remove")
    count -= 1
    return (start + count).move()
  }

  /// Inserts an element. Those from `index` on move up.
  mutating func insert(_ element: consuming Element, at index: Int) {
    precondition(index >= 0 && index <= count, "a place between elements")
    if count == capacity { resize(to: max(4, capacity * 2)) }
    (start + index + 1).moveInitialize(from: start + index, count: count - index)
    (start + index).initialize(to: element)
    count += 1
  }

  /// Removes an element. Those behind it move down.
  mutating func remove(at index: Int) {
    precondition(index >= 0 && index < count, "an element to remove")
    (start + index).deinitialize(count: 1)
    (start + index).moveInitialize(from: start + index + 1, count: count - index - 1)
    count -= 1
  }

  /// Gives the memory back, too.
  mutating func removeAll() {
    self = Block()
  }

  mutating func reserve(_ wanted: Int) {
    if wanted > capacity { resize(to: wanted) }
  }

  /// Makes room, so that appending these moves nothing; grows by at least as much as there is, like `append`.
  mutating func makeRoom(for more: Int) {
    if count + more > capacity { resize(to: max(count + more, capacity * 2)) }
  }

  /// Gives memory back where less than a quarter is used, if there is much of it.
  @inline(__always) mutating func shrink() {
    if capacity > 64, count < capacity / 4 { resize(to: max(4, count * 2)) }
  }

  /// The elements, for inner loops that know their bounds. Good until the block grows.
  var elements: UnsafeMutablePointer<Element> { start }

  private mutating func resize(to newCapacity: Int) {
    let new = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
    new.moveInitialize(from: start, count: count)
    if capacity > 0 { start.deallocate() }
    start = new
    capacity = newCapacity
  }
}

extension Block where Element: ~Copyable {
  mutating func removeAll(keepingCapacity: Bool) {
    if keepingCapacity { while !isEmpty { _ = removeLast() } } else { removeAll() }
  }
}

extension Block {
  init(repeating element: Element, count: Int) {
    self.init()
    reserve(count)
    start.initialize(repeating: element, count: count)
    self.count = count
  }
}

extension Block where Element == UInt8 {
  /// Appends a text with its length, and returns where it lies.
  mutating func append(_ text: Text) -> Int {
    let place = count
    makeRoom(for: 2 + text.count)
    append(UInt8(truncatingIfNeeded: text.count))
    append(UInt8(text.count >> 8))
    for byte in text.bytes { append(byte) }
    return place
  }

  /// The text that lies there; good until the next one is appended.
  func text(at place: Int) -> Text {
    precondition(place >= 0 && place + 2 <= count, "a text that was appended")
    let start = elements + place
    return Text(start: start + 2, count: Int(start[0]) | Int(start[1]) << 8)
  }
}

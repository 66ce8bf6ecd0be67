/// Elements that keep their place ("slot") for as long as they are there; places that got free are used again.
struct Slab<Element: ~Copyable>: ~Copyable {
  private var start: UnsafeMutablePointer<Element>
  private var capacity: Int32 = 0
  /// Slots below are or were in use; those that aren't any more are `vacant`.
  private var used: Int32 = 0
  private var vacant = Block<Int32>()

  init() {
    start = UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment)!
  }

  deinit {
    if count > 0 {
      var isVacant = Block(repeating: false, count: Int(used))
      for i in 0..<vacant.count { isVacant[Int(vacant[i])] = true }
      for slot in 0..<Int(used) where !isVacant[slot] { (start + slot).deinitialize(count: 1) }
    }
    if capacity > 0 { start.deallocate() }
  }

  var count: Int { Int(used) - vacant.count }

  /// Slots are below.
  var slotCount: Int32 { used }

  var byteCount: Int { Int(capacity) * MemoryLayout<Element>.stride + vacant.byteCount }

  /// `slot` must be one that `insert` gave and `remove` has not taken back.
  subscript(_ slot: Int32) -> Element {
    @inline(__always) unsafeAddress {
      precondition(slot >= 0 && slot < used, "a slot that is there")
      return UnsafePointer(start + Int(slot))
    }
    @inline(__always) unsafeMutableAddress {
      precondition(slot >= 0 && slot < used, "a slot that is there")
      return start + Int(slot)
    }
  }

  mutating func insert(_ element: consuming Element) -> Int32 {
    let slot: Int32
    if vacant.isEmpty {
      if used == capacity { grow() }
      slot = used
      used += 1
    } else {
      slot = vacant.removeLast()
    }
    (start + Int(slot)).initialize(to: element)
    return slot
  }

  /// The memory goes with the last element, if there is much of it.
  mutating func remove(_ slot: Int32) {
    precondition(slot >= 0 && slot < used, "a slot that is there")
    (start + Int(slot)).deinitialize(count: 1)
    vacant.append(slot)
    if count == 0, capacity > 8 { self = Slab() }
  }

  private mutating func grow() {
    let newCapacity = max(2, capacity * 2)
    let new = UnsafeMutablePointer<Element>.allocate(capacity: Int(newCapacity))
    // All slots are taken, or none would have been asked for.
    new.moveInitialize(from: start, count: Int(used))
    if capacity > 0 { start.deallocate() }
    start = new
    capacity = newCapacity
  }
}

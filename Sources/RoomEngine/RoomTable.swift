import RoomModel

/// The rooms of a partition, by slot and by id. Each lies in memory of its own, which it leaves when it is forgotten.
///
/// A new room takes the lowest slot that is free: so the highest are free once many rooms are forgotten, and tables by
/// slot can be shorter.
struct RoomTable: ~Copyable {
  private var rooms = Block<UnsafeMutablePointer<Room>?>()
  private var vacant = SlotSet()
  private var index = SlotIndex()

  deinit {
    for slot in 0..<rooms.count {
      guard let room = rooms[slot] else { continue }
      room.deinitialize(count: 1)
      room.deallocate()
    }
  }

  var count: Int { index.count }
  /// Slots are below, and the highest of them is in use.
  var slotCount: Int32 { Int32(rooms.count) }
  var byteCount: Int {
    var bytes = rooms.byteCount + vacant.byteCount + index.byteCount + count * MemoryLayout<Room>.stride
    for slot in 0..<slotCount where contains(slot) { bytes += self[slot].byteCount }
    return bytes
  }

  func contains(_ slot: Int32) -> Bool { slot >= 0 && slot < rooms.count && rooms[Int(slot)] != nil }

  /// The room in a slot that is in use. It stays where it is until it is removed.
  subscript(_ slot: Int32) -> Room {
    unsafeAddress { UnsafePointer(place(of: slot)) }
    nonmutating unsafeMutableAddress { place(of: slot) }
  }

  /// The same room, for those who ask several things of it: each look at its slot takes as long as many a question.
  @inline(__always) func place(of slot: Int32) -> UnsafeMutablePointer<Room> { rooms[Int(slot)]! }

  @inline(__always) func find(_ id: Text, hash: UInt32) -> Int32? {
    var probe = index.probe(for: hash)
    while let slot = index.next(&probe) {
      if rooms[Int(slot)]!.pointee.id == id { return Int32(slot) }
    }
    return nil
  }

  /// A new room, which must not be there.
  mutating func insert(_ room: consuming Room) -> Int32 {
    let slot: Int32
    if vacant.isEmpty {
      slot = Int32(rooms.count)
      rooms.append(nil)
    } else {
      slot = vacant.removeLowest()
    }
    index.insert(UInt32(slot), hash: room.hash)
    let place = UnsafeMutablePointer<Room>.allocate(capacity: 1)
    place.initialize(to: room)
    rooms[Int(slot)] = place
    return slot
  }

  mutating func remove(_ slot: Int32) {
    let room = rooms[Int(slot)]!
    index.remove(UInt32(slot), hash: room.pointee.hash)
    room.deinitialize(count: 1)
    room.deallocate()
    rooms[Int(slot)] = nil
    vacant.insert(slot)
    guard count > 0 else {
      self = RoomTable()
      return
    }
    while rooms[rooms.count - 1] == nil {
      vacant.remove(slotCount - 1)
      _ = rooms.removeLast()
    }
    rooms.shrink()
  }
}

import RoomModel

/// The event ids that came in the last `dedupe.windowMs`, in all rooms of a partition (STAGES.md, section 2).
///
/// Millions may be remembered, so an id takes its bytes and about 36 more: they lie one behind the other, as they
/// came, in chunks, and an index finds them. The oldest are forgotten first. One that came again stands where it
/// stood, and goes to the end when its turn to be forgotten comes.
struct SeenEvents: ~Copyable {
  /// An id as it lies in a chunk: when it is forgotten, the slot of its room, its length, its bytes; up to the next
  /// multiple of 8.
  struct Entry {
    let start: UnsafeMutableRawPointer

    static var header: Int { 14 }
    static func size(of count: Int) -> Int { (header + count + 7) & ~7 }

    var endsAt: LogTime {
      get { start.load(as: Int64.self) }
      nonmutating set { start.storeBytes(of: newValue, as: Int64.self) }
    }
    var room: Int32 { start.load(fromByteOffset: 8, as: Int32.self) }
    var id: Text {
      Text(start: start + Self.header, count: Int(start.load(fromByteOffset: 12, as: UInt16.self)))
    }
    var size: Int { Self.size(of: id.count) }

    func initialize(_ id: Text, room: Int32, endsAt: LogTime) {
      self.endsAt = endsAt
      start.storeBytes(of: room, toByteOffset: 8, as: Int32.self)
      start.storeBytes(of: UInt16(id.count), toByteOffset: 12, as: UInt16.self)
      (start + Self.header).copyMemory(from: id.start, byteCount: id.count)
    }
  }

  struct Chunk {
    var start: UnsafeMutableRawPointer?
    /// Bytes.
    var used = 0
    /// The chunk that was filled after this one.
    var next: Int32 = -1

    static var size: Int { 1 << 16 }
    /// Places of entries count in steps of 8 bytes.
    static var places: UInt32 { UInt32(size / 8) }
  }

  private var chunks = Block<Chunk>()
  private var vacant = Block<Int32>()
  private var index = SlotIndex()
  /// Where the oldest entry is and where the next will be: chunk and byte; -1: there is none.
  private var head: (chunk: Int32, byte: Int) = (-1, 0)
  private var tail: Int32 = -1
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  deinit {
    for i in 0..<chunks.count { chunks[i].start?.deallocate() }
  }

  var count: Int { index.count }

  var byteCount: Int {
    index.byteCount + chunks.byteCount + vacant.byteCount + (chunks.count - vacant.count) * Chunk.size
  }

  /// Remembers an id that came in a room, for `window` from now on; it must not be empty. Returns whether it had come
  /// there less than its own window before: whether it is a duplicate.
  mutating func register(_ id: Text, room: Int32, at now: LogTime, window: Milliseconds) -> Bool {
    let endsAt = now + window
    let hash = hash(of: id, room: room)
    var probe = index.probe(for: hash)
    while let place = index.next(&probe) {
      let entry = entry(at: place)
      guard entry.room == room, entry.id == id else { continue }
      let isDuplicate = now < entry.endsAt
      // A window that has begun keeps its length.
      entry.endsAt = max(entry.endsAt, endsAt)
      return isDuplicate
    }
    if window > 0 { index.insert(put(id, room: room, endsAt: endsAt), hash: hash) }
    return false
  }

  /// Forgets the oldest id if its time has come, and returns the slot of its room.
  mutating func forgetOldest(endedBy now: LogTime) -> Int32? {
    // Those that stand too far in front, because they came again or because the window was longer, go to the end.
    for _ in 0..<4 {
      guard head.chunk >= 0 else { return nil }
      let entry = oldest
      if entry.endsAt <= now {
        let room = entry.room
        index.remove(place(of: head), hash: hash(of: entry.id, room: room))
        removeOldest()
        return room
      }
      guard let second, second.endsAt < entry.endsAt else { return nil }
      moveOldestToEnd()
    }
    return nil
  }

  /// Remembers an id that came elsewhere. False: it was remembered already.
  mutating func remember(_ id: Text, room: Int32, endsAt: LogTime) -> Bool {
    let before = count
    _ = register(id, room: room, at: endsAt - 1, window: 1)
    return count > before
  }

  /// Each id that is remembered, about as they will be forgotten.
  func forEach(_ body: (Entry) -> Void) {
    var (chunk, byte) = head
    while chunk >= 0 {
      while byte < chunks[Int(chunk)].used {
        let entry = entry(at: place(of: (chunk, byte)))
        body(entry)
        byte += entry.size
      }
      (chunk, byte) = (chunks[Int(chunk)].next, 0)
    }
  }

  // MARK: Entries

  private func hash(of id: Text, room: Int32) -> UInt32 {
    var hash = TextHash(seed: seed)
    hash.add(room)
    hash.add(id)
    return hash.value
  }

  private func entry(at place: UInt32) -> Entry {
    Entry(start: chunks[Int(place / Chunk.places)].start! + Int(place % Chunk.places) * 8)
  }

  private func place(of position: (chunk: Int32, byte: Int)) -> UInt32 {
    UInt32(position.chunk) * Chunk.places + UInt32(position.byte / 8)
  }

  private var oldest: Entry { entry(at: place(of: head)) }

  private var second: Entry? {
    let next = head.byte + oldest.size
    if next < chunks[Int(head.chunk)].used { return entry(at: place(of: (head.chunk, next))) }
    let chunk = chunks[Int(head.chunk)].next
    return chunk < 0 ? nil : entry(at: place(of: (chunk, 0)))
  }

  /// Puts an entry at the end and returns its place.
  private mutating func put(_ id: Text, room: Int32, endsAt: LogTime) -> UInt32 {
    let size = Entry.size(of: id.count)
    if tail < 0 || chunks[Int(tail)].used + size > Chunk.size { addChunk() }
    let byte = chunks[Int(tail)].used
    chunks[Int(tail)].used += size
    Entry(start: chunks[Int(tail)].start! + byte).initialize(id, room: room, endsAt: endsAt)
    return place(of: (tail, byte))
  }

  private mutating func moveOldestToEnd() {
    let entry = oldest
    let hash = hash(of: entry.id, room: entry.room)
    index.replace(place(of: head), hash: hash, by: put(entry.id, room: entry.room, endsAt: entry.endsAt))
    removeOldest()
  }

  private mutating func removeOldest() {
    head.byte += oldest.size
    guard head.byte == chunks[Int(head.chunk)].used else { return }
    let chunk = Int(head.chunk)
    head = (chunks[chunk].next, 0)
    if head.chunk < 0 { tail = -1 }
    chunks[chunk].start!.deallocate()
    chunks[chunk] = Chunk()
    vacant.append(Int32(chunk))
    if vacant.count == chunks.count {
      chunks.removeAll()
      vacant.removeAll()
    }
  }

  private mutating func addChunk() {
    let new: Int32
    if vacant.isEmpty {
      new = Int32(chunks.count)
      chunks.append(Chunk())
    } else {
      new = vacant.removeLast()
    }
    chunks[Int(new)].start = .allocate(byteCount: Chunk.size, alignment: 8)
    if tail >= 0 { chunks[Int(tail)].next = new } else { head = (new, 0) }
    tail = new
  }
}

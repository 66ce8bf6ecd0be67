import RoomModel

/// The event ids that came in the last `dedupe.windowMs`, in all rooms of a partition (STAGES.md, section 2).
///
/// Millions may be remembered, so an id takes its bytes, those of its user and about 40 more: they lie one behind the
/// other, as they came, in chunks, and an index finds them. A chunk is forgotten as a whole, once all of its ids are
/// over; what the index has of it is passed over, and goes when the index is full. An id that is over tells no
/// duplicate, forgotten or not.
struct SeenEvents: ~Copyable {
  /// The fate of an id that came.
  struct Registered {
    /// It had come in the room less than its own window before.
    var isDuplicate: Bool
    /// The chunk where it was put; -1: it wasn't, or stays where it was.
    var chunk: Int32 = -1
  }

  /// A chunk that is no more.
  struct Forgotten: ~Copyable {
    let slot: Int32
    /// The rooms that were noted in it.
    let rooms: Block<Int32>
  }

  private var chunks = Block<SeenChunk>()
  /// Chunks that are forgotten: those that can be used again, and those of which the index still has entries.
  private var vacant = Block<Int32>()
  private var dead = Block<Int32>()
  /// The time when each chunk is over to which nothing is added any more.
  private var closed = IndexedHeap<LogTime>()
  /// The chunk that takes the next id; -1: a new one.
  private var tail: Int32 = -1
  private var index = SlotIndex()
  /// Ids that can be found.
  private(set) var count = 0
  /// The number of the next chunk: chunks are numbered as they are begun.
  private var number: Int64 = 0
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  var byteCount: Int {
    var bytes = index.byteCount + chunks.byteCount + vacant.byteCount + dead.byteCount + closed.byteCount
    for i in 0..<chunks.count { bytes += chunks[i].byteCount }
    return bytes
  }

  /// Remembers an event that came in a room, for `window` from now on; its id must not be empty.
  mutating func register(_ key: SeenChunk.Key, room: Int32, at now: LogTime, window: Milliseconds) -> Registered {
    let endsAt = now + window
    let hash = hash(of: key, room: room)
    var probe = index.probe(for: hash)
    while let place = index.next(&probe) {
      let chunk = SeenChunk.slot(of: place)
      guard !chunks[chunk].isForgotten else { continue }
      let entry = chunks[chunk].entry(at: place)
      guard entry.room == room, entry.holds(key) else { continue }
      let isDuplicate = now < entry.endsAt
      // A window that has begun keeps its length.
      guard entry.endsAt < endsAt else { return Registered(isDuplicate: isDuplicate) }
      if endsAt <= chunks[chunk].endsAt {
        entry.endsAt = endsAt
        return Registered(isDuplicate: isDuplicate)
      }
      // It would keep its whole chunk.
      chunks[chunk].moveAway(entry)
      index.replace(place, hash: hash, by: put(key, room: room, at: now, endsAt: endsAt))
      return Registered(isDuplicate: isDuplicate, chunk: tail)
    }
    guard window > 0 else { return Registered(isDuplicate: false) }
    let place = put(key, room: room, at: now, endsAt: endsAt)
    if index.isFull {
      sweep()
      index.insert(place, hash: hash)
    } else {
      index.insert(place, after: probe)
    }
    count += 1
    return Registered(isDuplicate: false, chunk: tail)
  }

  /// Remembers an event that came elsewhere.
  mutating func remember(_ key: SeenChunk.Key, room: Int32, endsAt: LogTime) -> Registered {
    register(key, room: room, at: endsAt - 1, window: 1)
  }

  /// The room has ids in that chunk; to be said once for each.
  mutating func note(room: Int32, in chunk: Int32) { chunks[Int(chunk)].rooms.append(room) }

  /// Whether there is a chunk to forget.
  @inline(__always) func isOver(by now: LogTime) -> Bool {
    if tail >= 0, chunks[Int(tail)].endsAt <= now { return true }
    return !closed.isEmpty && closed.least.key <= now
  }

  /// Forgets a chunk that is over; nil: there is none.
  mutating func forgetChunk(endedBy now: LogTime) -> Forgotten? {
    guard isOver(by: now) else { return nil }
    if tail >= 0, chunks[Int(tail)].endsAt <= now { close() }
    let slot = closed.least.item
    closed.remove(slot)
    count -= chunks[Int(slot)].count
    let rooms = chunks[Int(slot)].forget()
    dead.append(slot)
    if count == 0, tail < 0, closed.isEmpty {
      self = SeenEvents(seed: seed)
    } else if index.isSparse(with: count) {
      sweep()
    }
    return Forgotten(slot: slot, rooms: rooms)
  }

  /// Each id that is remembered, about as they came.
  func forEach(_ body: (SeenChunk.Entry) -> Void) {
    let inOrder = (0..<chunks.count).filter { !chunks[$0].isForgotten }
      .sorted { chunks[$0].number < chunks[$1].number }
    for chunk in inOrder { chunks[chunk].forEach(body) }
  }

  // MARK: Chunks

  @inline(__always) private func hash(of key: SeenChunk.Key, room: Int32) -> UInt32 {
    var hash = TextHash(seed: seed)
    hash.add(room)
    hash.add(key.id)
    hash.add(key.userId)
    return hash.value
  }

  /// Puts an entry in the tail and returns its place.
  private mutating func put(_ key: SeenChunk.Key, room: Int32, at now: LogTime, endsAt: LogTime) -> UInt32 {
    if tail >= 0, !chunks[Int(tail)].takes(key, at: now, endsAt: endsAt) { close() }
    if tail < 0 { begin(at: now) }
    return chunks[Int(tail)].append(key, room: room, endsAt: endsAt, slot: tail)
  }

  @inline(never) private mutating func begin(at now: LogTime) {
    let chunk = SeenChunk(number: number, at: now)
    number += 1
    if vacant.isEmpty {
      tail = Int32(chunks.count)
      chunks.append(chunk)
    } else {
      tail = vacant.removeLast()
      chunks[Int(tail)] = chunk
    }
  }

  @inline(never) private mutating func close() {
    closed.set(tail, to: chunks[Int(tail)].endsAt)
    tail = -1
  }

  /// Takes what is forgotten out of the index. No entry is looked at for it: that would bring all chunks through the
  /// processor's caches.
  private mutating func sweep() {
    let chunks = self.chunks.elements
    index.rebuild(for: count) { place in
      !chunks[SeenChunk.slot(of: place)].isForgotten
    }
    while !dead.isEmpty { vacant.append(dead.removeLast()) }
  }
}

import RoomModel

/// Event ids that came one after the other, within an eighth of the time for which they are remembered, or a second.
struct SeenChunk: ~Copyable {
  /// The parts that tell one event from another: its id, its kind, and its user.
  struct Key: Equatable {
    let id: Text
    let kind: EventKind
    let userId: Text

    var isEmpty: Bool { id.isEmpty }
    var count: Int { id.count &+ userId.count }
  }

  /// A key as it lies in a chunk: when it is over, the slot of its room, the length of its id and of its user, its
  /// kind, the bytes of both; up to the next multiple of 8.
  struct Entry {
    let start: UnsafeMutableRawPointer

    static var header: Int { 17 }
    /// Of a text's lengths no sum overflows.
    static func size(of count: Int) -> Int { (header &+ count &+ 7) & ~7 }

    /// `.min`: it stands elsewhere by now.
    var endsAt: LogTime {
      get { start.load(as: Int64.self) }
      nonmutating set { start.storeBytes(of: newValue, as: Int64.self) }
    }
    var room: Int32 { start.load(fromByteOffset: 8, as: Int32.self) }
    private var idCount: Int { Int(start.load(fromByteOffset: 12, as: UInt16.self)) }
    private var userCount: Int { Int(start.load(fromByteOffset: 14, as: UInt16.self)) }
    var key: Key {
      Key(
        id: Text(start: start + Self.header, count: idCount),
        kind: start.load(fromByteOffset: 16, as: EventKind.self),
        userId: Text(start: start + Self.header + idCount, count: userCount))
    }
    var size: Int { Self.size(of: idCount + userCount) }

    @inline(__always) func holds(_ key: Key) -> Bool {
      idCount == key.id.count && userCount == key.userId.count
        && start.load(fromByteOffset: 16, as: EventKind.self) == key.kind
        && Text(start: start + Self.header, count: idCount) == key.id
        && Text(start: start + Self.header + idCount, count: userCount) == key.userId
    }

    @inline(__always) func initialize(_ key: Key, room: Int32, endsAt: LogTime) {
      self.endsAt = endsAt
      start.storeBytes(of: room, toByteOffset: 8, as: Int32.self)
      start.storeBytes(of: UInt16(key.id.count), toByteOffset: 12, as: UInt16.self)
      start.storeBytes(of: UInt16(key.userId.count), toByteOffset: 14, as: UInt16.self)
      start.storeBytes(of: key.kind, toByteOffset: 16, as: EventKind.self)
      (start + Self.header).copyShort(from: key.id.start, count: key.id.count)
      (start + Self.header + key.id.count).copyShort(from: key.userId.start, count: key.userId.count)
    }
  }

  let number: Int64
  /// The time when its last id is over.
  private(set) var endsAt: LogTime = .min
  /// Ids that stand here and nowhere else.
  private(set) var count = 0
  /// Rooms that have ids in it.
  var rooms = Block<Int32>()
  private let beganAt: LogTime
  /// Nil: it is forgotten.
  private var start: UnsafeMutableRawPointer?
  /// Bytes.
  private var used = 0
  private var capacity = 1024

  private static var size: Int { 1 << 16 }
  /// Places of entries count in steps of 8 bytes.
  private static var places: UInt32 { UInt32(size / 8) }

  init(number: Int64, at now: LogTime) {
    self.number = number
    beganAt = now
    start = .allocate(byteCount: capacity, alignment: 8)
  }

  deinit { start?.deallocate() }

  var isForgotten: Bool { start == nil }

  var byteCount: Int { (isForgotten ? 0 : capacity) + rooms.byteCount }

  /// The slot of the chunk that a place is in.
  @inline(__always) static func slot(of place: UInt32) -> Int { Int(place / places) }

  /// There must be one.
  @inline(__always) func entry(at place: UInt32) -> Entry { Entry(start: start! + Int(place % Self.places) * 8) }

  /// The entry is put elsewhere.
  mutating func moveAway(_ entry: Entry) {
    entry.endsAt = .min
    count -= 1
  }

  /// Whether the id may be put here: there is room, and what came first would not wait too long for what comes last.
  @inline(__always) func takes(_ key: Key, at now: LogTime, endsAt: LogTime) -> Bool {
    used + Entry.size(of: key.count) <= Self.size && now - beganAt < max(1000, (endsAt - now) / 8)
  }

  /// Appends an entry and returns its place, the chunk being in `slot`.
  @inline(__always) mutating func append(_ key: Key, room: Int32, endsAt: LogTime, slot: Int32) -> UInt32 {
    let size = Entry.size(of: key.count)
    if used + size > capacity { grow(to: used + size) }
    Entry(start: start! + used).initialize(key, room: room, endsAt: endsAt)
    defer { used += size }
    count += 1
    self.endsAt = max(self.endsAt, endsAt)
    return UInt32(slot) * Self.places + UInt32(used / 8)
  }

  @inline(never) private mutating func grow(to needed: Int) {
    capacity = min(Self.size, max(2 * capacity, needed))
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    larger.copyMemory(from: start!, byteCount: used)
    start!.deallocate()
    start = larger
  }

  /// Gives its memory back; the rooms that were noted are returned.
  mutating func forget() -> Block<Int32> {
    start?.deallocate()
    start = nil
    used = 0
    count = 0
    var rooms = Block<Int32>()
    swap(&rooms, &self.rooms)
    return rooms
  }

  /// Each id that stands here and nowhere else, as they came.
  func forEach(_ body: (Entry) -> Void) {
    var byte = 0
    while byte < used {
      let entry = Entry(start: start! + byte)
      if entry.endsAt != .min { body(entry) }
      byte += entry.size
    }
  }
}

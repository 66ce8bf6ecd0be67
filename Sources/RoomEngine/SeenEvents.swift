import RoomModel

/// The events that came in the last `dedupe.windowMs`, in all rooms of a partition (STAGES.md, section 2).
///
/// Millions may be remembered, so of each there is a mark of 12 bytes, and 4 for the time when it is over. They lie in
/// tables of open addressing that are 69 to 83 % full, so that an event takes 19 to 24 bytes. What is over tells no
/// duplicate; its place goes to the next mark that comes by, or is free again once its table is full.
struct SeenEvents: ~Copyable {
  struct Entry {
    var mark: EventMark
    /// Milliseconds after `base` at which it is over; 0: the place is free.
    var ends: UInt32

    static var free: Entry { Entry(mark: EventMark(high: 0, low: 0), ends: 0) }
  }

  struct Table: ~Copyable {
    var places = Block<Entry>()
    /// Places that are not free.
    var used = 0

    /// The place where the search for a mark begins.
    @inline(__always) static func home(of mark: EventMark, _ capacity: Int) -> Int {
      Int(truncatingIfNeeded: ((mark.high & 0xFFFF_FFFF) &* UInt64(capacity)) >> 32)
    }
  }

  /// Events that came one after the other, within an eighth of the time for which they are remembered, or a second.
  struct Span {
    let beganAt: LogTime
    var endsAt: LogTime
    var count: Int
  }

  /// Many, so that none takes long to be made larger.
  private static var tableCount: Int { 64 }
  private static var mostSpans: Int { 64 }

  private var tables = Block<Table>()
  /// The time from which the tables count.
  private var base: LogTime = .min
  private var spans = Block<Span>()
  /// The next table of which what is over is to go; `tableCount`: none.
  private var swept = tableCount
  /// The number of events that are remembered. (Roughly, where windows change length.)
  private(set) var count = 0
  let seed: UInt64
  /// What marks begin with.
  let seeded: MarkHash
  /// What came since some record, if somebody writes that.
  var log = MarkLog()

  init(seed: UInt64) {
    self.seed = seed
    seeded = MarkHash(seed: seed)
  }

  var byteCount: Int {
    var bytes = tables.byteCount + spans.byteCount + log.byteCount
    for i in 0..<tables.count { bytes += tables[i].places.byteCount }
    return bytes
  }

  /// Remembers an event for `window` from now on, and returns whether it is a duplicate.
  ///
  /// - Parameter offset: that of its record.
  @inline(__always) mutating func register(
    _ mark: EventMark, at now: LogTime, window: Milliseconds, offset: Int64
  ) -> Bool {
    // No sum overflows: times of the log and windows are far from the bounds.
    let endsAt = now &+ window
    if base == .min || endsAt &- base > LogTime(UInt32.max) { moveBase(to: now) }
    return put(
      mark, ends: UInt32(truncatingIfNeeded: endsAt &- base), now: UInt32(truncatingIfNeeded: now &- base),
      offset: offset)
  }

  /// Remembers an event that came elsewhere.
  mutating func remember(_ mark: EventMark, until endsAt: LogTime, at now: LogTime) {
    guard endsAt > now else { return }
    if base == .min || endsAt - base > LogTime(UInt32.max) { moveBase(to: now) }
    let ends = UInt32(clamping: endsAt - base)
    _ = put(mark, ends: ends, now: UInt32(truncatingIfNeeded: now - base), offset: -1)
  }

  @inline(__always) private mutating func put(_ mark: EventMark, ends: UInt32, now: UInt32, offset: Int64) -> Bool {
    // The tables are there since the base is.
    let number = Int(truncatingIfNeeded: mark.high &>> 58)
    let table = tables.elements + number
    let capacity = table.pointee.places.count
    let places = table.pointee.places.elements
    var place = places + Table.home(of: mark, capacity)
    // The first place on the way whose event is over.
    var vacant: UnsafeMutablePointer<Entry>?
    if capacity > 0 {
      while place.pointee.ends != 0 {
        if place.pointee.mark == mark {
          let isDuplicate = now < place.pointee.ends
          // A window that has begun keeps its length.
          if ends > place.pointee.ends {
            place.pointee.ends = ends
            note(isDuplicate ? 0 : 1, mark, ends: ends, now: now, offset: offset)
          }
          return isDuplicate
        }
        if place.pointee.ends <= now, vacant == nil { vacant = place }
        place += 1
        if place == places + capacity { place = places }
      }
    }
    guard ends > now else { return false }
    let entry = Entry(mark: mark, ends: ends)
    if let vacant {
      vacant.pointee = entry
    } else if (table.pointee.used &+ 1) &* 6 <= capacity &* 5 {
      place.pointee = entry
      table.pointee.used &+= 1
    } else {
      rebuild(number, at: now, for: 1)
      Self.insert(entry, in: table)
    }
    note(1, mark, ends: ends, now: now, offset: offset)
    return false
  }

  /// Whether something is to be forgotten.
  @inline(__always) func isOver(by now: LogTime) -> Bool {
    swept < Self.tableCount || !spans.isEmpty && spans[0].endsAt <= now
  }

  /// Gives back memory of what is over: at most that of one table, since each record does its share.
  mutating func forget(endedBy now: LogTime) {
    while !spans.isEmpty, spans[0].endsAt <= now {
      count -= spans[0].count
      spans.remove(at: 0)
    }
    if spans.isEmpty {
      tables = Block()
      base = .min
      swept = Self.tableCount
      return
    }
    if swept < Self.tableCount {
      rebuild(swept, at: UInt32(truncatingIfNeeded: now - base), for: 0)
      swept += 1
    } else if isSparse {
      swept = 0
    }
  }

  private var isSparse: Bool {
    var places = 0
    for i in 0..<tables.count { places += tables[i].places.count }
    return places > 1024 && count * 4 < places
  }

  /// Each event that is remembered, in no order.
  func forEach(at now: LogTime, _ body: (EventMark, _ endsAt: LogTime) -> Void) {
    for table in 0..<tables.count {
      for place in 0..<tables[table].places.count {
        let entry = tables[table].places[place]
        if entry.ends != 0, base + LogTime(entry.ends) > now { body(entry.mark, base + LogTime(entry.ends)) }
      }
    }
  }

  // MARK: Counting

  /// - Parameter new: How many events there are more.
  @inline(__always) private mutating func note(
    _ new: Int, _ mark: EventMark, ends: UInt32, now: UInt32, offset: Int64
  ) {
    count &+= new
    let last = spans.count &- 1
    let at = base &+ LogTime(now)
    let endsAt = base &+ LogTime(ends)
    if log.isOn { log.append(RegisteredMark(mark, until: endsAt), at: offset) }
    let span = spans.elements + last
    if last >= 0,
      at &- span.pointee.beganAt < max(1000, (endsAt &- at) / 8) || last == Self.mostSpans &- 1
    {
      span.pointee.count &+= new
      if endsAt > span.pointee.endsAt { span.pointee.endsAt = endsAt }
    } else {
      spans.append(Span(beganAt: at, endsAt: endsAt, count: new))
    }
  }

  // MARK: Tables

  @inline(__always) private static func insert(_ entry: Entry, in table: UnsafeMutablePointer<Table>) {
    let places = table.pointee.places.elements
    let end = places + table.pointee.places.count
    var place = places + Table.home(of: entry.mark, table.pointee.places.count)
    while place.pointee.ends != 0 {
      place += 1
      if place == end { place = places }
    }
    place.pointee = entry
    table.pointee.used &+= 1
  }

  /// Drops what is over, and makes room for as many more.
  ///
  /// - Parameter delta: How much later the tables' base is to be.
  @inline(never) private mutating func rebuild(_ table: Int, at now: UInt32, for more: Int, delta: UInt32 = 0) {
    var old = Block<Entry>()
    swap(&old, &tables[table].places)
    tables[table].used = 0
    var wanted = more
    for i in 0..<old.count where old.elements[i].ends > now { wanted &+= 1 }
    guard wanted > 0 else { return }
    // Where there are few, room costs little. Tables begin with different sizes, so that they don't all grow at once.
    let capacity = max(8 + table % 8, wanted > 2048 ? wanted * 29 / 20 : wanted * 2)
    tables[table].places = Block(repeating: .free, count: capacity)
    let place = tables.elements + table
    for i in 0..<old.count where old.elements[i].ends > now {
      var entry = old.elements[i]
      entry.ends &-= delta
      Self.insert(entry, in: place)
    }
  }

  @inline(never) private mutating func moveBase(to now: LogTime) {
    if tables.isEmpty {
      tables.reserve(Self.tableCount)
      for _ in 0..<Self.tableCount { tables.append(Table()) }
    } else {
      for table in 0..<Self.tableCount {
        // What is over by now, and no other, ends before the new base.
        let over = now - base > LogTime(UInt32.max) ? UInt32.max : UInt32(truncatingIfNeeded: now - base)
        rebuild(table, at: over, for: 0, delta: over &- 1)
      }
    }
    base = now - 1
  }
}

package import RoomScreen

/// A command as streams get it.
package struct HistoryEntry: Sendable {
  package let position: PartitionPosition
  package let room: ID
  /// One line of JSON, as in STAGES.md, section 10. Empty: commands of this room came out of order, and a snapshot takes
  /// their place.
  package let json: [UInt8]
  /// The time at which it was read, by the monotonic clock.
  package let readMs: Int64
  /// Says that it came on another partition than that of its history, and has no offset of its own.
  package private(set) var isStray = false

  package var needsSnapshot: Bool { json.isEmpty }

  /// Takes no memory of its own.
  fileprivate static let forgotten = HistoryEntry(
    position: PartitionPosition(offset: -1, check: 0), room: "", json: [], readMs: 0)

  package init(position: PartitionPosition, room: ID, json: [UInt8], readMs: Int64) {
    self.position = position
    self.room = room
    self.json = json
    self.readMs = readMs
  }

  /// An entry in place of a room's commands that came out of order.
  fileprivate static func snapshot(of room: ID, readMs: Int64) -> HistoryEntry {
    HistoryEntry(position: PartitionPosition(offset: -1, check: 1), room: room, json: [], readMs: readMs)
  }

  /// The same command, placed after `last` without an offset of its own.
  fileprivate func strayed(after last: PartitionPosition) -> HistoryEntry {
    var entry = following(last, offset: last.offset)
    entry.isStray = true
    return entry
  }

  /// The same command, whose position tells which came before it, too.
  fileprivate func following(_ last: PartitionPosition, offset: Int64) -> HistoryEntry {
    let position = PartitionPosition(offset: offset, check: last.check(followedBy: self.position.check))
    return HistoryEntry(position: position, room: room, json: json, readMs: readMs)
  }
}

/// The last commands of one partition, bounded by time and bytes. Loops follow it, each at its own pace, and clients
/// that come back find in it what they missed.
package struct CommandHistory: Sendable {
  /// Entries are counted from the beginning of the process; the number of the first that is still here.
  package private(set) var first = 0
  /// Every command with this offset or a later one, up to `readTo`, is here.
  package private(set) var begin: Int64
  /// The next offset that will be read.
  package private(set) var readTo: Int64
  private var entries: [HistoryEntry] = []
  /// The number of the entry before of the same room, for each entry; -1: there was none.
  private var before: [Int] = []
  /// The number of each room's last entry.
  private var last: [ID: Int] = [:]
  /// The index of the first entry that is kept; those before are forgotten.
  private var head = 0
  private var bytes = 0
  /// Entries that are strays.
  private var strays = 0
  private let lookbackMs: Int64
  private let byteLimit: Int

  /// Bytes that an entry takes beside its command.
  private static let overhead = 128

  package init(begin: Int64, lookbackMs: Int64, byteLimit: Int) {
    self.begin = begin
    readTo = begin
    self.lookbackMs = lookbackMs
    self.byteLimit = byteLimit
  }

  /// The number of the next one.
  package var end: Int { first + entries.count - head }

  /// The position of the last entry.
  package var position: PartitionPosition {
    entries.count > head ? entries[entries.count - 1].position : PartitionPosition(offset: readTo - 1, check: 0)
  }

  /// While there are strays, each position tells the order in which all came: another gateway has read them in another, and
  /// to its clients this one tells nothing twice, and leaves nothing out.
  package mutating func append(_ entry: HistoryEntry) {
    put(strays > 0 ? entry.following(position, offset: entry.position.offset) : entry)
  }

  private mutating func put(_ entry: HistoryEntry) {
    before.append(last.updateValue(end, forKey: entry.room) ?? -1)
    entries.append(entry)
    bytes += entry.json.count + Self.overhead
    readTo = entry.position.offset + 1
    trim(nowMs: entry.readMs)
  }

  /// A command of another partition. Its place is told by the command before it and what has strayed here since: a
  /// gateway to which they came in another order doesn't take it for one of its own.
  package mutating func appendStray(_ entry: HistoryEntry) {
    let readTo = readTo
    put(entry.strayed(after: position))
    strays += 1
    self.readTo = readTo
  }

  /// Streams of this room were given commands out of order and need its snapshot.
  package mutating func appendSnapshot(of room: ID, readMs: Int64) {
    appendStray(.snapshot(of: room, readMs: readMs))
  }

  /// The entries of some rooms, in the order in which they came.
  package func entries(of rooms: Set<ID>) -> [HistoryEntry] {
    entries[head...].filter { !$0.needsSnapshot && rooms.contains($0.room) }
  }

  /// There was no command before this offset that is not here.
  package mutating func advance(to offset: Int64) { readTo = max(readTo, offset) }

  /// All of it is void: the partition is read anew from `begin`. Streams find that they lost their place.
  package mutating func reset(begin: Int64) {
    first = end + 1
    entries = []
    before = []
    last = [:]
    head = 0
    bytes = 0
    strays = 0
    self.begin = begin
    readTo = begin
  }

  private mutating func trim(nowMs: Int64) {
    // The last one stays: it says where the partition ends.
    while entries.count - head > 1, bytes > byteLimit || nowMs - entries[head].readMs > lookbackMs {
      bytes -= entries[head].json.count + Self.overhead
      if entries[head].isStray { strays -= 1 }
      begin = entries[head].position.offset + 1
      if last[entries[head].room] == first { last[entries[head].room] = nil }
      entries[head] = .forgotten
      head += 1
      first += 1
    }
    if head > 64, head > entries.count / 2 {
      entries.removeFirst(head)
      before.removeFirst(head)
      head = 0
    }
  }

  /// The entries from that number on; nil if some of them are gone.
  package func entries(from number: Int) -> ArraySlice<HistoryEntry>? {
    guard number >= first, number <= end else { return nil }
    return entries[(head + number - first)...]
  }

  /// Nil: nothing of the room is here.
  func lastNumber(of room: ID) -> Int? { last[room] }

  /// The number of the entry before of the same room; nil: it is gone. The entry of `number` must be here.
  func previous(_ number: Int) -> Int? {
    let found = before[head + number - first]
    return found >= first ? found : nil
  }

  func entry(_ number: Int) -> HistoryEntry { entries[head + number - first] }

  package enum Place: Equatable {
    /// The entry after the position has this number.
    case number(Int)
    /// The position has not been read here yet; it may be soon.
    case ahead
    /// The position is too long ago, or of another topic.
    case unknown
  }

  /// The most entries that a search looks at: anybody can make up a position, and a snapshot tells as much.
  private static let mostStrays = 4096

  /// The place of a client that has come to `position`.
  package func place(after position: PartitionPosition) -> Place {
    if position.offset >= readTo { return .ahead }
    var low = head
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].position.offset <= position.offset { low = middle + 1 } else { high = middle }
    }
    // `low` is the first after it.
    if position.check == 0 {
      // Nothing was known up to there; so nothing may be missing after it.
      let isKnown = position.offset + 1 >= begin && !(low > head && entries[low - 1].isStray)
      return isKnown ? .number(first + low - head) : .unknown
    }
    // A stray command has the offset of the command before it.
    let least = max(head, low - Self.mostStrays)
    while low > least, entries[low - 1].position.offset == position.offset, entries[low - 1].position != position {
      low -= 1
    }
    guard low > head, entries[low - 1].position == position else { return .unknown }
    return .number(first + low - head)
  }
}

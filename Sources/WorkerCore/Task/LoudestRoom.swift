package import RoomModel

/// Finds the room of a partition that makes the most commands a second, over spans of ten seconds of log time.
///
/// Rooms share 1024 counters, by the hash of their ids. In each the room that makes more commands than the others of
/// that counter together is left over, so no table of all rooms is needed. Its count is too low by what those others made.
package struct LoudestRoom: Sendable {
  private struct Counter {
    var hash: UInt32 = 0
    var count: Int64 = 0
  }

  /// Commands a second in the last whole span; 0: none is known.
  package private(set) var perSecond: Int64 = 0
  /// The room that made them, as its id's bytes.
  package private(set) var room: [UInt8] = []
  /// The end of that span, in log time; 0: none has ended.
  package private(set) var spanEnd: LogTime = 0

  private var counters = [Counter](repeating: Counter(), count: 1024)
  /// The number of the span that is counted; `.min` before the first command.
  private var span: LogTime = .min
  private var most: Int64 = 0
  private var mostHash: UInt32 = 0
  private var mostRoom: [UInt8] = []

  package static let spanMs: Milliseconds = 10_000

  package init() {}

  /// Counts one command.
  ///
  /// - Parameter hash: of the room's id.
  @inline(__always) package mutating func count(_ room: Text, hash: UInt32, atMs: LogTime) {
    let span = atMs >= 0 ? atMs / Self.spanMs : 0
    if span != self.span { begin(span) }
    // The low bits tell the partition, so they are alike.
    let place = Int(hash >> 16) & (counters.count - 1)
    if counters[place].hash == hash {
      counters[place].count += 1
      if counters[place].count > most { lead(room, hash, counters[place].count) }
    } else if counters[place].count == 0 {
      counters[place] = Counter(hash: hash, count: 1)
      if most == 0 { lead(room, hash, 1) }
    } else {
      counters[place].count -= 1
    }
  }

  private mutating func lead(_ room: Text, _ hash: UInt32, _ count: Int64) {
    most = count
    if mostHash == hash, !mostRoom.isEmpty { return }
    mostHash = hash
    mostRoom.removeAll(keepingCapacity: true)
    mostRoom.append(contentsOf: room.bytes)
  }

  @inline(never) private mutating func begin(_ span: LogTime) {
    if self.span != .min {
      perSecond = most * 1000 / Self.spanMs
      room = mostRoom
      spanEnd = (self.span + 1) * Self.spanMs
      for place in counters.indices { counters[place] = Counter() }
    }
    self.span = span
    most = 0
    mostHash = 0
    mostRoom.removeAll(keepingCapacity: true)
  }
}

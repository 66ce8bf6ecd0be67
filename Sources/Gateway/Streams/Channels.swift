import RoomModel
import RoomScreen

/// The channels of one loop, by their rooms: those that have streams.
struct Channels<Stream: CommandStream> {
  private var byList: [RoomList: Channel<Stream>] = [:]
  private var byRoom: [ID: [Channel<Stream>]] = [:]
  /// The channels for which something waits, by when it is due. A channel that was flushed before is here, too.
  private var toFlush: [(dueMs: Int64, channel: Channel<Stream>)] = []
  private let writes = WriteCounter()
  /// Counts the draws of `wait`.
  private var waits: UInt64 = 0
  private var stale: [Channel<Stream>] = []

  subscript(_ list: RoomList) -> Channel<Stream>? { byList[list] }

  /// The channel of this list, made if there is none.
  mutating func channel(of list: RoomList) -> Channel<Stream> {
    if let channel = byList[list] { return channel }
    let channel = Channel<Stream>(list, writes)
    byList[list] = channel
    for room in list.rooms { byRoom[room, default: []].append(channel) }
    return channel
  }

  /// Forgets it if nobody listens.
  mutating func removeIfEmpty(_ channel: Channel<Stream>) {
    guard channel.isEmpty, byList[channel.list] === channel else { return }
    byList[channel.list] = nil
    for room in channel.list.rooms {
      byRoom[room]!.removeAll { $0 === channel }
      if byRoom[room]!.isEmpty { byRoom[room] = nil }
    }
  }

  /// - Parameters:
  ///   - cursors: as of this entry.
  ///   - gatherMs: time for which it may wait for others, since it was read. If that counted from now on, a loop that is
  ///     late would have all that came meanwhile due at one moment, be late with that, and so on.
  mutating func add(_ entry: HistoryEntry, _ cursors: PartitionCursors, nowMs: Int64, gatherMs: Int64) {
    guard let channels = byRoom[entry.room] else { return }
    for channel in channels {
      let dueMs = entry.readMs + (channel.dueMs == nil ? wait(gatherMs) : gatherMs)
      if entry.needsSnapshot {
        markStale(channel)
      } else if channel.add(entry, cursors.position(of: channel.list), nowMs: nowMs, dueMs: dueMs) {
        // One partition's commands come after another's, so some were read before others that are here.
        let place = toFlush.lastIndex { $0.dueMs <= dueMs }.map { $0 + 1 } ?? 0
        toFlush.insert((dueMs, channel), at: place)
      }
    }
  }

  /// The time for which a channel's first command waits: mostly all of it. Rooms that are sent something at the same
  /// times, as ticks or after a pause of their worker, would be flushed together over and over, by a loop that has
  /// nothing to do for one half of the time and is late in the other. So one of eight, by chance, waits for a part.
  private mutating func wait(_ gatherMs: Int64) -> Int64 {
    waits += 1
    let random = splitMix64(at: waits, seed: 0)
    return random % 8 == 0 ? Int64(random / 8 % UInt64(gatherMs + 1)) : gatherMs
  }

  /// Sends what is due.
  ///
  /// - Parameter nowMs: nil: all that waits is due.
  /// - Returns: the time at which more is due; nil: nothing waits.
  mutating func flush(nowMs: Int64?) -> Int64? {
    let nowMs = nowMs ?? .max
    let count = toFlush.firstIndex { $0.dueMs > nowMs } ?? toFlush.count
    for index in 0..<count {
      let channel = toFlush[index].channel
      if let dueMs = channel.dueMs, dueMs <= nowMs { channel.flush() }
    }
    toFlush.removeFirst(count)
    return toFlush.first?.dueMs
  }

  var writeCounts: WriteCounts { writes.counts }

  /// Commands of this partition are missing.
  mutating func markStale(_ partition: Int32) {
    for channel in byList.values where channel.list.partitions.contains(partition) { markStale(channel) }
  }

  private mutating func markStale(_ channel: Channel<Stream>) {
    if !channel.isStale { stale.append(channel) }
    channel.markStale()
  }

  /// The channels with a room that is not as it should be.
  func channels(where isWrong: (ID) -> Bool) -> [Channel<Stream>] {
    byList.values.filter { $0.list.rooms.contains(where: isWrong) }
  }

  /// Takes the channels that were marked and are still there.
  mutating func takeStale() -> [Channel<Stream>] {
    defer { stale = [] }
    return stale.filter { $0.isStale && !$0.isEmpty }
  }
}

import RoomModel
import RoomScreen
import Settings

/// The channels of one loop, by their rooms: those that have streams.
struct Channels<Stream: CommandStream> {
  private var byList: [RoomList: Channel<Stream>] = [:]
  private var byRoom: [ID: FollowedRoom<Stream>] = [:]
  /// The channels for which something waits, by when it is due. A channel that was flushed before is here, too.
  private var toFlush: [(dueMs: Int64, channel: Channel<Stream>)] = []
  private let writes = WriteCounter()
  /// Counts the draws of `wait`.
  private var waits: UInt64 = 0
  private var stale: [Channel<Stream>] = []
  private let settings: PaceSettings
  /// The share of a gateway's streams that one loop has is one in so many.
  private let loops: Int
  /// The time for which a busy loop gathers, in all its channels.
  private var loopMs: Int64
  /// Those whose pace may change.
  private var restless: [Channel<Stream>] = []

  init(_ settings: PaceSettings, loops: Int, gatherMs: Int64) {
    (self.settings, self.loops, loopMs) = (settings, loops, gatherMs)
  }

  subscript(_ list: RoomList) -> Channel<Stream>? { byList[list] }

  /// The channel of this list, made if there is none.
  mutating func channel(of list: RoomList) -> Channel<Stream> {
    if let channel = byList[list] { return channel }
    let pace = Pace(gatherMs(of: list))
    let rooms = list.rooms.map { id in
      let room = byRoom[id] ?? FollowedRoom<Stream>()
      byRoom[id] = room
      return room
    }
    let channel = Channel<Stream>(list, rooms, pace, writes)
    byList[list] = channel
    for room in rooms { room.channels.append(channel) }
    return channel
  }

  /// Adds a stream to its channel; see `Channel.add`.
  mutating func add(_ stream: Stream, to channel: Channel<Stream>) {
    channel.add(stream)
    count(1, in: channel)
  }

  mutating func remove(_ stream: Stream, from channel: Channel<Stream>) {
    channel.remove(stream)
    count(-1, in: channel)
    removeIfEmpty(channel)
  }

  // MARK: Pace

  /// How far behind the log viewers of these rooms are to show them.
  func lagMs(of list: RoomList) -> Int64 { settings.lagMs + (byList[list]?.pace.toldMs ?? gatherMs(of: list)) }

  /// The time for which commands of these rooms should be gathered.
  private func gatherMs(of list: RoomList) -> Int64 {
    list.rooms.reduce(loopMs) { max($0, byRoom[$1]?.gatherMs ?? 0) }
  }

  /// The loop gathers for so long in all its channels.
  mutating func gather(forMs ms: Int64) {
    guard ms != loopMs else { return }
    loopMs = ms
    for channel in byList.values { watch(channel) }
  }

  private mutating func count(_ change: Int, in channel: Channel<Stream>) {
    for room in channel.rooms {
      room.streamCount += change
      let crowds = settings.crowds.lazy.filter { [loops] in $0.streams <= room.streamCount * loops }
      let ms = crowds.map(\.ms).max() ?? 0
      if ms == room.gatherMs { continue }
      room.gatherMs = ms
      for channel in room.channels { watch(channel) }
    }
  }

  private mutating func watch(_ channel: Channel<Stream>) {
    if !channel.isRestless { restless.append(channel) }
    channel.isRestless = true
  }

  /// Tells streams that are to lag otherwise. To be called now and then.
  mutating func keepPace(nowMs: Int64) {
    let all = restless
    restless = []
    for channel in all {
      channel.isRestless = false
      channel.keepPace(loopMs: loopMs, lagMs: settings.lagMs, nowMs: nowMs)
      if !channel.pace.isAtRest, !channel.isEmpty { watch(channel) }
    }
  }

  // MARK: Commands

  /// Forgets it if nobody listens.
  private mutating func removeIfEmpty(_ channel: Channel<Stream>) {
    guard channel.isEmpty, byList[channel.list] === channel else { return }
    byList[channel.list] = nil
    for room in channel.list.rooms {
      byRoom[room]!.channels.removeAll { $0 === channel }
      if byRoom[room]!.channels.isEmpty { byRoom[room] = nil }
    }
  }

  /// - Parameter cursors: as of this entry.
  mutating func add(_ entry: HistoryEntry, _ cursors: PartitionCursors, nowMs: Int64) {
    guard let room = byRoom[entry.room] else { return }
    for channel in room.channels {
      // Since it was read. If it counted from now on, a loop that is late would have all that came meanwhile due at one
      // moment, be late with that, and so on.
      let gatherMs = channel.pace.gatherMs(nowMs: nowMs)
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
  /// - Returns: the time at which more is due; nil: nothing waits.
  mutating func flush(nowMs: Int64) -> Int64? {
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

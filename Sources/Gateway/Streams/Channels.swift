import RoomScreen

/// The channels of one loop, by their rooms: those that have streams.
struct Channels<Stream: CommandStream> {
  private var byList: [RoomList: Channel<Stream>] = [:]
  private var byRoom: [ID: [Channel<Stream>]] = [:]
  private var toFlush: [Channel<Stream>] = []
  private var stale: [Channel<Stream>] = []

  subscript(_ list: RoomList) -> Channel<Stream>? { byList[list] }

  /// The channel of this list, made if there is none.
  mutating func channel(of list: RoomList) -> Channel<Stream> {
    if let channel = byList[list] { return channel }
    let channel = Channel<Stream>(list)
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

  /// - Parameter cursors: as of this entry.
  mutating func add(_ entry: HistoryEntry, _ cursors: PartitionCursors) {
    guard let channels = byRoom[entry.room] else { return }
    for channel in channels {
      if entry.needsSnapshot {
        markStale(channel)
      } else if channel.add(entry, cursors.position(of: channel.list)) {
        toFlush.append(channel)
      }
    }
  }

  mutating func flush() {
    for channel in toFlush { channel.flush() }
    toFlush.removeAll(keepingCapacity: true)
  }

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

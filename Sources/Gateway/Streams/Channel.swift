import HTTP

/// A room that has streams on this loop.
final class FollowedRoom<Stream: CommandStream> {
  var channels: [Channel<Stream>] = []
  var streamCount = 0
  /// The time for which its commands are gathered since it has so many streams.
  var gatherMs: Int64 = 0
}

/// One list of rooms on one loop: its commands are framed once, and all its streams get these bytes.
final class Channel<Stream: CommandStream> {
  let list: RoomList
  let rooms: [FollowedRoom<Stream>]
  private(set) var pace: Pace
  /// It is among those whose pace may change.
  var isRestless = false
  /// Commands are missing that nobody has any more: its streams get nothing until they get snapshots.
  private(set) var isStale = false
  private var streams: [Stream] = []
  private let batch = EventBatch()
  /// The time by which its streams get what waits for them; nil: nothing waits.
  private(set) var dueMs: Int64?
  private let writes: WriteCounter
  /// Times at which something was added to what waits.
  private var times = (last: Int64.min, count: 0)
  private var snapshots: (atMs: Int64, position: StreamPosition, events: [EventFrame])?

  /// The time for which all clients that come get the same snapshots, unless a command came meanwhile.
  private static var freshMs: Int64 { 20 }

  init(_ list: RoomList, _ rooms: [FollowedRoom<Stream>], _ pace: Pace, _ writes: WriteCounter) {
    (self.list, self.rooms, self.pace, self.writes) = (list, rooms, pace, writes)
  }

  var isEmpty: Bool { streams.isEmpty }

  // MARK: Streams

  /// Adds a stream, which must have been given what the others have been given, or will have been by a flush.
  func add(_ stream: Stream) {
    flush()
    stream.place = streams.count
    streams.append(stream)
  }

  func remove(_ stream: Stream) {
    // A stream that is told of the end has not missed anything.
    flush()
    let last = streams.removeLast()
    if last !== stream {
      streams[stream.place] = last
      last.place = stream.place
    }
  }

  /// Its clients find another gateway, or are told which.
  func end() {
    for stream in streams { stream.end() }
  }

  /// Tells its streams if they are to lag otherwise, since commands will be gathered for longer, or no more.
  ///
  /// - Parameter lagMs: without what is gathered.
  func keepPace(loopMs: Int64, lagMs: Int64, nowMs: Int64) {
    guard pace.follow(rooms.reduce(loopMs) { max($0, $1.gatherMs) }, nowMs: nowMs) else { return }
    snapshots = nil
    // Those that get snapshots are told by them.
    if isStale { return }
    if batch.isFull { flush() }
    batch.append(.pace(lagMs: lagMs + pace.toldMs))
    flush()
  }

  // MARK: Commands

  /// A command of one of its rooms, with which its streams come to `position`. They get it at a flush, by `dueMs` if none
  /// is due before.
  ///
  /// - Returns: whether it is due now, and none was by then before.
  func add(_ entry: HistoryEntry, _ position: StreamPosition, nowMs: Int64, dueMs: Int64) -> Bool {
    guard !streams.isEmpty, !isStale else { return false }
    if batch.isFull { flush() }
    batch.append(.command(entry, position))
    if times.last != nowMs { times = (nowMs, times.count + 1) }
    if let earlier = self.dueMs, earlier <= dueMs { return false }
    self.dueMs = dueMs
    return true
  }

  func flush() {
    guard !batch.isEmpty else { return }
    Stream.send(batch, to: streams)
    writes.counts.made += streams.count
    // What is gathered for a crowd would be in any case: it doesn't say how busy the loop would be otherwise.
    if rooms.allSatisfy({ $0.gatherMs == 0 }) { writes.counts.spared += streams.count * max(0, times.count - 1) }
    forget()
  }

  private func forget() {
    batch.removeAll()
    dueMs = nil
    times = (.min, 0)
  }

  // MARK: Snapshots

  func markStale() {
    isStale = true
    forget()
  }

  func restart(with snapshots: [EventFrame]) {
    isStale = false
    for stream in streams { stream.restart(with: snapshots) }
  }

  func keep(_ events: [EventFrame], _ position: StreamPosition, nowMs: Int64) { snapshots = (nowMs, position, events) }

  /// The snapshots that were kept, if they are as good as new.
  func snapshots(at position: StreamPosition, nowMs: Int64) -> [EventFrame]? {
    guard let snapshots, snapshots.position == position, nowMs - snapshots.atMs < Self.freshMs else { return nil }
    return snapshots.events
  }
}

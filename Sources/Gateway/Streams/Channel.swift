import HTTP

/// One list of rooms on one loop: its commands are framed once, and all its streams get these bytes.
final class Channel<Stream: CommandStream> {
  let list: RoomList
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

  init(_ list: RoomList, _ writes: WriteCounter) {
    self.list = list
    self.writes = writes
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
    writes.counts.spared += streams.count * (times.count - 1)
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

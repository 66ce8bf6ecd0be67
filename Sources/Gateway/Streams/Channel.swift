import HTTP

/// One list of rooms on one loop: its commands are framed once, and all its streams get these bytes.
final class Channel<Stream: CommandStream> {
  let list: RoomList
  /// Commands are missing that nobody has any more: its streams get nothing until they get snapshots.
  private(set) var isStale = false
  private var streams: [Stream] = []
  private let batch = EventBatch()
  private var snapshots: (atMs: Int64, position: StreamPosition, events: [EventFrame])?

  /// Snapshots are shown to whoever comes within so many milliseconds, unless a command came meanwhile.
  private static var freshMs: Int64 { 20 }

  init(_ list: RoomList) { self.list = list }

  var isEmpty: Bool { streams.isEmpty }

  // MARK: Streams

  /// Adds a stream, which must have been given what the others have been given.
  func add(_ stream: Stream) {
    stream.place = streams.count
    streams.append(stream)
  }

  func remove(_ stream: Stream) {
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

  /// A command of one of its rooms, with which its streams come to `position`. They get it at the next flush, or before.
  ///
  /// - Returns: whether there is something to flush now, and was not before.
  func add(_ entry: HistoryEntry, _ position: StreamPosition) -> Bool {
    guard !streams.isEmpty, !isStale else { return false }
    if batch.isFull { flush() }
    batch.append(.command(entry, position))
    return batch.count == 1
  }

  func flush() {
    guard !batch.isEmpty else { return }
    Stream.send(batch, to: streams)
    batch.removeAll()
  }

  // MARK: Snapshots

  func markStale() {
    isStale = true
    batch.removeAll()
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

import HTTP
import Platform
import Probes
import RoomScreen

/// One list of rooms on one loop: its commands are framed once, and all its streams get these bytes.
final class Channel: EventStreamOwner {
  let list: RoomList
  private unowned let loop: GatewayLoop
  private var streams: [EventStream] = []
  /// Streams whose clients have come further than we have; they begin when we are there.
  private var waiting: [Waiting] = []
  private let batch = EventBatch()
  private var made: (atMs: Int64, position: StreamPosition, frames: [EventFrame])?

  private struct Waiting {
    let stream: EventStream
    let position: StreamPosition
    let untilMs: Int64
  }

  /// A snapshot is shown to whoever comes within so many milliseconds, unless a command came meanwhile.
  private static let freshMs: Int64 = 20
  /// How long a client waits for us to get where it has been, before it gets a snapshot.
  private static let patienceMs: Int64 = 10_000

  init(_ list: RoomList, _ loop: GatewayLoop) {
    self.list = list
    self.loop = loop
  }

  var isEmpty: Bool { streams.isEmpty && waiting.isEmpty }

  // MARK: Commands

  /// - Returns: whether there is something to flush now, and was not before.
  func add(_ entry: HistoryEntry) -> Bool {
    guard !streams.isEmpty else { return false }
    if batch.isFull { flush() }
    batch.append(loop.frame(entry, StreamPosition(list: list.hash, positions: loop.positions(of: list))))
    return batch.count == 1
  }

  func flush() {
    guard !batch.isEmpty else { return }
    for stream in streams { stream.send(batch) }
    batch.removeAll()
  }

  /// Commands are missing that nobody has any more.
  func restart() {
    batch.removeAll()
    guard !streams.isEmpty else { return }
    let frames = snapshots()
    for stream in streams { stream.restart(with: frames) }
  }

  // MARK: Streams

  /// Opens a stream that begins with what its client has missed, or with snapshots.
  ///
  /// - Parameter lastEventId: what the client has come to; nil: nothing yet.
  /// - Returns: nil if the client has gone.
  func open(
    _ request: Request, _ headers: [Response.Header], lastEventId: String?
  ) -> EventStream? {
    let hello = [EventFrame(line: "retry: \(GatewayLoop.retryMs)")]
    switch lastEventId.map(missed(by:)) ?? .unknown {
    case .events(let frames):
      guard let stream = request.openStream(headers, first: hello + frames, owner: self) else { return nil }
      loop.metrics.resumed.add()
      add(stream)
      return stream
    case .ahead(let position):
      guard let stream = request.openStream(headers, first: hello, owner: self) else { return nil }
      waiting.append(
        Waiting(stream: stream, position: position, untilMs: MonotonicClock.nowMs() + Self.patienceMs))
      loop.waits(self)
      return stream
    case .unknown:
      guard let stream = request.openStream(headers, first: hello + snapshots(), owner: self) else { return nil }
      add(stream)
      return stream
    }
  }

  private func add(_ stream: EventStream) {
    stream.place = streams.count
    streams.append(stream)
  }

  func eventsInPlaceOfThoseMissed(by stream: EventStream) -> [EventFrame] { snapshots() }

  func closed(_ stream: EventStream) {
    if stream.place < streams.count, streams[stream.place] === stream {
      let last = streams.removeLast()
      if last !== stream {
        streams[stream.place] = last
        last.place = stream.place
      }
    } else {
      waiting.removeAll { $0.stream === stream }
    }
    loop.closed(stream, of: self)
  }

  /// Lets streams begin whose clients were ahead of us, as far as we are there.
  ///
  /// - Returns: whether others still wait.
  func admitWaiting() -> Bool {
    let nowMs = MonotonicClock.nowMs()
    var still: [Waiting] = []
    for one in waiting {
      switch missed(by: one.position) {
      case .events(let frames):
        loop.metrics.resumed.add()
        one.stream.restart(with: frames)
        add(one.stream)
      case .ahead where nowMs < one.untilMs: still.append(one)
      case .ahead, .unknown:
        one.stream.restart(with: snapshots())
        add(one.stream)
      }
    }
    waiting = still
    return !still.isEmpty
  }

  // MARK: What a client has missed

  private enum Missed {
    case events([EventFrame])
    case ahead(StreamPosition)
    case unknown
  }

  private func missed(by lastEventId: String) -> Missed {
    guard let position = StreamPosition(lastEventId), position.list == list.hash,
      position.positions.count == list.partitions.count
    else { return .unknown }
    return missed(by: position)
  }

  /// After this, and before anything else is added, a stream can join the others: it has all that they have.
  private func missed(by position: StreamPosition) -> Missed {
    // While one partition is followed, another may move on (if commands were lost, and all begin anew): then again.
    while true {
      var reached = position
      var frames: [EventFrame] = []
      var bytes = 0
      for (index, partition) in list.partitions.enumerated() {
        loop.follow(partition)
        switch loop.entries(of: partition, after: position.positions[index], in: list.rooms) {
        case .unknown: return .unknown
        case .ahead: return .ahead(position)
        case .entries(let entries):
          for entry in entries {
            bytes += entry.json.count
            if frames.count >= GatewayLoop.mostMissed || bytes > GatewayLoop.mostMissedBytes { return .unknown }
            reached.positions[index] = entry.position
            frames.append(loop.frame(entry, reached))
          }
          reached.positions[index] = loop.position(of: partition)
        }
      }
      if reached.positions == loop.positions(of: list) { return .events(frames) }
    }
  }

  /// One for each room, as of everything that has been added.
  private func snapshots() -> [EventFrame] {
    for partition in list.partitions { loop.follow(partition) }
    if let made, made.position.positions == loop.positions(of: list),
      MonotonicClock.nowMs() - made.atMs < Self.freshMs
    {
      return made.frames
    }
    while true {
      var snapshots: [Snapshot] = []
      var reached: [PartitionPosition] = []
      for partition in list.partitions {
        snapshots += loop.follow(partition, snapshotsOf: list.rooms)
        reached.append(loop.position(of: partition))
      }
      // As above.
      guard reached == loop.positions(of: list) else { continue }
      let position = StreamPosition(list: list.hash, positions: reached)
      let frames = loop.frames(snapshots, position)
      made = (MonotonicClock.nowMs(), position, frames)
      return frames
    }
  }
}

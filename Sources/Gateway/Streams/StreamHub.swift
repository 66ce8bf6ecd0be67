import HTTP
import Platform
import Probes
import RoomScreen

/// The streams of one loop: who follows which rooms, and what each gets, in its order.
///
/// What is new of a partition is taken as a value and handed out to the end before anything else is taken. So whenever
/// a stream is added or given snapshots, all streams of its rooms have been given what the cursors stand for.
final class StreamHub: EventStreamOwner {
  let store: CommandStore
  /// Nil: results are not passed on.
  private let results: ResultStore?
  private let metrics: GatewayMetrics
  private let streamsOfAddresses: AddressCounts
  private var cursors: PartitionCursors
  /// By which the streams have been let in.
  private var routing: RoomRouting
  private var channels = Channels()
  /// Streams whose clients have come further than we have.
  private var waiting: [WaitingStream] = []
  private var userStreams = UserStreams()
  /// Streams of users that came back before the results were read back, and how far each had been told.
  private var resultsDue: [(stream: EventStream, rooms: [ID], sinceMs: Int64?)] = []
  private var encoder = EventEncoder()

  /// What a client waits before it comes back, as it is told.
  private static let retryMs = 1000
  /// How long a client waits for us to get where it has been, before it gets snapshots.
  private static let patienceMs: Int64 = 10_000

  init(
    _ store: CommandStore, _ results: ResultStore?, _ metrics: GatewayMetrics, _ streamsOfAddresses: AddressCounts
  ) {
    self.store = store
    self.results = results
    self.metrics = metrics
    self.streamsOfAddresses = streamsOfAddresses
    cursors = PartitionCursors(store)
    routing = store.routing
  }

  // MARK: What is new

  /// Hands out what is new of all partitions.
  func deliver() {
    endMisdirected()
    // Of several partitions a stream gets what is new in one write.
    for partition in store.served where cursors.isBehind(partition) { take(partition) }
    channels.flush()
    // On the way each gets what it lacks; what is missing from here on is for the next time.
    for channel in channels.takeStale() where channel.isStale { _ = snapshots(of: channel.list) }
    admitWaiting()
  }

  /// Where the topic has grown, rooms of this gateway have moved to partitions that it doesn't have.
  private func endMisdirected() {
    let now = store.routing
    if now == routing { return }
    routing = now
    for channel in channels.channels(where: { !now.serves($0) }) { channel.end() }
    for one in waiting where !one.list.rooms.allSatisfy(now.serves) { one.stream.end() }
  }

  func deliver(_ news: ResultNews) {
    switch news {
    case .grab(let grab):
      userStreams.send(grab)
      cursors.resultsMs = max(cursors.resultsMs, grab.timestampMs)
    case .readBack:
      for one in resultsDue {
        let client = one.stream.note as! StreamClient
        for frame in missedResults(for: client, one.rooms, sinceMs: one.sinceMs) { one.stream.send(frame) }
      }
      resultsDue = []
      cursors.resultsMs = max(cursors.resultsMs, results?.latestMs ?? 0)
    }
  }

  /// What a client that comes back was not told of its user's grabs. From here on it is told what comes.
  private func missedResults(for client: StreamClient, _ rooms: [ID], sinceMs: Int64?) -> [EventFrame] {
    guard let user = client.user, let results else { return [] }
    let (grabs, number, latestMs) = results.results(of: user, in: rooms, sinceMs: sinceMs)
    client.lastResult = number
    // Others of this loop may still be told of those by its mailbox, and go by the time before.
    if userStreams.isEmpty { cursors.resultsMs = max(cursors.resultsMs, latestMs) }
    return grabs.map { .result($0) }
  }

  /// Hands out what is new of a partition.
  ///
  /// - Returns: what is on the screens of those of `rooms` that are in this partition, as of just that.
  @discardableResult
  private func follow(_ partition: Int32, snapshotsOf rooms: [ID] = []) -> [Snapshot] {
    defer { channels.flush() }
    return take(partition, snapshotsOf: rooms)
  }

  /// The same, but what its streams get waits for the next flush, before which no stream may be added or given snapshots.
  @discardableResult
  private func take(_ partition: Int32, snapshotsOf rooms: [ID] = []) -> [Snapshot] {
    let news = cursors.takeNews(of: partition, snapshotsOf: rooms)
    if let entries = news.entries {
      for entry in entries {
        cursors.advance(partition, to: entry.position)
        channels.add(entry, cursors)
      }
    } else {
      channels.markStale(partition)
    }
    cursors.advance(partition, to: news.position)
    return news.snapshots
  }

  /// An event for each room, as of all that its streams have been given. If these lack commands, they get them too.
  private func snapshots(of list: RoomList) -> [EventFrame] {
    for partition in list.partitions { follow(partition) }
    let nowMs = MonotonicClock.nowMs()
    let known = channels[list]?.snapshots(at: cursors.position(of: list), nowMs: nowMs)
    let events = known ?? newSnapshots(of: list, nowMs)
    if let channel = channels[list], channel.isStale { channel.restart(with: events) }
    return events
  }

  private func newSnapshots(of list: RoomList, _ nowMs: Int64) -> [EventFrame] {
    let snapshots = list.partitions.flatMap { follow($0, snapshotsOf: list.rooms) }
    let position = cursors.position(of: list)
    let events = encoder.events(snapshots, position)
    metrics.snapshots.add(Int64(snapshots.count))
    channels[list]?.keep(events, position, nowMs: nowMs)
    return events
  }

  /// A room's snapshot in JSON.
  ///
  /// - Parameter list: this room alone.
  func snapshot(of list: RoomList) -> [UInt8] {
    metrics.snapshots.add()
    return encoder.json(follow(list.partitions[0], snapshotsOf: list.rooms)[0])
  }

  // MARK: Streams

  /// Opens a stream that begins with what its client has missed, or with snapshots.
  ///
  /// - Parameter lastEventId: what the client has come to; nil: nothing yet.
  /// - Returns: nil if the client has gone.
  func open(
    _ request: Request, _ headers: [Response.Header], _ list: RoomList, for client: StreamClient, lastEventId: String?
  ) -> EventStream? {
    let position = lastEventId.flatMap { StreamPosition($0) }
    let missed = position.map { self.missed(since: $0, in: list) } ?? .unknown
    var first = [EventFrame(line: "retry: \(Self.retryMs)")]
    let isBack = lastEventId.map { !$0.isEmpty } ?? false
    // Who comes for the first time has missed nothing.
    let sinceMs = isBack ? position.flatMap { $0.resultsMs > 0 ? $0.resultsMs : nil } : WallClock.nowMs()
    let mustWait = results.map { !$0.isReadBack } ?? false
    if !mustWait {
      let missedResults = missedResults(for: client, list.rooms, sinceMs: sinceMs)
      // Before all else: what comes next says that they were told.
      if isBack { first += missedResults }
    }
    switch missed {
    case .events(let commands): first += EventEncoder.events(commands)
    case .ahead: break
    case .unknown: first += snapshots(of: list)
    }
    guard let stream = request.openStream(headers, first: first, owner: self) else {
      streamsOfAddresses.leave(client.address)
      return nil
    }
    stream.note = client
    if let user = client.user {
      userStreams.add(stream, of: user, in: list)
      if mustWait { resultsDue.append((stream, list.rooms, sinceMs)) }
    }
    if case .events = missed { metrics.resumed.add() }
    if case .ahead = missed {
      waiting.append(
        WaitingStream(
          stream: stream, client: client, list: list, position: position!,
          untilMs: MonotonicClock.nowMs() + Self.patienceMs))
    } else {
      join(stream, client, list)
    }
    return stream
  }

  private func missed(since position: StreamPosition, in list: RoomList) -> Missed<[MissedCommand]> {
    for partition in list.partitions { follow(partition) }
    return cursors.missed(since: position, in: list)
  }

  private func join(_ stream: EventStream, _ client: StreamClient, _ list: RoomList) {
    let channel = channels.channel(of: list)
    channel.add(stream)
    client.channel = channel
  }

  /// Lets streams begin whose clients were ahead of us, as far as we are there.
  private func admitWaiting() {
    if waiting.isEmpty { return }
    let nowMs = MonotonicClock.nowMs()
    let all = waiting
    waiting = []
    var readTo: [Int32: Int64] = [:]
    for partition in Set(all.flatMap(\.list.partitions)) {
      readTo[partition] = store.read(partition) { $0.history.readTo }
    }
    for one in all {
      // So that many who will never be reached take no more time than it takes to see that.
      if nowMs < one.untilMs, !one.isReached({ readTo[$0]! }) {
        waiting.append(one)
        continue
      }
      switch cursors.missed(since: one.position, in: one.list) {
      case .ahead where nowMs < one.untilMs:
        waiting.append(one)
        continue
      case .events(let commands):
        metrics.resumed.add()
        one.stream.restart(with: EventEncoder.events(commands))
      case .ahead, .unknown: one.stream.restart(with: snapshots(of: one.list))
      }
      join(one.stream, one.client, one.list)
    }
  }

  // MARK: EventStreamOwner

  func eventsInPlaceOfThoseMissed(by stream: EventStream) -> [EventFrame] {
    let channel = (stream.note as! StreamClient).channel
    guard let list = channel?.list ?? waiting.first(where: { $0.stream === stream })?.list else { return [] }
    return snapshots(of: list)
  }

  func closed(_ stream: EventStream) {
    let client = stream.note as! StreamClient
    streamsOfAddresses.leave(client.address)
    if let user = client.user {
      userStreams.remove(stream, of: user)
      resultsDue.removeAll { $0.stream === stream }
    }
    if let channel = client.channel {
      channel.remove(stream)
      channels.removeIfEmpty(channel)
    } else {
      waiting.removeAll { $0.stream === stream }
    }
  }
}

package import HTTP
import Probes
package import RoomScreen
package import Settings

/// The streams of one loop: who follows which rooms, and what each gets, in its order.
///
/// The news of a partition is taken as a value and handed out to the end before anything else is taken. So whenever a
/// stream is added or given snapshots, all streams of its rooms have been given what the cursors stand for; what a
/// channel has gathered for them is flushed before.
///
/// It is generic over its streams within this target alone, so release builds have it compiled for ``EventStream``.
package final class StreamHub<Stream: CommandStream> {
  let store: CommandStore
  private let metrics: GatewayMetrics
  private let streamsOfAddresses: AddressCounts
  private let clocks: GatewayClocks
  private var cursors: PartitionCursors
  /// The routing by which the streams have been let in.
  private var routing: RoomRouting
  private var channels: Channels<Stream>
  private var waiting: [WaitingClient<Stream>] = []
  private var results: ResultStreams<Stream>
  private var encoder = StreamEncoder()
  private var gathering: Gathering
  private var nextRequests: NextRequests
  /// Requests for next commands whose clients are ahead of the gateway.
  private var early: [EarlyRequest] = []
  /// Snapshots for those who ask for next commands, by room.
  private var beginnings: [ID: (untilMs: Int64, answer: NextAnswer)] = [:]
  /// The time at which the pace of streams is looked at again.
  private var paceAtMs: Int64 = 0
  /// The time for which an alarm is set; nil: none is.
  private var alarmMs: Int64?
  /// Has `flush` called in the loop after `afterMs`.
  package var ring: (_ afterMs: Int64) -> Void = { _ in }

  /// Clients are told to wait this long before they come back.
  private static var retryMs: Int { 1000 }
  /// A client that is ahead of its gateway waits this long, and then gets snapshots.
  package static var patienceMs: Int64 { 10_000 }
  private static var paceEveryMs: Int64 { 500 }
  /// Who begins to ask for next commands gets a snapshot that is no older.
  static var beginningMs: Int64 { 1000 }

  private struct EarlyRequest {
    let list: RoomList
    let position: StreamPosition
    let untilMs: Int64
    let answer: NextRequests.Answer
  }

  init(
    _ store: CommandStore, _ results: ResultStore?, _ metrics: GatewayMetrics, _ streamsOfAddresses: AddressCounts,
    _ settings: GatewaySettings, _ clocks: GatewayClocks = .machine
  ) {
    self.store = store
    self.results = ResultStreams(results, clocks)
    self.metrics = metrics
    self.streamsOfAddresses = streamsOfAddresses
    self.clocks = clocks
    cursors = PartitionCursors(store, clocks)
    routing = store.routing
    gathering = Gathering(settings.pace.gather, ms: settings.pace.gatherMs, nowMs: clocks.monotonicMs())
    channels = Channels(settings.pace, loops: settings.threads, gatherMs: gathering.ms)
    nextRequests = NextRequests(holdMs: settings.holdMs, lagMs: settings.pace.lagMs)
  }

  /// A hub with metrics of its own.
  package convenience init(
    _ store: CommandStore, _ results: ResultStore?, _ clocks: GatewayClocks, _ settings: GatewaySettings
  ) {
    self.init(
      store, results, GatewayMetrics(Metrics(), loops: 1, topics: [store.topic]), AddressCounts(limit: .max),
      settings, clocks)
  }

  // MARK: News

  /// Hands out the news of all partitions.
  package func deliver() {
    let beganMs = clocks.monotonicMs()
    defer { worked(since: beganMs) }
    endMisdirected()
    if beganMs >= paceAtMs {
      paceAtMs = beganMs + Self.paceEveryMs
      channels.keepPace(nowMs: beganMs)
      beginnings = beginnings.filter { $0.value.untilMs > beganMs }
    }
    handOut(store.served.filter { cursors.isBehind($0) })
    // Each channel gets what it lacks. Commands that are found missing meanwhile are made up for next time.
    for channel in channels.takeStale() where channel.isStale { _ = snapshots(of: channel.list) }
    admitWaiting()
    let waiting = early
    early = []
    for one in waiting { next(of: one.list, after: one.position, untilMs: one.untilMs, one.answer) }
  }

  /// Sends what has been gathered and is due.
  package func flush() {
    let beganMs = clocks.monotonicMs()
    alarmMs = nil
    flush(nowMs: beganMs)
    worked(since: beganMs)
  }

  private func worked(since beganMs: Int64) {
    gathering.worked(fromMs: beganMs, toMs: clocks.monotonicMs(), channels.writeCounts)
    channels.gather(forMs: gathering.ms)
  }

  private func flush(nowMs: Int64) {
    let nextMs = nextRequests.flush(nowMs: nowMs) { cursors.position(of: $0) }
    let flushMs = channels.flush(nowMs: nowMs)
    guard let dueMs = [nextMs, flushMs].compactMap(\.self).min(), dueMs < alarmMs ?? .max else { return }
    alarmMs = dueMs
    ring(dueMs - nowMs)
  }

  var isGathering: Bool { gathering.isOn }

  package func deliver(_ news: ResultNews) {
    results.deliver(news)
    cursors.resultsMs = results.toldMs
  }

  /// Ends streams of rooms that have moved to partitions of other gateways, since the topic has grown.
  private func endMisdirected() {
    let now = store.routing
    if now == routing { return }
    routing = now
    for channel in channels.channels(where: { !now.serves($0) }) { channel.end() }
    nextRequests.end(with: .none) { !now.serves($0.rooms[0]) }
    for one in waiting where !one.client.list.rooms.allSatisfy(now.serves) { one.client.stream?.end() }
  }

  /// Hands out the news of some partitions; a stream gets what is new of several in one write, now or once it is due.
  ///
  /// - Returns: the screens of those of `rooms` that are in these partitions, at just that point.
  @discardableResult
  private func handOut(_ partitions: [Int32], snapshotsOf rooms: [ID] = []) -> [Snapshot] {
    var snapshots: [Snapshot] = []
    let nowMs = clocks.monotonicMs()
    // Read before they are taken, so none of what is due at once is of a later time.
    defer { flush(nowMs: clocks.monotonicMs()) }
    for partition in partitions {
      let news = cursors.takeNews(of: partition, snapshotsOf: rooms)
      if let entries = news.entries {
        for entry in entries {
          cursors.advance(partition, to: entry.position)
          channels.add(entry, cursors, nowMs: nowMs)
          nextRequests.add(entry)
        }
      } else {
        channels.markStale(partition)
        nextRequests.end(with: .unknown) { $0.partitions[0] == partition }
      }
      cursors.advance(partition, to: news.position)
      snapshots += news.snapshots
    }
    return snapshots
  }

  /// An event for each room, as of all that its streams have been given. If these lack commands, they get them too.
  func snapshots(of list: RoomList) -> [EventFrame] {
    handOut(list.partitions)
    let nowMs = clocks.monotonicMs()
    let known = channels[list]?.snapshots(at: cursors.position(of: list), nowMs: nowMs)
    let events = known ?? newSnapshots(of: list, nowMs)
    guard let channel = channels[list] else { return events }
    if channel.isStale { channel.restart(with: events) } else { channel.flush() }
    return events
  }

  private func newSnapshots(of list: RoomList, _ nowMs: Int64) -> [EventFrame] {
    var snapshots = handOut(list.partitions, snapshotsOf: list.rooms)
    for index in snapshots.indices { snapshots[index].lagMs = channels.lagMs(of: list) }
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
    snapshot(of: list, lagMs: channels.lagMs(of: list))
  }

  private func snapshot(of list: RoomList, lagMs: Int64) -> [UInt8] {
    metrics.snapshots.add()
    var snapshot = handOut(list.partitions, snapshotsOf: list.rooms)[0]
    snapshot.lagMs = lagMs
    return encoder.json(snapshot)
  }

  // MARK: Next commands

  /// Tells the commands of a room after a position once there are some and have waited for more (`gateway.next.holdMs`).
  ///
  /// - Parameters:
  ///   - list: this room alone.
  ///   - id: of an event or of an answer of this kind; nil: its snapshot is asked for.
  ///   - answer: called once, now or later.
  package func next(of list: RoomList, after id: String?, _ answer: @escaping (NextAnswer) -> Void) {
    let nowMs = clocks.monotonicMs()
    guard let id else { return answer(beginning(of: list, nowMs: nowMs)) }
    guard let position = StreamPosition(id) else { return answer(NextAnswer(.unknown)) }
    handOut(list.partitions)
    next(of: list, after: position, untilMs: nowMs + Self.patienceMs, answer)
    flush(nowMs: nowMs)
  }

  private func next(
    of list: RoomList, after position: StreamPosition, untilMs: Int64, _ answer: @escaping NextRequests.Answer
  ) {
    let nowMs = clocks.monotonicMs()
    switch cursors.missed(since: position, in: list) {
    case .events(let missed):
      nextRequests.add(list, after: position.positions[0], missed: missed, nowMs: nowMs, answer)
    case .ahead where nowMs < untilMs:
      early.append(EarlyRequest(list: list, position: position, untilMs: untilMs, answer: answer))
    case .ahead, .unknown: answer(NextAnswer(.unknown))
    }
  }

  private func beginning(of list: RoomList, nowMs: Int64) -> NextAnswer {
    if let known = beginnings[list.rooms[0]], known.untilMs > nowMs { return known.answer }
    let json = snapshot(of: list, lagMs: nextRequests.lagMs)
    let answer = nextRequests.answer(list, at: cursors.position(of: list.partitions[0]), snapshot: json)
    beginnings[list.rooms[0]] = (nowMs + Self.beginningMs, answer)
    return answer
  }

  /// Nobody waits for next commands any longer.
  package func endNextRequests() {
    nextRequests.end(with: .none)
    for one in early { one.answer(NextAnswer(.none)) }
    early = []
  }

  // MARK: Streams

  /// Opens a stream that begins with what its client has missed, or with snapshots.
  ///
  /// - Parameters:
  ///   - user: gets the results of its grabs; nil: nobody does.
  ///   - lastEventId: the id of the last event that the client has got; nil: it has got none.
  ///   - begin: opens the stream with these events; nil: the client has gone.
  /// - Returns: nil if the client has gone.
  package func open(
    _ list: RoomList, address: AddressGroup?, user: ID?, lastEventId: String?,
    _ begin: (_ first: [EventFrame], _ client: StreamClient<Stream>) -> Stream?
  ) -> Stream? {
    let client = StreamClient(of: self, address: address, user: user, list: list)
    handOut(list.partitions)
    let position = lastEventId.flatMap { StreamPosition($0) }
    let missed = position.map { cursors.missed(since: $0, in: list) } ?? .unknown
    let isBack = lastEventId.map { !$0.isEmpty } ?? false
    var first = [EventFrame(line: "retry: \(Self.retryMs)")]
    // A client that comes for the first time has missed nothing.
    let sinceMs = isBack ? position.flatMap { $0.resultsMs > 0 ? $0.resultsMs : nil } : clocks.wallMs()
    let missedResults = results.add(client, sinceMs: sinceMs)
    cursors.resultsMs = results.toldMs
    // Results go first: the ids of all that comes next say that they were told.
    if isBack { first += missedResults }
    switch missed {
    case .events(let commands): first += [.pace(lagMs: channels.lagMs(of: list))] + StreamEncoder.events(commands)
    case .ahead: break
    case .unknown: first += snapshots(of: list)
    }
    guard let stream = begin(first, client) else {
      results.remove(client)
      streamsOfAddresses.leave(address)
      return nil
    }
    client.stream = stream
    if case .events = missed { metrics.resumed.add() }
    if case .ahead = missed {
      let untilMs = clocks.monotonicMs() + Self.patienceMs
      waiting.append(WaitingClient(client: client, position: position!, untilMs: untilMs))
    } else {
      join(client)
    }
    return stream
  }

  /// The client's stream is closed.
  func remove(_ client: StreamClient<Stream>) {
    streamsOfAddresses.leave(client.address)
    results.remove(client)
    if let channel = client.channel, let stream = client.stream {
      channels.remove(stream, from: channel)
    } else {
      waiting.removeAll { $0.client === client }
    }
  }

  /// A client that still waits for its gateway begins with these, and is given nothing of before.
  func eventsInPlaceOfThoseMissed(by client: StreamClient<Stream>) -> [EventFrame] {
    let events = snapshots(of: client.list)
    if client.channel == nil {
      waiting.removeAll { $0.client === client }
      join(client)
    }
    return events
  }

  private func join(_ client: StreamClient<Stream>) {
    guard let stream = client.stream else { return }
    let channel = channels.channel(of: client.list)
    channels.add(stream, to: channel)
    client.channel = channel
  }

  /// Lets the streams begin whose clients were ahead of the gateway, as far as it has come there.
  private func admitWaiting() {
    if waiting.isEmpty { return }
    let nowMs = clocks.monotonicMs()
    let all = waiting
    waiting = []
    var readTo: [Int32: Int64] = [:]
    for partition in Set(all.flatMap(\.client.list.partitions)) {
      readTo[partition] = store.read(partition) { $0.history.readTo }
    }
    for one in all {
      // Keeps many that will never be reached from taking more time than it takes to see that.
      if nowMs < one.untilMs, !one.isReached({ readTo[$0]! }) {
        waiting.append(one)
        continue
      }
      let list = one.client.list
      switch cursors.missed(since: one.position, in: list) {
      case .ahead where nowMs < one.untilMs:
        waiting.append(one)
        continue
      case .events(let commands):
        metrics.resumed.add()
        one.client.stream?.restart(with: [.pace(lagMs: channels.lagMs(of: list))] + StreamEncoder.events(commands))
      case .ahead, .unknown: one.client.stream?.restart(with: snapshots(of: list))
      }
      join(one.client)
    }
  }
}

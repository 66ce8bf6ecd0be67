import HTTP
import Platform
import Probes
import RoomScreen
import Wire

/// One thread of connections: its server, the channels of its streams, and how far it has followed each partition.
/// All of it is that thread's; what it shares with others is in `GatewayResources`.
final class GatewayLoop {
  /// What a client waits before it comes back, as it is told.
  static let retryMs = 1000
  /// Commands that a client that comes back gets; if it missed more, a snapshot is shorter.
  static let mostMissed = 2000
  /// Of these, since each such client has its own, whether it reads them or not.
  static let mostMissedBytes = 131_072

  /// Results that wait for this loop.
  static let mostResults = 10_000

  let events: EventLoop
  let resources: GatewayResources
  var metrics: GatewayMetrics { resources.metrics }
  private(set) var server: HTTPServer!
  private var store: CommandStore?
  private var channels: [RoomList: Channel] = [:]
  private var channelsOfRoom: [String: [Channel]] = [:]
  private var touched: [Channel] = []
  private var waiting: [ObjectIdentifier: Channel] = [:]
  /// By partition; nil: not served.
  private var cursors: [Cursor?] = []
  private var reported = LoopCounts()
  private var encoder = SnapshotEncoder()
  private var buffer = ByteBuffer()

  var eventReading = EventReading()
  private let outcomes: Mailbox<(number: Int, outcome: EventIntake.Outcome)>
  /// Of all users, on their way to those that listen here.
  private let results: Mailbox<ResultFeed.Grab>
  private var userStreams = UserStreams()
  private var awaiting: [Int: (EventIntake.Outcome) -> Void] = [:]
  private var awaitedCount = 0

  private struct Cursor {
    /// In its history, of the next entry.
    var number: Int
    var position: PartitionPosition
  }

  init(_ resources: GatewayResources, _ events: EventLoop, _ results: Mailbox<ResultFeed.Grab>) {
    self.resources = resources
    self.events = events
    outcomes = Mailbox(events)
    self.results = results
  }

  /// The thread's whole life.
  func run(_ socket: ListeningSocket) {
    let routes = Routes(resources, self)
    server = HTTPServer(
      loop: events, socket: socket, limits: resources.serverLimits, connections: resources.connections,
      tls: resources.tls
    ) { routes.handle($0) }
    events.onWake = { [unowned self] in
      deliverOutcomes()
      for result in results.take() { userStreams.send(result) }
      followAll()
    }
    events.onStop = { [unowned self] in server.drain(graceMs: 3000) }
    events.every(ms: 500) { [unowned self] in
      admitWaiting()
      reportCounts()
    }
    events.run()
    server.close()
    reportCounts()
  }

  /// Nil: no broker has been reached yet.
  func openStore() -> CommandStore? {
    if store == nil, let found = resources.store {
      store = found
      cursors = (0..<found.partitionCount).map { partition in
        guard found.serves(partition) else { return nil }
        return found.read(partition) { Cursor(number: $0.history.end, position: $0.history.position) }
      }
    }
    return store
  }

  private func reportCounts() {
    let now = LoopCounts(streams: server.streamCounts, late: server.lateCount, malformed: server.malformedCount)
    metrics.add(now, since: reported)
    reported = now
  }

  // MARK: Events

  /// `reply` is called in this loop, once it is known what became of the event.
  func submit(
    _ event: EventIntake.Event, to intake: EventIntake, reply: @escaping (EventIntake.Outcome) -> Void
  ) -> Bool {
    awaitedCount += 1
    let number = awaitedCount
    guard intake.submit(event, reply: { [outcomes] in outcomes.put((number, $0)) }) else { return false }
    awaiting[number] = reply
    return true
  }

  private func deliverOutcomes() {
    if awaiting.isEmpty { return }
    for (number, outcome) in outcomes.take() { awaiting.removeValue(forKey: number)?(outcome) }
  }

  // MARK: Following the partitions

  private func followAll() {
    guard let store = openStore() else { return }
    for partition in store.served where cursors[Int(partition)]!.number != store.end(of: partition) {
      follow(partition)
    }
    admitWaiting()
  }

  private func admitWaiting() {
    if !waiting.isEmpty { waiting = waiting.filter { $0.value.admitWaiting() } }
  }

  /// Sends what is new of a partition to the channels of its rooms.
  func follow(_ partition: Int32) { _ = follow(partition, snapshotsOf: []) }

  /// The same; and what is on the screens of those of `rooms` that are in this partition, as of just that.
  func follow(_ partition: Int32, snapshotsOf rooms: [String]) -> [Snapshot] {
    guard let store else { return [] }
    let cursor = cursors[Int(partition)]!
    let here = rooms.filter { RoomList.partition(of: $0, store.partitionCount) == partition }
    let (entries, end, position, snapshots) = store.read(partition) { state in
      (
        state.history.entries(from: cursor.number).map { Array($0) }, state.history.end, state.history.position,
        state.snapshots(of: here)
      )
    }
    // First, since what follows may come back here.
    cursors[Int(partition)]!.number = end
    if let entries {
      for entry in entries {
        cursors[Int(partition)]!.position = entry.position
        guard let channels = channelsOfRoom[entry.room] else { continue }
        for channel in channels {
          if channel.add(entry) { touched.append(channel) }
        }
      }
      cursors[Int(partition)]!.position = position
      flush()
    } else {
      // We were too slow, or the partition is read anew.
      cursors[Int(partition)]!.position = position
      for channel in channels.values where channel.list.partitions.contains(partition) { channel.restart() }
    }
    return snapshots
  }

  private func flush() {
    let now = touched
    touched.removeAll(keepingCapacity: true)
    for channel in now { channel.flush() }
  }

  func position(of partition: Int32) -> PartitionPosition { cursors[Int(partition)]!.position }

  func positions(of list: RoomList) -> [PartitionPosition] { list.partitions.map { position(of: $0) } }

  enum Missed {
    case entries([HistoryEntry])
    case ahead
    case unknown
  }

  /// What came of `rooms` after `position`, as far as it has been followed.
  func entries(of partition: Int32, after position: PartitionPosition, in rooms: [String]) -> Missed {
    let end = cursors[Int(partition)]!.number
    return store!.read(partition) { state in
      switch state.history.place(after: position) {
      case .ahead: return .ahead
      case .unknown: return .unknown
      case .number(let number) where number > end: return .ahead
      case .number(let number):
        guard let all = state.history.entries(from: number) else { return .unknown }
        var entries: [HistoryEntry] = []
        // Of all rooms there may be a hundred times as many, and a whole gateway's clients come back at once.
        for entry in all.prefix(end - number) where rooms.contains(entry.room) {
          if entries.count == Self.mostMissed { return .unknown }
          entries.append(entry)
        }
        return .entries(entries)
      }
    }
  }

  // MARK: Channels

  /// It has streams whose clients are ahead of us.
  func waits(_ channel: Channel) { waiting[ObjectIdentifier(channel)] = channel }

  func channel(_ list: RoomList) -> Channel {
    if let channel = channels[list] { return channel }
    let channel = Channel(list, self)
    channels[list] = channel
    for room in list.rooms { channelsOfRoom[room, default: []].append(channel) }
    return channel
  }

  /// Forgets a channel that nobody listens to.
  func leave(_ channel: Channel) {
    guard channel.isEmpty, channels[channel.list] === channel else { return }
    channels[channel.list] = nil
    for room in channel.list.rooms {
      channelsOfRoom[room]!.removeAll { $0 === channel }
      if channelsOfRoom[room]!.isEmpty { channelsOfRoom[room] = nil }
    }
  }

  /// Notes whose stream it is.
  func opened(_ stream: EventStream, _ client: StreamClient, in rooms: RoomList) {
    stream.note = client
    if let user = client.user { userStreams.add(stream, of: user, in: rooms) }
  }

  func closed(_ stream: EventStream, of channel: Channel) {
    if let client = stream.note as? StreamClient {
      resources.streamsOfAddresses.leave(client.address)
      if let user = client.user { userStreams.remove(stream, of: user) }
    }
    leave(channel)
  }

  // MARK: Frames

  func frame(_ entry: HistoryEntry, _ position: StreamPosition) -> EventFrame {
    entry.json.withUnsafeBytes { EventFrame("command", id: position.text, data: $0) }
  }

  /// Only who has the last of them has them all, so only that one says how far they go.
  func frames(_ snapshots: [Snapshot], _ position: StreamPosition) -> [EventFrame] {
    metrics.snapshots.add(Int64(snapshots.count))
    return snapshots.enumerated().map { number, snapshot in
      let id = number == snapshots.count - 1 ? position.text : StreamPosition.incomplete
      return encode(snapshot).withUnsafeBytes { EventFrame("snapshot", id: id, data: $0) }
    }
  }

  func encode(_ snapshot: Snapshot) -> [UInt8] {
    buffer.removeAll()
    encoder.encode(snapshot, into: &buffer)
    return Array(buffer.bytes)
  }
}

/// What a loop knows of whom a stream is for.
final class StreamClient {
  let address: String
  /// Whose results it gets.
  let user: String?

  init(address: String, user: String?) {
    self.address = address
    self.user = user
  }
}

extension PartitionState {
  fileprivate func snapshots(of rooms: [String]) -> [Snapshot] {
    if rooms.isEmpty { return [] }
    let (monotonicMs, wallMs) = (MonotonicClock.nowMs(), WallClock.nowMs())
    return rooms.map { screen(of: $0, monotonicMs: monotonicMs, wallMs: wallMs).snapshot }
  }
}

import HTTP
import RoomScreen

/// The streams of one loop that get results of grabs: those of the user who grabbed, in the room of the result.
struct ResultStreams<Stream: CommandStream> {
  /// Nil: results are not passed on.
  private let store: ResultStore?
  private let clocks: GatewayClocks
  private var clients: [ID: [StreamClient<Stream>]] = [:]
  /// Clients that came before the results were read back, and the time up to which each had been told; nil: not known.
  private var early: [(client: StreamClient<Stream>, sinceMs: Int64?)] = []
  /// Results have been told up to this time; 0: none.
  private(set) var toldMs: Int64 = 0

  init(_ store: ResultStore?, _ clocks: GatewayClocks) {
    self.store = store
    self.clocks = clocks
  }

  /// Registers a client, and tells what its user's grabs gave meanwhile.
  ///
  /// - Parameter sinceMs: the time up to which it had been told; nil: not known.
  /// - Returns: the results that it has missed; none before they are read back: then `deliver` sends them later.
  mutating func add(_ client: StreamClient<Stream>, sinceMs: Int64?) -> [EventFrame] {
    guard let user = client.user, let store else { return [] }
    defer { clients[user, default: []].append(client) }
    if store.isReadBack { return results(for: client, of: user, store, sinceMs: sinceMs) }
    early.append((client, sinceMs))
    return []
  }

  mutating func remove(_ client: StreamClient<Stream>) {
    guard let user = client.user else { return }
    early.removeAll { $0.client === client }
    clients[user]?.removeAll { $0 === client }
    if clients[user]?.isEmpty == true { clients[user] = nil }
  }

  mutating func deliver(_ news: ResultNews) {
    switch news {
    case .result(let result):
      send(result)
      toldMs = max(toldMs, result.timestampMs)
    case .readBack:
      guard let store else { return }
      for (client, sinceMs) in early {
        for frame in results(for: client, of: client.user!, store, sinceMs: sinceMs) { client.stream?.send(frame) }
      }
      early = []
      toldMs = max(toldMs, store.latestMs)
    }
  }

  private func send(_ result: StreamResult) {
    guard let clients = clients[result.user] else { return }
    let frame = EventFrame.result(result)
    for client in clients where client.lastResult < result.number && client.list.rooms.contains(result.room) {
      client.stream?.send(frame)
    }
  }

  private mutating func results(
    for client: StreamClient<Stream>, of user: ID, _ store: ResultStore, sinceMs: Int64?
  ) -> [EventFrame] {
    let (results, number, latestMs) = store.results(
      of: user, in: client.list.rooms, sinceMs: sinceMs, nowMs: clocks.wallMs())
    client.lastResult = number
    // Some of these may still be on their way to other clients, if there are any: then the time before counts.
    if clients.isEmpty { toldMs = max(toldMs, latestMs) }
    return results.map { .result($0) }
  }
}

extension EventFrame {
  /// The frame of a result has no id: the ids of later events say how far results have been told. So a result must not
  /// be thrown away if events come after it.
  static func result(_ result: StreamResult) -> EventFrame {
    result.json.withUnsafeBytes { EventFrame("result", data: $0, isKept: true) }
  }
}

internal import HTTP
package import RoomScreen
internal import Synchronization

/// The partitions that this gateway serves, filled by the feed and read by the loops; each behind a lock of its own,
/// held for as long as it takes to add or copy a few references.
package final class CommandStore: Sendable {
  package let topic: String
  /// The partitions that have a state, ascending.
  package let served: [Int32]
  private let currentRouting: Mutex<RoomRouting>
  private let places: [Int32: Int]
  private let states: [SharedState]
  private let listeners = Mutex<[EventLoop]>([])

  private final class SharedState: Sendable {
    let state: Mutex<ServedPartition>
    /// `history.end`, to look at without the lock.
    let end = Atomic(0)
    init(_ state: ServedPartition) { self.state = Mutex(state) }
  }

  /// - Parameter begins: the offset from which each served partition is read.
  /// - Parameter staleAfterMs: of screens (`Screen.staleAfterMs`).
  package init(
    topic: String, _ routing: RoomRouting, begins: [Int32: Int64], lookbackMs: Int64, historyBytes: Int,
    staleAfterMs: Int64 = 0
  ) {
    self.topic = topic
    currentRouting = Mutex(routing)
    served = begins.keys.sorted()
    places = Dictionary(uniqueKeysWithValues: served.enumerated().map { ($1, $0) })
    let byteLimit = historyBytes / max(1, served.count)
    states = served.map {
      SharedState(
        ServedPartition(begin: begins[$0]!, lookbackMs: lookbackMs, byteLimit: byteLimit, staleAfterMs: staleAfterMs))
    }
  }

  package func serves(_ partition: Int32) -> Bool { places[partition] != nil }

  package var routing: RoomRouting { currentRouting.withLock { $0 } }

  /// The topic has more partitions now.
  package func grow(to partitions: Int32) { currentRouting.withLock { $0.partitions = partitions } }

  /// A list of rooms that are all served here by this routing, which may be older than the present one.
  package func list(_ rooms: some Sequence<ID>, by routing: RoomRouting) -> RoomList {
    RoomList(rooms, topic: topic, routing)
  }

  /// Registers a loop to be woken when there is something new.
  func add(_ listener: EventLoop) { listeners.withLock { $0.append(listener) } }

  func wakeListeners() {
    for loop in listeners.withLock({ $0 }) { loop.wake() }
  }

  /// The partition must be served.
  package func change(_ partition: Int32, _ body: (inout ServedPartition) -> Void) {
    let shared = states[places[partition]!]
    shared.state.withLock { state in
      body(&state)
      shared.end.store(state.history.end, ordering: .releasing)
    }
  }

  package func read<Result>(
    _ partition: Int32, _ body: (borrowing ServedPartition) -> sending Result
  ) -> sending Result {
    states[places[partition]!].state.withLock { body($0) }
  }

  /// The number of the next entry of its history, without a lock.
  package func end(of partition: Int32) -> Int { states[places[partition]!].end.load(ordering: .acquiring) }

  var roomCount: Int { served.reduce(0) { $0 + read($1) { $0.roomCount } } }
}

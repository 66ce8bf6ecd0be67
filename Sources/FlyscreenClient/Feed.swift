package import RoomScreen
import Synchronization

/// A bounded queue of what a stream has said and its reader has not yet taken.
package final class Feed: Sendable {
  fileprivate struct State {
    /// The rooms, with all that was said applied.
    var rooms: [ID: PacedRoom] = [:]
    /// Rooms whose screen has changed since it was taken, the longest ago first.
    var changed: [ID] = []
    /// Updates in their order, where a reader wants them.
    var updates: [RoomUpdate] = []
    /// The number of updates that have been taken.
    var taken = 0
    var refusal: GatewayError?
    /// Rings when the next command is due.
    var alarm = Alarm()
  }

  private let state = Mutex(State())
  private let time: Timekeeper
  private let lag: Duration?
  /// The number of updates that are kept; 0 where only screens are wanted.
  private let updateLimit: Int
  /// Wakes the reader. One call is enough, however much there is.
  let news: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation

  /// A feed of at most `limit` updates.
  package convenience init(updates limit: Int, time: Timekeeper) {
    self.init(updateLimit: max(limit, 1), lag: .zero, time: time)
  }

  /// Screens alone, so far behind the log; nil: as far as the gateway tells.
  package convenience init(screensAt lag: Duration?, time: Timekeeper) {
    self.init(updateLimit: 0, lag: lag, time: time)
  }

  private init(updateLimit: Int, lag: Duration?, time: Timekeeper) {
    self.updateLimit = updateLimit
    self.lag = lag
    self.time = time
    (news, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package func add(_ update: RoomUpdate) {
    state.withLock { state in
      switch update {
      case .snapshot(let snapshot):
        state.rooms[snapshot.roomId, default: PacedRoom(snapshot.roomId, lag: lag, time: time)].reset(to: snapshot)
        state.note(snapshot.roomId)
      // A room is not known before its snapshot.
      case .command(let command): state.rooms[command.roomId]?.receive(command)
      case .pace(let lag, let rooms): for room in rooms { state.rooms[room]?.follow(lagMs: lag.milliseconds) }
      case .result, .connection: break
      }
      state.settle()
      setAlarm(&state)
      guard updateLimit > 0 else { return }
      state.updates.append(update)
      if state.updates.count - state.taken > updateLimit { state.fallBehind() }
    }
    bell.yield()
  }

  package func end(_ refusal: GatewayError?) {
    state.withLock { $0.refusal = refusal }
    bell.finish()
  }

  /// The next update, or nil. Updates from before a refusal come before the error.
  package func takeUpdate() throws(GatewayError) -> RoomUpdate? {
    try take { $0.takeUpdate() }
  }

  /// The next screen that has changed, as it is by now, or nil.
  package func takeScreen() throws(GatewayError) -> Screen? {
    try take { $0.takeScreen() }
  }

  private func take<Value: Sendable>(_ take: (inout State) -> Value?) throws(GatewayError) -> Value? {
    let (value, refusal) = state.withLock { state in (take(&state), state.refusal) }
    if value == nil, let refusal { throw refusal }
    return value
  }

  private func setAlarm(_ state: inout State) {
    state.alarm.set(after: state.rooms.values.compactMap(\.nextDue).min(), time) { [weak self] in self?.ring() }
  }

  private func ring() {
    state.withLock { state in
      state.alarm.clear()
      state.settle()
      setAlarm(&state)
    }
    bell.yield()
  }
}

extension Feed.State {
  fileprivate mutating func settle() {
    for room in rooms.keys.sorted() where rooms[room]!.settle().isChanged { note(room) }
  }

  fileprivate mutating func note(_ room: ID) {
    if !changed.contains(room) { changed.append(room) }
  }

  /// The reader is too slow: in place of all that waits it gets how things are now.
  fileprivate mutating func fallBehind() {
    var connections: [[ID]: RoomUpdate] = [:]
    var paces = connections
    for update in updates {
      switch update {
      case .connection(_, let rooms): connections[rooms] = update
      case .pace(_, let rooms): paces[rooms] = update
      default: break
      }
    }
    let results = updates[taken...].filter { if case .result = $0 { true } else { false } }.suffix(100)
    taken = 0
    updates = Array(connections.values) + Array(paces.values) + results
    for room in rooms.keys.sorted() { updates.append(.snapshot(rooms[room]!.screen.snapshot)) }
  }

  fileprivate mutating func takeUpdate() -> RoomUpdate? {
    guard taken < updates.count else { return nil }
    let update = updates[taken]
    taken += 1
    // Now and then, so that taking one costs the same however many wait.
    if taken > updates.count / 2 {
      updates.removeFirst(taken)
      taken = 0
    }
    return update
  }

  fileprivate mutating func takeScreen() -> Screen? {
    guard !changed.isEmpty else { return nil }
    let room = changed.removeFirst()
    rooms[room]!.settle()
    return rooms[room]!.screen
  }
}

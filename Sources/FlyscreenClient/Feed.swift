package import RoomScreen
import Synchronization

/// What a stream has said and a reader has not yet taken: bounded, however slow the reader is.
package final class Feed: Sendable {
  fileprivate struct State {
    /// Where the rooms are, with all that was said.
    var rooms: [String: Room] = [:]
    /// Rooms whose screen has changed since it was taken, the longest ago first.
    var changed: [String] = []
    /// What was said, in its order, where that is wanted.
    var updates: [RoomUpdate] = []
    /// How many of them have been.
    var taken = 0
    var refusal: GatewayError?
  }

  fileprivate struct Room {
    var screen: Screen
    var clock: LogClock
  }

  private let state = Mutex(State())
  private let time: Timekeeper
  /// How many updates are kept; none where only screens are wanted.
  private let updateLimit: Int
  /// Wakes the reader. One call is enough, however much there is.
  let news: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation

  package init(time: Timekeeper, updateLimit: Int) {
    self.time = time
    self.updateLimit = updateLimit
    (news, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package func tell(_ update: RoomUpdate) {
    state.withLock { state in
      switch update {
      case .snapshot(let snapshot): state.reset(to: snapshot, time)
      case .command(let command): state.apply(command)
      case .result, .connection: break
      }
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

  /// What there is, or nil. What was said before a refusal comes before it.
  package func takeUpdate() throws(GatewayError) -> RoomUpdate? {
    try take { $0.takeUpdate() }
  }

  /// The same of screens, each as it is by now.
  package func takeScreen() throws(GatewayError) -> Screen? {
    try take { $0.takeScreen() }
  }

  private func take<Value: Sendable>(_ take: (inout State) -> Value?) throws(GatewayError) -> Value? {
    let (value, refusal) = state.withLock { state in (take(&state), state.refusal) }
    if value == nil, let refusal { throw refusal }
    return value
  }
}

extension Feed.State {
  fileprivate mutating func reset(to snapshot: Snapshot, _ time: Timekeeper) {
    var room = rooms[snapshot.roomId] ?? Feed.Room(screen: Screen(snapshot.roomId), clock: LogClock(time: time))
    room.screen.reset(to: snapshot)
    room.clock.anchor(snapshot.nowMs)
    rooms[snapshot.roomId] = room
    note(snapshot.roomId)
  }

  fileprivate mutating func apply(_ command: Command) {
    // Before its snapshot a room is not known.
    guard rooms[command.roomId] != nil else { return }
    rooms[command.roomId]!.screen.apply(command)
    rooms[command.roomId]!.clock.observe(command.atMs)
    note(command.roomId)
  }

  private mutating func note(_ room: String) {
    if !changed.contains(room) { changed.append(room) }
  }

  /// The reader is too slow: in place of all that waits it gets how things are now.
  fileprivate mutating func fallBehind() {
    let connection = updates.last { if case .connection = $0 { true } else { false } }
    let results = updates[taken...].filter { if case .result = $0 { true } else { false } }.suffix(100)
    taken = 0
    updates = (connection.map { [$0] } ?? []) + results
    for room in rooms.keys.sorted() {
      rooms[room]!.screen.advance(to: rooms[room]!.clock.nowMs)
      updates.append(.snapshot(rooms[room]!.screen.snapshot))
    }
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
    rooms[room]!.screen.advance(to: rooms[room]!.clock.nowMs)
    return rooms[room]!.screen
  }
}

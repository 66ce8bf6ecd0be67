import RoomScreen
import Synchronization

/// A viewer's taps on one room's stage: tells which are likes (STAGES.md, section 5), and sends them gathered.
///
/// Each event says how many likes a *run* has had so far, so one that is lost is made good by the next, and one that
/// comes twice adds nothing. At most one is sent each second.
public final class Taps: Sendable {
  private struct State {
    var recogniser = TapRecogniser()
    var run: ID?
    var count: Int64 = 0
    var points: [Command.Point] = []
    var told: Duration?
    /// Sends the run when its second is over.
    var telling: Task<Void, Never>?
  }

  /// A run is told once in this time.
  private static let pace: Duration = .seconds(1)
  /// A run of which nothing was told for so long ends: half of `like.runMs`.
  private static let runEnds: Duration = .seconds(30)
  /// The points that one event has at most.
  private static let mostPoints = 16

  private let client: GatewayClient
  private let room: ID
  private let state = Mutex(State())

  init(client: GatewayClient, room: ID) {
    self.client = client
    self.room = room
  }

  /// A finger touched the stage.
  ///
  /// - Parameters:
  ///   - x: thousandths of the stage's width, 0…999.
  ///   - y: of its height.
  /// - Returns: whether it is a like: throw a heart then.
  @discardableResult public func tap(x: Int, y: Int) -> Bool {
    let isLike = state.withLock { $0.recogniser.tap(at: client.time.now()) }
    if isLike { like(x: x, y: y) }
    return isLike
  }

  /// A button was pressed, say: a like by itself, at this point.
  public func like(x: Int, y: Int) {
    let now = client.time.now()
    state.withLock { state in
      let isOver = state.telling == nil && state.told.map { now - $0 >= Self.runEnds } ?? true
      if state.run == nil || isOver { (state.run, state.count) = (OutgoingEvents.newId(), 0) }
      state.count += 1
      if state.points.count < Self.mostPoints { state.points.append(Command.Point(x: x, y: y)) }
      guard state.telling == nil else { return }
      let wait = max(.zero, (state.told ?? now - Self.pace) + Self.pace - now)
      state.telling = Task { [self] in
        if wait > .zero { try? await client.time.sleep(wait) }
        await tell()
      }
    }
  }

  private func tell() async {
    let now = client.time.now()
    let taps = state.withLock { state -> OutgoingEvent.Taps? in
      guard let run = state.run else { return nil }
      defer { (state.telling, state.told, state.points) = (nil, now, []) }
      return .init(userId: client.options.sender.userId, runId: run, count: state.count, points: state.points)
    }
    // The next of the run makes it good.
    if let taps { try? await client.send(taps, to: room) }
  }
}

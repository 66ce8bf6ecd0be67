/// A room's screen by a channel of the platform's own, which pushes commands (CLIENTS.md, "Bring your own channel").
/// `Tests/ClientCases/feeds.json` has the cases.
///
/// ```swift
/// feed.subscribed()  // then GET /rooms/{roomId}
/// while !feed.feed(try await snapshot()) { try await Task.sleep(for: .seconds(1)) }
/// ```
public struct ScreenFeed: Sendable {
  /// What is shown. Between commands, let its time go on (`Screen.advance(to:)`).
  public var screen: Screen
  /// Whether nothing is missing between the snapshot and what was pushed since.
  public private(set) var isJoined = false
  private var hasSnapshot = false
  /// What was pushed since the subscription, the last of it: a snapshot may come that lacks it.
  private var pushed: [Command] = []

  private static let limit = 1000

  /// A room of which nothing is known.
  public init(_ roomId: ID) { screen = Screen(roomId) }

  /// A subscription stands, the first or another: what was pushed before may have been lost. Ask for a snapshot now.
  public mutating func subscribed() { (pushed, isJoined) = ([], false) }

  /// A command was pushed.
  ///
  /// - Returns: `isJoined`.
  @discardableResult public mutating func feed(_ command: Command) -> Bool {
    if pushed.count == Self.limit { pushed.removeFirst(Self.limit / 2) }
    pushed.append(command)
    if hasSnapshot { screen.apply(command) }
    return isJoined
  }

  /// A snapshot has come, with its `position`.
  ///
  /// - Returns: `isJoined`. False: it may be older than the subscription; ask for another in a second.
  @discardableResult public mutating func feed(_ snapshot: Snapshot) -> Bool {
    screen.reset(to: snapshot)
    hasSnapshot = true
    // All of a room's commands come in one order. A snapshot that has the first that was pushed has all before.
    isJoined = pushed.first.map { !screen.isNew($0) } ?? true
    for command in pushed { screen.apply(command) }
    return isJoined
  }
}

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
  public var isJoined: Bool { pushed.isJoined }
  private var hasSnapshot = false
  private var pushed = PushedCommands()

  /// A room of which nothing is known.
  public init(_ roomId: ID) { screen = Screen(roomId) }

  /// A subscription stands, the first or another: what was pushed before may have been lost. Ask for a snapshot now.
  public mutating func subscribed() { pushed = PushedCommands() }

  /// A command was pushed.
  ///
  /// - Returns: `isJoined`.
  @discardableResult public mutating func feed(_ command: Command) -> Bool {
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
    for command in pushed.join(screen) { screen.apply(command) }
    return isJoined
  }
}

/// What a channel has pushed since its subscription, the last of it: a snapshot may come that lacks it.
package struct PushedCommands: Sendable {
  package private(set) var isJoined = false
  private var commands: [Command] = []
  private static let limit = 1000

  package init() {}

  package mutating func append(_ command: Command) {
    if commands.count == Self.limit { commands.removeFirst(Self.limit / 2) }
    commands.append(command)
  }

  /// - Parameter screen: shows a snapshot that has just come.
  /// - Returns: the commands to draw on it. It passes over those that it has.
  package mutating func join(_ screen: Screen) -> [Command] {
    // All of a room's commands come in one order. A snapshot that has the first that was pushed has all before.
    isJoined = commands.first.map { !screen.isNew($0) } ?? true
    return commands
  }
}

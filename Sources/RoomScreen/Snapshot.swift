/// The contents of one room's screen at `nowMs`, as commands that draw it (INTERFACES.md, "Gateway").
///
/// Each command is as it was sent, with the same `id` and `atMs`, so that a banner in flight is drawn where it is by
/// now; but `from` and `likes` are what they are now, and `total` is no less than `from`. They are in the order of
/// their `atMs`; the end of a room after which nothing came is the last.
public struct Snapshot: Sendable, Hashable, Codable {
  /// The room that has this screen.
  public var roomId: ID
  /// Log time: milliseconds since 1970 by the server's clock.
  public var nowMs: Int64
  /// An item that only a command ends (a gift view, a rain, a crowd) is over when no command has told of it for so many
  /// milliseconds; nil: the gateway tells no such span.
  public var staleAfterMs: Int64?
  /// The time by which viewers show the room behind the log, in milliseconds, so that commands come in time; nil: an
  /// older gateway tells none.
  public var lagMs: Int64?
  /// The commands that draw the screen, in order, for ``Screen/reset(to:)``.
  public var commands: [Command]
  /// The time before; nil: nothing is known of it, or an older gateway tells nothing.
  public var past: Past?
  /// The last command of each input partition that came before it, by which ``ScreenFeed`` joins pushed commands to it;
  /// nil: not told, as in streams.
  public var position: [Mark]?

  /// The last command of an input partition.
  public struct Mark: Sendable, Hashable, Codable {
    /// Its id.
    public var id: ID
    /// The log time at which it was due.
    public var atMs: Int64

    /// A mark, as a gateway or a test tells it.
    public init(id: ID, atMs: Int64) {
      self.id = id
      self.atMs = atMs
    }
  }

  /// A snapshot, as a gateway or a test tells it.
  public init(
    roomId: ID, nowMs: Int64, staleAfterMs: Int64? = nil, lagMs: Int64? = nil, commands: [Command], past: Past? = nil,
    position: [Mark]? = nil
  ) {
    self.roomId = roomId
    self.nowMs = nowMs
    self.staleAfterMs = staleAfterMs
    self.lagMs = lagMs
    self.commands = commands
    self.past = past
    self.position = position
  }
}

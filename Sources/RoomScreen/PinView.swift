/// A message that stands until its end.
public struct PinView: Sendable, Hashable, Identifiable {
  /// The last command that told it.
  let command: RoomScreen.ID
  let show: Command.PinShow
  let toldAtMs: Int64

  public var id: RoomScreen.ID { show.pinId }
  /// The sender.
  public var sender: Command.Sender { show.sender }
  /// The text; draw it as plain text, with its line feeds.
  public var text: String { show.text }
  /// The style to draw it in: a word of the platform's, or empty.
  public var style: String { show.style }
  /// The price that was paid for it.
  public var value: Int64 { show.value }
  /// It stands before those that were paid for.
  public var isFirst: Bool { show.first != 0 }
  /// The log time when it began.
  public var startMs: Int64 { show.startMs }
  /// The log time when it ends.
  public var endMs: Int64 { show.endMs }
  /// The platform's own.
  public var extra: String { show.extra }
}

extension PinView: ScreenItem {
  mutating func keepParts(_ stays: (_ command: RoomScreen.ID, _ endMs: Int64?) -> Bool) -> Bool {
    stays(command, endMs)
  }

  func appendCommands(roomId: RoomScreen.ID, to commands: inout [Command]) {
    commands.append(Command(roomId: roomId, id: command, atMs: toldAtMs, body: .pinShow(show)))
  }
}

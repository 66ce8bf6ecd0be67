/// The item that fills the screen, one at a time.
public struct SpotView: Sendable, Hashable, Identifiable {
  /// The id of its command.
  let command: RoomScreen.ID
  let show: Command.SpotShow
  /// The log time when it began.
  public let startMs: Int64

  public var id: RoomScreen.ID { show.spotId }
  /// Its kind: `gift`, or a word of the platform's.
  public var kind: String { show.kind }
  /// The combo of a gift; otherwise empty.
  public var comboId: RoomScreen.ID { show.comboId }
  /// The sender.
  public var sender: Command.Sender { show.sender }
  /// The receiver in the room; empty: the room.
  public var receiverId: RoomScreen.ID { show.receiverId }
  /// The receiver's name as it is drawn; may be empty.
  public var receiverName: String { show.receiverName }
  /// The gift, by the platform's catalogue; empty: it is none.
  public var giftId: RoomScreen.ID { show.giftId }
  /// The gift's name as it is drawn; may be empty.
  public var giftName: String { show.giftName }
  /// The price of one gift, or what the platform said.
  public var value: Int64 { show.value }
  /// The number of gifts that had arrived.
  public var total: Int64 { show.total }
  /// The tier of the gift: 0 for what is none.
  public var tier: Int { show.tier }
  /// The platform's text; draw it as plain text.
  public var text: String { show.text }
  /// The style to draw it in: a word of the platform's, or empty.
  public var style: String { show.style }
  /// The platform's own.
  public var extra: String { show.extra }
  /// The time that it fills the screen.
  public var durationMs: Int64 { show.durationMs }
  /// The log time when it ends.
  public var endMs: Int64 { startMs.plus(show.durationMs) }
}

extension SpotView: ScreenItem {
  mutating func keepParts(_ stays: (_ command: RoomScreen.ID, _ endMs: Int64?) -> Bool) -> Bool {
    stays(command, endMs)
  }

  func appendCommands(roomId: RoomScreen.ID, to commands: inout [Command]) {
    commands.append(Command(roomId: roomId, id: command, atMs: startMs, body: .spotShow(show)))
  }
}

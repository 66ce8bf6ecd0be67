/// The bar, while it shows a crowd: gifts of one kind that found no lane.
public struct CrowdView: Sendable, Hashable, Identifiable {
  /// The last command that told it.
  let command: RoomScreen.ID
  let show: Command.CrowdShow
  /// The log time when it was told last.
  public let toldAtMs: Int64

  public var id: RoomScreen.ID { show.crowdId }
  /// The receiver in the room; empty: the room.
  public var receiverId: RoomScreen.ID { show.receiverId }
  /// The receiver's name as it is drawn; may be empty.
  public var receiverName: String { show.receiverName }
  /// The gift, by the platform's catalogue.
  public var giftId: RoomScreen.ID { show.giftId }
  /// The name as it is drawn; may be empty.
  public var giftName: String { show.giftName }
  /// The price of one.
  public var value: Int64 { show.value }
  /// The number of combos that have joined.
  public var items: Int64 { show.items }
  /// The number of gifts.
  public var units: Int64 { show.units }
  /// Up to three senders of the dearest items.
  public var names: [Command.Sender] { show.names }
}

extension CrowdView: ScreenItem {
  var toldMs: Int64? { toldAtMs }

  mutating func keepParts(_ stays: (_ command: RoomScreen.ID, _ endMs: Int64?) -> Bool) -> Bool { stays(command, nil) }

  func appendCommands(roomId: RoomScreen.ID, to commands: inout [Command]) {
    commands.append(Command(roomId: roomId, id: command, atMs: toldAtMs, body: .crowdShow(show)))
  }
}

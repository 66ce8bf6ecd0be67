/// A command that clients draw (STAGES.md, section 10). Texts belong to the `CommandBatch` that the command is in.
public struct RoomCommand {
  public var roomId: Text
  /// The last record of the partition whose turn had come; with the log's name and `place` it makes the command's id.
  public var recordOffset: Int64
  /// Its number, from 0, among the room's commands since that record.
  public var place: Int64
  /// The time when a client acts on it.
  public var atMs: LogTime
  public var body: Body

  @inlinable @inline(__always) public init(roomId: Text, recordOffset: Int64, place: Int64, atMs: LogTime, body: Body) {
    self.roomId = roomId
    self.recordOffset = recordOffset
    self.place = place
    self.atMs = atMs
    self.body = body
  }
}

extension LikeBurst {
  /// More points than this no burst carries, whatever the settings say: it has to fit a record of 1 MiB.
  public static let pointLimit: Int64 = 50_000
}

extension CrowdShow {
  /// The number of senders that a crowd names.
  public static let nameLimit = 3
}

extension Retracted {
  public init(_ retract: Retract) {
    self.init()
    switch retract.what {
    case .wish(let id): wishId = id
    case .combo(let id): comboId = id
    case .spot(let id): spotId = id
    case .pin(let id): pinId = id
    case .goal(let id): goalId = id
    case .user(let id, _): userId = id
    }
  }
}

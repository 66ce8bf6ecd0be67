/// The result of a grab of a packet (STAGES.md, section 6). Texts belong to the `CommandBatch` that it is in.
public struct GrabResult {
  public var roomId: Text
  /// The grab's record; with the log's name it makes the result's id.
  public var recordOffset: Int64
  public var eventId: Text
  public var rainId: Text
  public var packet: Int64
  public var userId: Text
  public var outcome: Outcome
  public var coins: Int64

  /// Outcomes in the order of the schema's numbers.
  public enum Outcome: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// No such rain is running, or the packet is not in the air.
    case missed
    /// This user had opened it.
    case again
    /// It paid.
    case won
    /// It was opened and paid nothing.
    case empty
  }

  @inlinable public init(
    roomId: Text, recordOffset: Int64, eventId: Text, rainId: Text, packet: Int64, userId: Text, outcome: Outcome,
    coins: Int64
  ) {
    self.roomId = roomId
    self.recordOffset = recordOffset
    self.eventId = eventId
    self.rainId = rainId
    self.packet = packet
    self.userId = userId
    self.outcome = outcome
    self.coins = coins
  }
}

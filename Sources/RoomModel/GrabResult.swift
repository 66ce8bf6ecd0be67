/// What a grab of a packet gave (STAGES.md, section 6). Texts belong to the `CommandBatch` that it is in.
package struct GrabResult {
  package var roomId: Text
  /// The grab's record; with the log's name it makes the result's id.
  package var recordOffset: Int64
  package var eventId: Text
  package var rainId: Text
  package var packet: Int64
  package var userId: Text
  package var outcome: Outcome
  package var coins: Int64

  /// In the order of the page: the first that is true.
  package enum Outcome: UInt8, CaseIterable, Sendable {
    /// No such rain is running, or the packet is not in the air.
    case missed
    /// This user had opened it.
    case again
    /// It paid.
    case won
    /// It was opened and paid nothing.
    case empty
  }

  @inlinable package init(
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

package import RoomScreen

/// The result of a grab as streams get it.
package struct StreamResult: Sendable {
  package let user: ID
  package let room: ID
  /// The time of its record, by the wall clock.
  package let timestampMs: Int64
  /// The result as in STAGES.md, section 6; one line.
  package let json: [UInt8]
  /// Counts up, in this gateway.
  package var number = 0

  package init(user: ID, room: ID, timestampMs: Int64, json: [UInt8]) {
    self.user = user
    self.room = room
    self.timestampMs = timestampMs
    self.json = json
  }
}

/// News of results, for the loops.
package enum ResultNews: Sendable {
  case result(StreamResult)
  /// The results of before the gateway's start are read back.
  case readBack
}

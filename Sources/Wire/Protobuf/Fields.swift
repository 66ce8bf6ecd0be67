/// The field numbers of Schemas/flyscreen.proto, as far as they stand in no list (`FieldList`).
enum Fields {
  /// The fields beside the body. Constants: events pass by the million.
  enum Event {
    static var eventId: UInt32 { 1 }
    static var roomId: UInt32 { 2 }
  }

  /// The fields beside the body.
  enum Command: UInt32 { case roomId = 1, id, atMs }

  enum Result: UInt32 { case id = 1, roomId, eventId, rainId, packet, userId, outcome, coins }
}

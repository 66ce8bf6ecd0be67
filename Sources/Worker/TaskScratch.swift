package import RoomModel
package import Wire

/// What the tasks of one thread share: a decoder, and buffers that are kept.
package struct TaskScratch: ~Copyable {
  package var decoder = EventDecoder()
  package var batch = CommandBatch()
  package var outbox = Outbox()
  /// Slots of rooms.
  var due: [Int32] = []

  package init() {}
}

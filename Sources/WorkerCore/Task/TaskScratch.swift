package import RoomModel
package import Wire

/// A decoder and buffers that the tasks of one thread share. Nothing in them outlives a call.
package struct TaskScratch: ~Copyable {
  package var decoder = EventDecoder()
  package var batch = CommandBatch()
  /// Slots of rooms.
  var due: [Int32] = []

  package init() {}
}

package import RoomModel
package import Wire

/// A decoder and buffers that the tasks of one thread share. Nothing in them outlives a call, but the counts of `batch`.
package struct TaskScratch: ~Copyable {
  package var decoder = EventDecoder()
  package var batch = CommandBatch()
  /// Of restores: what comes into it was published before, and is thrown away uncounted.
  package var replayed = CommandBatch()
  /// Slots of rooms.
  var due: [Int32] = []

  package init() {}
}

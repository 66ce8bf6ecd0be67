import RoomScreen

/// A command's id: `topic/partition/offset/n` (STAGES.md, section 10).
package struct CommandName: Hashable, Sendable, CustomStringConvertible {
  package let topic: String
  package let partition: Int32
  package let offset: Int64
  package let place: Int64

  init(topic: String, partition: Int32, offset: Int64, place: Int64) {
    self.topic = topic
    self.partition = partition
    self.offset = offset
    self.place = place
  }

  /// Nil if `text` is no such id.
  package init?(_ text: String) {
    guard let id = CommandID(ID(text)), let place = id.place, id.topicCount > 0, id.partition >= 0, place >= 0 else {
      return nil
    }
    topic = String(Substring(text.utf8.prefix(id.topicCount)))
    partition = id.partition
    offset = id.offset
    self.place = place
  }

  package var description: String {
    var topic = topic
    return topic.withUTF8 {
      CommandID.text(topic: UnsafeRawBufferPointer($0), partition: partition, offset: offset, place: place).string
    }
  }
}

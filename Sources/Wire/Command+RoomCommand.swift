package import RoomModel
package import RoomScreen

/// Published commands with texts of their own, for whoever keeps them.
extension Command {
  package init(_ published: borrowing DecodedCommand) {
    let command = published.command
    let log = PublishedLog(topic: published.topic, partition: published.partition)
    self.init(
      roomId: ID(command.roomId),
      id: CommandID.text(
        topic: log.topic.bytes, partition: log.partition, offset: command.recordOffset, place: command.place),
      atMs: command.atMs,
      body: command.body.owned(of: log))
  }
}

/// The log that ids name.
struct PublishedLog {
  let topic: Text
  let partition: Int32

  /// The id of what began with the record at this offset.
  func record(_ offset: Int64) -> ID { CommandID.text(topic: topic.bytes, partition: partition, offset: offset) }
}

extension ID {
  /// An id that outlives whoever owns the text.
  package init(_ text: Text) { self.init(text.description) }
}

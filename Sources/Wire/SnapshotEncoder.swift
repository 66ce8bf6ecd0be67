package import JSON
import RoomModel
package import RoomScreen

/// Owned commands and snapshots as JSON, byte for byte as STAGES.md, section 10, has it.
///
/// They become the borrowed commands that they were, so that one encoder alone knows the order of the fields.
package struct SnapshotEncoder: ~Copyable {
  private var batch = CommandBatch()

  package init() {}

  /// Appends `{"roomId","nowMs","staleAfterMs","lagMs","commands":[…],"past":{…},"position":[{"id","atMs"},…]}`;
  /// `staleAfterMs`, `lagMs`, `past` and `position` only if they are there. A command that is none of ours, by its id or
  /// its body, is left out.
  package mutating func encode(_ snapshot: Snapshot, into buffer: inout ByteBuffer) {
    buffer.append(#"{"roomId":""#)
    buffer.appendEscaped(string: snapshot.roomId.string)
    buffer.append(#"","nowMs":"#)
    buffer.append(snapshot.nowMs)
    if let staleAfterMs = snapshot.staleAfterMs {
      buffer.append(#","staleAfterMs":"#)
      buffer.append(staleAfterMs)
    }
    if let lagMs = snapshot.lagMs {
      buffer.append(#","lagMs":"#)
      buffer.append(lagMs)
    }
    buffer.append(#","commands":["#)
    var isFirst = true
    for command in snapshot.commands {
      let end = buffer.count
      if !isFirst { buffer.append(UInt8(ascii: ",")) }
      if encode(command, into: &buffer) { isFirst = false } else { buffer.removeAll(after: end) }
    }
    buffer.append("]")
    if let past = snapshot.past {
      buffer.append(#","past":"#)
      buffer.append(past)
    }
    if let position = snapshot.position {
      buffer.append(#","position":["#)
      for (number, mark) in position.enumerated() {
        buffer.append(number == 0 ? #"{"id":""# : #",{"id":""#)
        buffer.appendEscaped(string: mark.id.string)
        buffer.append(#"","atMs":"#)
        buffer.append(mark.atMs)
        buffer.append("}")
      }
      buffer.append("]")
    }
    buffer.append("}")
  }

  /// Appends the command.
  ///
  /// - Returns: false, with nothing appended, if it is none of ours.
  @discardableResult package mutating func encode(_ command: Command, into buffer: inout ByteBuffer) -> Bool {
    batch.removeAll()
    guard let id = CommandID(command.id), let place = id.place else { return false }
    guard let body = withUnsafeMutablePointer(to: &batch, { command.body.borrowed(keptIn: $0) }) else { return false }
    let topic = String(Substring(command.id.string.utf8.prefix(id.topicCount)))
    CommandEncoder(topic: topic, partition: id.partition, format: .json).encode(
      RoomCommand(
        roomId: batch.keep(command.roomId.string), recordOffset: id.offset, place: place, atMs: command.atMs, body: body
      ),
      into: &buffer)
    return true
  }
}

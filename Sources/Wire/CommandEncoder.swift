package import JSON
package import RoomModel

/// Commands and results of one partition of the input, as bytes (STAGES.md, sections 10 and 6).
package struct CommandEncoder: ~Copyable {
  package let format: Format
  /// `topic/partition/`, which ids begin with, as it stands in this format.
  let log: ByteBuffer

  package init(topic: String, partition: Int32, format: Format) {
    var log = ByteBuffer(capacity: 64)
    var name = topic
    name.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return }
      let text = Text(start: start, count: bytes.count)
      if format == .json { log.appendEscaped(text) } else { log.append(text) }
    }
    log.append(UInt8(ascii: "/"))
    log.append(Int64(partition))
    log.append(UInt8(ascii: "/"))
    self.log = log
    self.format = format
  }

  /// Appends the command.
  package func encode(_ command: borrowing RoomCommand, into buffer: inout ByteBuffer) {
    switch format {
    case .json: buffer.appendJSON(command, log: log.text)
    case .protobuf: buffer.appendProtobuf(command, log: log.text)
    }
  }

  /// Appends a record of the command: its value, and the room's id as its key, which mostly stands in the value already.
  package func encodeRecord(_ command: borrowing RoomCommand, into buffer: inout ByteBuffer) -> EncodedRecord {
    let valueStart = buffer.count
    var room: Int?
    switch format {
    case .json: room = buffer.appendJSON(command, log: log.text)
    case .protobuf: buffer.appendProtobuf(command, log: log.text)
    }
    let value = valueStart..<buffer.count
    if room == nil { buffer.append(command.roomId) }
    let keyStart = room ?? value.upperBound
    return EncodedRecord(key: keyStart..<keyStart + command.roomId.count, value: value)
  }
}

/// The places of a record's bytes in a buffer.
package struct EncodedRecord {
  package let key: Range<Int>
  package let value: Range<Int>
}

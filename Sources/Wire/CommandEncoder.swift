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
}

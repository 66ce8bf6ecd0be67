package import JSON
package import RoomModel

/// Events as senders write them: for the simulator, tests and benchmarks.
package struct EventEncoder: Sendable {
  package let format: Format

  package init(format: Format) { self.format = format }

  /// Appends the event. Optional fields that are empty are left out.
  package func encode(_ event: borrowing RoomEvent, into buffer: inout ByteBuffer) {
    switch format {
    case .json: buffer.appendJSON(event)
    case .protobuf: buffer.appendProtobuf(event)
    }
  }
}

/// One event of a stream, as the HTML standard has it.
package struct ServerSentEvent: Equatable, Sendable {
  package var type: String
  package var data: String
  /// The last one that was sent, with this event or before; empty if none was.
  package var id: String

  package init(type: String = "message", data: String, id: String = "") {
    self.type = type
    self.data = data
    self.id = id
  }
}

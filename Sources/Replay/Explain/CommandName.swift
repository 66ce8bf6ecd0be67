/// A command's id: `topic/partition/offset/n` (STAGES.md, section 8).
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
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, !parts[0].isEmpty, let partition = Int32(parts[1]), partition >= 0,
      let offset = Int64(parts[2]), let place = Int64(parts[3]), place >= 0
    else { return nil }
    topic = String(parts[0])
    self.partition = partition
    self.offset = offset
    self.place = place
  }

  package var description: String { "\(topic)/\(partition)/\(offset)/\(place)" }
}

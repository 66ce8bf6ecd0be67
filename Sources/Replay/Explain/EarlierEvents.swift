import Kafka
import RoomModel
package import RoomScreen
import Wire

/// Records of a partition that come before the place from which its rooms are known exactly.
package struct EarlierEvents {
  /// The count of those that the question is about, and the first.
  package let count: Int
  package let first: Int64?

  /// Reads the partition from the record that was asked for up to that place.
  package init(
    _ question: Explainer.Question, room: ID, of range: PartitionRange, _ connection: LogConnection
  ) throws {
    let sought: SoughtEvents
    switch question {
    case .event(let id): sought = .withId(id)
    case .user(let id): sought = .ofUser(id)
    case .command, .moment:
      (count, first) = (0, nil)
      return
    }
    guard case .late(let asked, _, _) = range.beginning else {
      (count, first) = (0, nil)
      return
    }
    let stream = PartitionStream(connection)
    try stream.start(range.partition, max(asked, range.extent.lowerBound)..<range.offsets.lowerBound)
    var decoder = EventDecoder()
    var (count, first) = (0, Int64?.none)
    while let record = try stream.peek() {
      defer { stream.advance() }
      let log = LogRecord(
        offset: record.offset, timestampMs: record.timestampMs, key: record.key,
        value: record.value.map { .bytes($0) } ?? .none, headers: record.hasHeaders ? record.allHeaders : [])
      let isSought: Bool
      do throws(NotUnderstood) {
        let event = try decoder.decode(log, keyRule: .any)
        isSought = event.roomId.bytes.elementsEqual(room.string.utf8) && sought.matches(event)
      } catch {
        isSought = sought.mayMatch(log, room: room)
      }
      guard isSought else { continue }
      count += 1
      first = first ?? record.offset
    }
    (self.count, self.first) = (count, first)
  }
}

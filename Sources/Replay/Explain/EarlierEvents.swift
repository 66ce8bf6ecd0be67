import Kafka
import RoomModel
import RoomScreen
import Settings
import Wire

/// Records of a partition that come before the place from which its rooms are known exactly.
struct EarlierEvents {
  /// The count of those that the question is about, and the first.
  let count: Int
  let first: Int64?
  /// The first record that was looked at; nil: none was.
  private(set) var from: Int64?

  /// Reads the partition from the record that was asked for up to that place.
  init(
    _ question: Explainer.Question, room: ID, of range: PartitionRange, _ logs: any LogStore
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
    let stream = try logs.connect(streams: 1).newStream()
    let begin = max(asked, range.extent.lowerBound)
    from = begin
    try stream.start(range.partition, begin..<range.offsets.lowerBound)
    var decoder = EventDecoder()
    // That of the first savepoint: what tells of an earlier one is gone.
    let mapping = range.plan.settings.mapping
    let filter = RoughRoomFilter(room: room)
    var (count, first) = (0, Int64?.none)
    while let record = try stream.peek() {
      defer { stream.advance() }
      let log = record.logged
      // A mapping may find the room anywhere.
      guard mapping != nil || filter.mayConcern(log) else { continue }
      let isSought: Bool
      do throws(NotUnderstood) {
        let event = try decoder.decode(log, keyRule: .any, mapping: mapping)
        guard event.roomId.bytes.elementsEqual(room.string.utf8) else { continue }
        isSought = sought.matches(event)
      } catch {
        isSought =
          error.reason != .passedOver
          && sought.mayMatch(log, room: room, mapping.map(log.mapped))
      }
      guard isSought else { continue }
      count += 1
      first = first ?? record.offset
    }
    (self.count, self.first) = (count, first)
  }
}

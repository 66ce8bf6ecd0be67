import RoomModel
package import RoomScreen
import Wire

/// Takes the values from records of other rooms than one; their times and offsets count all the same.
package struct RoomFilter: ~Copyable {
  private let room: ID
  private var decoder = EventDecoder()

  package init(room: ID) { self.room = room }

  package mutating func apply(to line: inout LogLine) {
    guard case .record(var record) = line.content, !isOfRoom(record) else { return }
    record.value = .none
    record.headers = []
    line.content = .record(record)
  }

  /// By its key, or by what it says itself: which of them counts is a setting.
  private mutating func isOfRoom(_ record: LogRecord) -> Bool {
    if let key = record.key, key.elementsEqual(room.string.utf8) { return true }
    guard let event = try? decoder.decode(record, keyRule: .any) else { return false }
    return event.roomId.bytes.elementsEqual(room.string.utf8)
  }
}

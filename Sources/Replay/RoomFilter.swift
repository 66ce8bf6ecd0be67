import RoomModel
package import RoomScreen
import Wire

/// Takes the values from records of other rooms than one; their times and offsets count all the same.
package struct RoomFilter: ~Copyable {
  private let room: ID
  private let rough: RoughRoomFilter
  private var decoder = EventDecoder()

  package init(room: ID) {
    self.room = room
    rough = RoughRoomFilter(room: room)
  }

  package mutating func apply(to line: inout LogLine) {
    guard case .record(var record) = line.content, !isOfRoom(record) else { return }
    record.dropContent()
    line.content = .record(record)
  }

  /// Whether the record is of the room, by its key or by its own roomId: a setting says which of them counts.
  private mutating func isOfRoom(_ record: LogRecord) -> Bool {
    guard rough.mayConcern(record) else { return false }
    if let key = record.key, key.elementsEqual(room.string.utf8) { return true }
    guard let event = try? decoder.decode(record, keyRule: .any) else { return false }
    return event.roomId.bytes.elementsEqual(room.string.utf8)
  }
}

/// Takes the values from records that are surely of other rooms, without reading them as events: the room's id is not
/// among their bytes. A room's commands don't depend on them.
package struct RoughRoomFilter {
  private let room: [UInt8]
  /// Events of any room that have this id are left as they are; nil: of no other room.
  private let eventId: [UInt8]?
  /// The user or the event that is asked about; nil: neither.
  private let sought: [UInt8]?

  /// - Parameter question: the one that the room's events have to answer.
  package init(asked question: Explainer.Question? = nil, room: ID) {
    self.room = Array(room.string.utf8)
    switch question {
    case .event(let id):
      eventId = Array(id.string.utf8)
      sought = eventId
    case .user(let id):
      eventId = nil
      sought = Array(id.string.utf8)
    case .command, .moment, nil: (eventId, sought) = (nil, nil)
    }
  }

  package func apply(to line: inout LogLine) {
    guard case .record(var record) = line.content, !mayConcern(record) else { return }
    record.dropContent()
    line.content = .record(record)
  }

  func mayConcern(_ record: LogRecord) -> Bool {
    if let key = record.key, key.isSame(as: room) { return true }
    guard case .bytes(let value) = record.value else { return true }
    return mayConcern(value)
  }

  func mayConcern(_ record: StoredRecord) -> Bool {
    if let key = record.key, key.isSame(as: room) { return true }
    return record.value.map(mayConcern) ?? true
  }

  /// Whether it may be an event that is looked for, of whichever room.
  func mayBeSought(_ record: StoredRecord) -> Bool {
    guard let sought, let value = record.value else { return true }
    return value.contains(sought) || value.contains([UInt8(ascii: "\\")])
  }

  private func mayConcern(_ value: UnsafeRawBufferPointer) -> Bool {
    // JSON may write any character as an escape.
    return value.contains(room) || eventId.map(value.contains) ?? false || value.contains([UInt8(ascii: "\\")])
  }
}

extension LogRecord {
  fileprivate mutating func dropContent() {
    value = .none
    headers = []
  }
}

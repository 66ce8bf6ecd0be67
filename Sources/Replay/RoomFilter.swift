import JSON
import RoomModel
package import RoomScreen
import Settings
import Wire

/// Takes the values from records of other rooms than one; their times and offsets count all the same.
package struct RoomFilter: ~Copyable {
  private let room: ID
  private let rough: RoughRoomFilter
  private var decoder = EventDecoder()
  /// The mappings in force, by topic and partition.
  private var mappings: [String: Mapping] = [:]

  package init(room: ID) {
    self.room = room
    rough = RoughRoomFilter(room: room)
  }

  package mutating func apply(to line: inout LogLine) {
    switch line.content {
    case .settings(let settings): mappings[Self.log(line)] = settings.mapping
    case .state(let state): mappings[Self.log(line)] = state.settings.mapping
    case .record, .firedTo, .doubt: break
    }
    let mapping = mappings.isEmpty ? nil : mappings[Self.log(line)]
    guard case .record(var record) = line.content, !isOfRoom(record, mapping) else { return }
    record.dropContent()
    line.content = .record(record)
  }

  /// Whether the record is of the room, by its key or by its own roomId: a setting says which of them counts.
  private mutating func isOfRoom(_ record: LogRecord, _ mapping: Mapping?) -> Bool {
    // A mapping may find the room anywhere.
    guard mapping != nil || rough.mayConcern(record) else { return false }
    if let key = record.key, key.elementsEqual(room.string.utf8) { return true }
    guard let event = try? decoder.decode(record, keyRule: .any, mapping: mapping) else { return false }
    return event.roomId.bytes.elementsEqual(room.string.utf8)
  }

  private static func log(_ line: LogLine) -> String { "\(line.topic)/\(line.partition)" }
}

/// Takes the values from records that are surely of other rooms, without reading them as events: the room's id is not
/// among their bytes. A room's commands don't depend on them.
package struct RoughRoomFilter {
  private let room: Text
  /// Events of any room that have this id are left as they are; nil: of no other room.
  private let eventId: Text?
  /// The user or the event that is asked about; nil: neither.
  private let sought: Text?
  /// The texts lie in it.
  private let texts: Texts

  private final class Texts {
    let room: ByteBuffer
    let sought: ByteBuffer

    init(_ room: ID, sought: ID?) {
      self.room = Self.buffer(room)
      self.sought = Self.buffer(sought ?? "")
    }

    private static func buffer(_ id: ID) -> ByteBuffer {
      var buffer = ByteBuffer()
      buffer.append(string: id.string)
      return buffer
    }
  }

  /// - Parameter question: the one that the room's events have to answer.
  package init(asked question: Explainer.Question? = nil, room: ID) {
    switch question {
    case .event(let id):
      texts = Texts(room, sought: id)
      sought = texts.sought.text
      eventId = sought
    case .user(let id):
      texts = Texts(room, sought: id)
      sought = texts.sought.text
      eventId = nil
    case .command, .moment, nil:
      texts = Texts(room, sought: nil)
      (eventId, sought) = (nil, nil)
    }
    self.room = texts.room.text
  }

  package func apply(to line: inout LogLine) {
    guard case .record(var record) = line.content, !mayConcern(record) else { return }
    record.dropContent()
    line.content = .record(record)
  }

  func mayConcern(_ record: LogRecord) -> Bool {
    if isKey(record.key) { return true }
    guard case .bytes(let value) = record.value else { return true }
    return mayConcern(value)
  }

  func mayConcern(_ record: StoredRecord) -> Bool {
    if isKey(record.key) { return true }
    return record.value.map(mayConcern) ?? true
  }

  /// Whether it may be an event that is looked for, of whichever room.
  func mayBeSought(_ record: StoredRecord) -> Bool {
    guard let sought, let value = record.value else { return true }
    return value.contains(sought) || value.mayHoldEscapes
  }

  @inline(__always) private func isKey(_ key: UnsafeRawBufferPointer?) -> Bool {
    guard let start = key?.baseAddress else { return false }
    return Text(start: start, count: key!.count) == room
  }

  private func mayConcern(_ value: UnsafeRawBufferPointer) -> Bool {
    // JSON may write any character as an escape.
    value.mayHoldEscapes || value.contains(room) || eventId.map(value.contains) ?? false
  }
}

extension LogRecord {
  fileprivate mutating func dropContent() {
    value = .none
    headers = []
  }
}

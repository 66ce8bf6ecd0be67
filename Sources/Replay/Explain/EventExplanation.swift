import RoomEngine
import RoomModel
import Wire

/// Looks for the events of one id in a room, and follows what becomes of each.
struct EventExplanation: RoomObserver {
  let eventId: String
  let room: String
  private(set) var fates: [EventFate] = []
  /// Those that came after `limit` others.
  private(set) var moreCount = 0
  /// The last that was understood, by the partition's name.
  private var lastUnderstood: [String: (record: SeenRecord, at: LogTime)] = [:]

  private static var limit: Int { 100 }

  init(eventId: String, room: String) {
    self.eventId = eventId
    self.room = room
  }

  func wantsPicture(at offset: Int64, in partition: PartitionReplay) -> Bool { false }

  mutating func see(_ step: RoomStep, in partition: PartitionReplay) {
    let log = partition.name
    for index in fates.indices where fates[index].log == log && !fates[index].isSettled {
      fates[index].follow(step, in: partition)
    }
    guard case .event(let event, let record, let arrival) = step.cause, event.eventId.bytes.elementsEqual(eventId.utf8)
    else {
      return
    }
    let before = lastUnderstood.updateValue((record, step.at), forKey: log)
    guard fates.count < Self.limit else {
      moreCount += 1
      return
    }
    var fate = EventFate(record, log: log, at: step.at, words: event.words)
    if case .duplicate = arrival {
      fate.isDuplicate(of: before, window: partition.log.settings.dedupe.windowMs)
    } else {
      fate.arrived(event, arrival, room: room, in: partition)
      fate.follow(step.commands, cause: step.cause, at: step.at, in: partition)
    }
    fates.append(fate)
  }

  mutating func seeDeadLetter(_ record: LogRecord, _ reason: NotUnderstood, in partition: PartitionReplay) {
    guard record.isLikely(eventId: eventId, room: room) else { return }
    guard fates.count < Self.limit else {
      moreCount += 1
      return
    }
    let seen = SeenRecord(
      name: partition.name(ofRecord: record.offset), offset: record.offset, timestampMs: record.timestampMs)
    var fate = EventFate(
      seen, log: partition.name, at: partition.log.clock, words: "a record that can't be understood")
    fate.isDeadLetter(reason, topic: partition.topic)
    fates.append(fate)
  }

  /// How far those stand that are not settled.
  mutating func end(_ partitions: [PartitionReplay], room: Text) {
    for index in fates.indices where !fates[index].isSettled {
      guard let partition = partitions.first(where: { $0.name == fates[index].log }) else { continue }
      fates[index].end(in: partition, room: room)
    }
  }
}

extension LogRecord {
  /// Whether a record that can't be understood seems to be the event that is asked for.
  fileprivate func isLikely(eventId: String, room: String) -> Bool {
    let isKeyed = key?.elementsEqual(room.utf8) ?? false
    switch value {
    case .none: return false
    case .json(let json):
      guard let members = json.members else { return false }
      var isEvent = false
      var isRoom = isKeyed
      for member in members {
        let text = member.value.text?.description ?? member.value.integer.map(String.init)
        switch member.name.description {
        case "eventId": isEvent = text == eventId
        case "roomId": isRoom = isRoom || text == room
        default: break
        }
      }
      return isEvent && isRoom
    case .bytes(let bytes):
      return bytes.contains(eventId) && (isKeyed || bytes.contains(room))
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func contains(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard !wanted.isEmpty, count >= wanted.count else { return false }
    return (0...count - wanted.count).contains { self[$0...].starts(with: wanted) }
  }
}

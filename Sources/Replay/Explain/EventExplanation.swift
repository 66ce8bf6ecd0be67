import RoomEngine
import RoomModel
import Wire

/// Looks for certain events of a room, and follows what becomes of each.
struct EventExplanation: RoomObserver {
  private let sought: SoughtEvents
  let room: String
  private(set) var fates: [EventFate] = []
  /// Those that came after `limit` others.
  private(set) var moreCount = 0
  /// The last that was understood, by its id in the partition.
  private var lastUnderstood: [String: (record: SeenRecord, at: LogTime)] = [:]

  private static var limit: Int { 100 }

  init(_ sought: SoughtEvents, room: String) {
    self.sought = sought
    self.room = room
  }

  func wantsPicture(at offset: Int64, in partition: PartitionReplay) -> Bool { false }

  mutating func see(_ step: RoomStep, in partition: PartitionReplay) {
    let log = partition.name
    for index in fates.indices where fates[index].log == log && !fates[index].isSettled {
      fates[index].follow(step, in: partition)
    }
    guard case .event(let event, let record, let arrival) = step.cause, sought.contain(event) else { return }
    let before = lastUnderstood.updateValue((record, step.at), forKey: "\(log)/\(event.eventId)")
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
    guard sought.seemToContain(record, room: room) else { return }
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

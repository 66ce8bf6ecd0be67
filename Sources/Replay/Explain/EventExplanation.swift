import RoomEngine
import RoomModel
import Wire

/// Looks for certain events of a room, and follows what becomes of each.
struct EventExplanation: RoomObserver {
  private var sought: SoughtEvents
  let room: String
  private(set) var traces: [EventTrace] = []
  /// The count of events after the first `limit`.
  private(set) var moreCount = 0
  /// The last that was understood, by its id in the partition.
  private var lastUnderstood: [String: (record: SeenRecord, at: LogTime)] = [:]

  private static var limit: Int { 100 }

  init(_ sought: SoughtEvents, room: String) {
    self.sought = sought
    self.room = room
  }

  func wantsPicture(at offset: Int64, in partition: PartitionReplay) -> Bool { false }

  mutating func observe(_ step: RoomStep, in partition: PartitionReplay) {
    let partitionName = partition.name
    for index in traces.indices where traces[index].partitionName == partitionName && !traces[index].isSettled {
      traces[index].follow(step, in: partition)
    }
    guard case .event(let event, let record, let arrival) = step.cause, sought.matches(event) else { return }
    let before = lastUnderstood.updateValue((record, step.at), forKey: "\(partitionName)/\(event.eventId)")
    guard traces.count < Self.limit else {
      moreCount += 1
      return
    }
    var trace = EventTrace(record, partitionName: partitionName, room: room, at: step.at, words: event.words)
    if case .duplicate = arrival {
      trace.addDuplicate(of: before, window: partition.engine.settings.dedupe.windowMs)
    } else {
      trace.addArrival(of: event, arrival, room: room, in: partition)
      trace.follow(step.commands, cause: step.cause, at: step.at, in: partition)
    }
    traces.append(trace)
  }

  mutating func observeDeadLetter(_ record: LogRecord, _ reason: NotUnderstood, in partition: PartitionReplay) {
    guard sought.mayMatch(record, room: room) else { return }
    guard traces.count < Self.limit else {
      moreCount += 1
      return
    }
    let seen = SeenRecord(
      name: partition.name(ofRecord: record.offset), offset: record.offset, timestampMs: record.timestampMs)
    var trace = EventTrace(
      seen, partitionName: partition.name, room: room, at: partition.engine.clock,
      words: "a record that can't be understood")
    trace.addDeadLetter(reason, topic: partition.topic)
    traces.append(trace)
  }

  /// Tells where stories stand that are not over.
  mutating func end(_ partitions: [PartitionReplay], room: Text) {
    for index in traces.indices where !traces[index].isSettled {
      guard let partition = partitions.first(where: { $0.name == traces[index].partitionName }) else { continue }
      traces[index].addStanding(in: partition, room: room)
    }
  }
}

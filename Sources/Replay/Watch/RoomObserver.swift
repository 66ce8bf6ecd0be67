import RoomEngine
import RoomModel
import Wire

/// Observes what happens in one room, step by step.
protocol RoomObserver {
  /// Whether the steps up to an event of the room and of the event are wanted one by one. If not, all of them are played
  /// at once, and `note(passed:)` is called.
  func wantsSteps(to event: RoomEvent) -> Bool
  /// The same up to any other record.
  var wantsSteps: Bool { get }

  /// Whether the message of an event of the room is wanted, where a mapping has read it.
  func wantsMessage(of event: RoomEvent) -> Bool

  /// Whether of all that is still to come only the number of events counts: `count` is called for each of the room.
  var isCounting: Bool { get }
  mutating func count(_ event: RoomEvent)

  /// Called where steps were not wanted.
  mutating func note(passed event: RoomEvent)

  /// Whether the next step, whose commands will be named after that record, is wanted with the room as it was before.
  func wantsPicture(at offset: Int64, in partition: PartitionReplay) -> Bool

  /// Called with the room as it is where the log goes on from a state.
  mutating func observeBeginning(_ picture: RoomPicture, of partition: PartitionReplay)

  /// Called where it is not known exactly how the room stood, with the reason in a line.
  mutating func observeDoubt(_ why: String, of partition: PartitionReplay)

  /// The room's partition stands as it does after the step.
  mutating func observe(_ step: RoomStep, in partition: PartitionReplay)

  /// An event of another room.
  mutating func observe(elsewhere event: RoomEvent, _ record: LogRecord, in partition: PartitionReplay)

  /// A record that can't be understood, of whichever room.
  mutating func observeDeadLetter(_ record: LogRecord, _ reason: NotUnderstood, in partition: PartitionReplay)
}

extension RoomObserver {
  func wantsMessage(of event: RoomEvent) -> Bool { false }
  var isCounting: Bool { false }
  mutating func count(_ event: RoomEvent) {}
  func wantsSteps(to event: RoomEvent) -> Bool { true }
  var wantsSteps: Bool { true }
  mutating func note(passed event: RoomEvent) {}
  mutating func observeDoubt(_ why: String, of partition: PartitionReplay) {}
  mutating func observe(elsewhere event: RoomEvent, _ record: LogRecord, in partition: PartitionReplay) {}
  mutating func observeBeginning(_ picture: RoomPicture, of partition: PartitionReplay) {}
}

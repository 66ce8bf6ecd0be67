import JSON
import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// Looks for certain events of a room, and follows what becomes of each.
struct EventExplanation: RoomObserver {
  private let sought: SoughtEvents
  /// The user that is asked about, as if that were a name; nil: none is.
  private var soughtName: [UInt8]?
  let room: ID
  private(set) var traces: [EventTrace] = []
  /// Indices of traces that are not settled.
  private var open: [Int] = []
  /// The count of events after the first `limit`.
  private(set) var moreCount = 0
  /// Those that were understood by what tells duplicates, each while its window ends after those of all later ones; and
  /// the last by its id alone.
  private var seen: [Identity: [Seen]] = [:]
  private var lastOfId: [Identity: Seen] = [:]

  /// `windowMs`: that in which another is a duplicate.
  typealias Seen = (record: SeenRecord, at: LogTime, words: String, windowMs: Milliseconds)

  /// STAGES.md, section 2.
  private struct Identity: Hashable {
    let partition: String
    let eventId: ID
    var kind: EventKind?
    var user: ID?
  }

  private var retracts: [String: RememberedRetracts] = [:]

  private static var limit: Int { 100 }

  init(_ sought: SoughtEvents, room: ID) {
    self.sought = sought
    self.room = room
    if case .ofUser(let user) = sought { soughtName = Array(user.string.utf8) }
  }

  func wantsPicture(at offset: Int64, in partition: PartitionReplay) -> Bool { false }

  /// Most of a log goes by while no story is open.
  var wantsSteps: Bool { !open.isEmpty }

  func wantsSteps(to event: RoomEvent) -> Bool {
    guard open.isEmpty else { return true }
    if case .retract = event.body { return true }
    return sought.matches(event)
  }

  func wantsMessage(of event: RoomEvent) -> Bool { traces.count < Self.limit && sought.matches(event) }

  /// No more stories are followed, and none is open.
  var isCounting: Bool { traces.count >= Self.limit && open.isEmpty }

  mutating func count(_ event: RoomEvent) {
    if sought.matches(event) { moreCount += 1 }
  }

  mutating func note(passed event: RoomEvent) { noteNamesake(event) }

  mutating func observe(_ step: RoomStep, in partition: PartitionReplay) {
    let partitionName = partition.name
    defer {
      partition.holders.isAsked = open.contains {
        traces[$0].partitionName == partitionName && traces[$0].isWaiting
      }
    }
    for index in open where traces[index].partitionName == partitionName {
      traces[index].follow(step, in: partition)
    }
    open.removeAll { traces[$0].isSettled }
    guard case .event(let event, let record, let arrival) = step.cause else { return }
    if case .retract(let retract) = event.body, case .retract(let taken) = arrival {
      retracts[partitionName, default: RememberedRetracts()].note(
        retract, took: taken, record, at: step.at, rememberedMs: partition.settings(of: room).dedupe.windowMs)
    }
    guard sought.matches(event) else { return noteNamesake(event) }
    var identity = Identity(partition: partitionName, eventId: ID(event.eventId))
    let seen = (record: record, at: step.at, words: event.words, windowMs: partition.engine.settings.dedupe.windowMs)
    let sameId = event.eventId.isEmpty ? nil : lastOfId.updateValue(seen, forKey: identity)
    (identity.kind, identity.user) = (event.body.kind, event.userId.map { ID($0) })
    // A window that has begun keeps its length.
    let before = event.eventId.isEmpty ? nil : self.seen[identity]
    if !event.eventId.isEmpty {
      self.seen[identity] = (before ?? []).filter { $0.at + $0.windowMs > seen.at + seen.windowMs } + [seen]
    }
    guard traces.count < Self.limit else {
      moreCount += 1
      return
    }
    var trace = EventTrace(record, partitionName: partitionName, room: room, at: step.at, words: event.words)
    if case .duplicate = arrival {
      trace.addDuplicate(of: before?.last { $0.at + $0.windowMs > step.at })
    } else {
      trace.addArrival(
        of: event, arrival, step,
        keptAwayBy: (retracts[partitionName] ?? RememberedRetracts()).words(for: event, at: step.at), in: partition)
      if before == nil, let sameId { trace.addOther(ofThatId: sameId) }
      trace.follow(step, in: partition)
    }
    if !trace.isSettled { open.append(traces.count) }
    traces.append(trace)
  }

  /// The count of events by each user whose name was asked for as if it were an id.
  private(set) var namesakes: [ID: Int] = [:]

  private mutating func noteNamesake(_ event: RoomEvent) {
    guard let soughtName, let id = event.userId, event.body.senderName?.bytes.isSame(as: soughtName) ?? false else {
      return
    }
    namesakes[ID(id), default: 0] += 1
  }

  mutating func observeDeadLetter(_ record: LogRecord, _ reason: NotUnderstood, in partition: PartitionReplay) {
    let mapped = partition.mapping.map(record.mapped)
    guard sought.mayMatch(record, room: room, mapped) else { return }
    guard traces.count < Self.limit else {
      moreCount += 1
      return
    }
    var seen = SeenRecord(
      name: partition.name(ofRecord: record.offset), offset: record.offset, timestampMs: record.timestampMs)
    seen.message = mapped.flatMap { ForeignMessage(record, $0) }
    var trace = EventTrace(
      seen, partitionName: partition.name, room: room, at: partition.engine.clock,
      words: "a record that can't be understood")
    trace.addDeadLetter(reason, topic: partition.topic)
    traces.append(trace)
  }

  /// The first record of another room that has the id which is looked for, and that room.
  private(set) var elsewhere: (record: String, room: ID)?

  mutating func observe(elsewhere event: RoomEvent, _ record: LogRecord, in partition: PartitionReplay) {
    guard elsewhere == nil, case .withId = sought, sought.matches(event) else { return }
    elsewhere = (partition.name(ofRecord: record.offset), ID(event.roomId))
  }

  /// Tells where stories stand that are not over.
  mutating func end(_ partitions: [PartitionReplay], room: Text) {
    for index in open {
      guard let partition = partitions.first(where: { $0.name == traces[index].partitionName }) else { continue }
      traces[index].addStanding(in: partition, room: room)
    }
  }
}

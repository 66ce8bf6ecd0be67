package import Kafka
import RoomEngine
package import RoomModel
package import RoomScreen
package import Settings
import Wire

/// Replays a log to explain why a command of a room was sent, or what became of an event.
package struct Explainer: ~Copyable {
  package enum Question: Equatable, Sendable {
    case command(CommandName)
    /// All that had this id.
    case event(ID)
    /// All that this user sent.
    case user(ID)
    /// The room at this log time.
    case moment(LogTime)
  }

  private let room: ID
  private let question: Question
  private var watch: RoomWatch<Both>
  private var moment: MomentExplanation?
  /// It may be answered before the log ends. Asked for each record, where a look at the answer would cost more.
  private let endsEarly: Bool
  /// A saved log is all that there is: after its last line nothing is known, and none of it can be left out.
  private let isOfFile: Bool
  /// The first records that were looked at, of partitions that are played from a later one on.
  private var lookedFrom: [String: Int64] = [:]

  /// - Parameters:
  ///   - settings: those in force before the first line.
  ///   - hashSeed: anything. Nothing that comes out depends on it.
  package init(
    _ question: Question, room: ID, settings: LogSettings, hashSeed: UInt64, isOfFile: Bool = false
  ) {
    self.room = room
    self.isOfFile = isOfFile
    self.question = question
    var both = Both()
    switch question {
    case .command(let name): both.command = CommandExplanation(name)
    case .event(let id): both.event = EventExplanation(.withId(id), room: room)
    case .user(let id): both.event = EventExplanation(.ofUser(id), room: room)
    case .moment(let time): moment = MomentExplanation(at: time)
    }
    endsEarly = both.event == nil
    watch = RoomWatch(room: room, settings: settings, hashSeed: hashSeed, observer: both)
  }

  /// True: nothing that comes later can change the answer.
  package var isAnswered: Bool {
    guard let command = watch.observer.command else { return false }
    // Commands after the next record are named after that one.
    return command.finding != nil
      || watch.partitions.contains { $0.isOf(command.name) && $0.engine.lastOffset > command.name.offset }
  }

  /// True: nothing that was played has to do with the question.
  package var hasNoResult: Bool {
    if moment != nil {
      return room.withText { room in watch.partitions.allSatisfy { $0.engine.picture(of: room).isEmpty } }
    }
    return watch.observer.event.map { $0.traces.isEmpty && $0.namesakes.isEmpty } ?? false
  }

  /// The reason why the room at the moment that was asked for isn't known: the log begins later; nil: it doesn't.
  package var tooLate: String? { moment?.tooLate(watch.partitions) }

  /// The reason why the room at the moment that was asked for isn't known: a saved log ends before it; nil: it doesn't.
  package var tooEarly: String? { isOfFile ? moment?.tooEarly : nil }

  /// Partitions that the answer is about and of which it is not exact, and in a line why.
  package var doubts: [(topic: String, partition: Int32, why: String)] {
    watch.doubts.filter { doubt in
      switch question {
      case .command(let name): doubt.partition.isOf(name)
      case .event, .user:
        // Where nothing was found it may have been anywhere.
        watch.observer.event.map { event in
          event.traces.isEmpty || event.traces.contains { $0.partitionName == doubt.partition.name }
        } ?? false
      case .moment: true
      }
    }.map { ($0.partition.topic, $0.partition.number, $0.why) }
  }

  /// The least rules under which anything was played.
  package var oldestRules: Int64 { watch.partitions.lazy.map(\.oldestRules).min() ?? LogRules.current }

  /// Plays one line.
  package mutating func play(_ line: LogLine) throws(BrokenLog) {
    if moment?.isPast(line) ?? false { return }
    try watch.play(line)
  }

  /// Plays a record as it lies in its partition. False: it must come as a line, or the question is answered.
  package mutating func take(_ record: StoredRecord, _ filter: RoughRoomFilter) -> Bool {
    if endsEarly, moment != nil || isAnswered { return false }
    let isOther = !filter.mayConcern(record) || watch.observer.isCounting && !filter.mayBeSought(record)
    return watch.take(record, isOther: isOther)
  }

  /// Fires every timer with a deadline up to then, that one included.
  package mutating func fire(to time: LogTime) {
    moment?.reached(time)
    if moment == nil { watch.fire(to: time) }
  }

  /// Notes that a partition was looked through from that record on, which is before those that are played.
  package mutating func note(lookedFrom offset: Int64, of partition: TopicPartition) {
    lookedFrom["\(partition.topic)/\(partition.partition)"] = offset
  }

  /// The partitions that the answer is about.
  package var answeredOf: [TopicPartition] {
    watch.partitions.filter { partition in
      switch question {
      case .command(let name): partition.isOf(name)
      case .event, .user: watch.observer.event?.traces.contains { $0.partitionName == partition.name } ?? false
      case .moment: room.withText { !partition.engine.picture(of: $0).isEmpty }
      }
    }.map { TopicPartition($0.topic, $0.number) }
  }

  /// The record of each event, and the parts of each of its waits.
  package var waits: [(record: Int64, parts: [[Range<LogTime>]])] {
    watch.observer.event?.traces.map { trace in
      (trace.record.offset, trace.waits.map { $0.stretches.map { $0.from..<$0.until } })
    } ?? []
  }

  /// The commands that the answer names, which are worth holding against those that were published.
  package func namedCommands() -> [ReplayedCommand] {
    switch question {
    case .command: watch.observer.command?.finding.map { [$0.command] } ?? []
    case .event, .user: watch.observer.event?.traces.flatMap { $0.lines.compactMap(\.replayed) } ?? []
    case .moment: watch.observer.lastCommands.values.map { $0 }
    }
  }

  /// The reason why a replay can't answer for the command: it differs from what was published; nil: it doesn't, or that
  /// is not known.
  package func contradiction(_ published: PublishedCommands) -> String? {
    guard case .command(let name) = question else { return nil }
    let command = watch.observer.command?.finding?.command
    let why = oldestRules < LogRules.current ? "can't tell, since \(LogRules.changed(since: oldestRules)): " : ""
    switch (command, published[name]) {
    case (nil, .found(let found)): return "\(why)\(noAnswer); yet it was published: \(found.json.printable)"
    case (let command?, _):
      return command.otherwise(published).map {
        "\(why)no explanation of \(name): a replay gives \(command.json.printable), which was \($0)"
      }
    default: return nil
    }
  }

  /// Explains. Nil: the played lines have no such command or event.
  package mutating func explain(published: PublishedCommands = PublishedCommands()) -> String? {
    switch question {
    case .command(let name):
      guard let finding = watch.observer.command?.finding else { return nil }
      let (notes, rows) = Self.rows(of: finding, published)
      let lines = notes + ["command \(name) of room \(room.printable)", finding.command.json.printable, ""]
      return (lines + rows.map { ($0.place.padded(to: 11) + $0.words).trimmed }).joined(separator: "\n") + "\n"
    case .event(let id): return explainEvents("event \(id.printable) of room \(room.printable)", published)
    case .user(let id): return explainEvents("what user \(id.printable) did in room \(room.printable)", published)
    case .moment:
      guard endMoment(), let moment else { return nil }
      let notes = moment.notes(watch.partitions, watch.observer.lastCommands, published)
      return room.withText { moment.text(watch.partitions, room: $0, notes) }
    }
  }

  /// The same, for programs.
  package mutating func answer(published: PublishedCommands = PublishedCommands()) -> Answer? {
    var answer = Answer(room: room)
    switch question {
    case .command(let name):
      guard let finding = watch.observer.command?.finding else { return nil }
      let (notes, rows) = Self.rows(of: finding, published)
      var publishedMs: LogTime?
      if case .found(let found) = published[name] { publishedMs = found.timeMs }
      answer.notes = notes
      answer.command = Answer.Command(
        command: name.description, json: finding.command.json, atMs: finding.command.atMs, publishedMs: publishedMs,
        rows: rows.filter { !$0.words.isEmpty }.map { Answer.Row((String($0.place.drop { $0 == " " }), $0.words)) })
    case .event, .user:
      watch.observer.endEvents(watch.partitions, room: room)
      guard let event = watch.observer.event, !event.traces.isEmpty else { return nil }
      answer.notes = Self.notes(of: event, published)
      answer.events = event.traces.map { Answer.Event($0, published) }
      answer.moreEvents = event.moreCount
    case .moment:
      guard endMoment(), let moment else { return nil }
      answer.notes = moment.notes(watch.partitions, watch.observer.lastCommands, published)
      answer.moment = room.withText { moment.answer(watch.partitions, room: $0) }
    }
    return answer
  }

  /// Fires the timers of the moment, once all before it was played. False: nothing is known of it.
  @discardableResult package mutating func endMoment() -> Bool {
    guard case .moment(let time) = question, !watch.partitions.isEmpty, tooLate == nil else { return false }
    if moment?.noteEnds(watch.partitions) ?? false { watch.fire(to: time) }
    return true
  }

  private static func rows(
    of finding: CommandExplanation.Finding, _ published: PublishedCommands
  ) -> (notes: [String], rows: [(place: String, words: String)]) {
    var rows = finding.rows
    let command = finding.command
    if case .found(let found) = published[command.name] {
      var words = "\(found.timeMs.dateAndClock), \(found.timeMs - command.atMs) ms after its log time"
      if found.isLate(command.atMs) { words += ": LATE. \(whyLate)" }
      rows.insert(("published", words), at: 1)
    }
    guard case .pending(let standing) = published[command.name] else {
      return ([published.notCompared([command])].compactMap(\.self), rows)
    }
    return (["not yet: \(standing.words); this is what it will send"], rows)
  }

  private mutating func explainEvents(_ head: String, _ published: PublishedCommands) -> String? {
    watch.observer.endEvents(watch.partitions, room: room)
    guard let event = watch.observer.event, !event.traces.isEmpty else { return nil }
    return Self.text(of: event, head, published, isOfFile: isOfFile)
  }

  /// The ranges that were read in vain.
  private var whatWasRead: String {
    guard watch.partitions.contains(where: { $0.firstOffset != nil }) else {
      return "in what was read, which is nothing: see --from, --to and --topic"
    }
    let partitions = watch.partitions.prefix(8).map { partition in
      guard let first = partition.firstOffset else { return "\(partition.name) (nothing was read)" }
      let from = min(first, lookedFrom[partition.name] ?? first)
      return "\(partition.name) from \(from) to \(partition.engine.lastOffset)"
    }
    return "in what was read: \(partitions.joined(separator: ", "))" + (watch.partitions.count > 8 ? ", …" : "")
  }

  /// Words for a room of which nothing was read; empty: something was.
  private var isRoomsName: String {
    watch.isRoomKnown || !watch.partitions.contains { $0.firstOffset != nil }
      ? "" : ", nor is anything there of a room \(room.printable): is that its name?"
  }

  /// The reason why there is no answer.
  package var noAnswer: String {
    let room = room.printable
    switch question {
    case .moment: return tooLate ?? "nothing of room \(room) is known \(whatWasRead)"
    case .event(let id):
      let elsewhere = watch.observer.event?.elsewhere.map {
        "\(isRoomsName.isEmpty ? ";" : "") \($0.record) of room \($0.room.printable) has it"
      }
      return "no event of room \(room) has the id \(id.printable) \(whatWasRead)\(isRoomsName)\(elsewhere ?? "")"
    case .user(let id) where !(watch.observer.event?.namesakes.isEmpty ?? true):
      let users = watch.observer.event!.namesakes.sorted { $0.key < $1.key }.map {
        "\($0.key.string.printable) (\(counted($0.value, "event")))"
      }
      return
        "no user of room \(room) has the id \(id.printable) \(whatWasRead); give one of the ids that go by that name: "
        + users.joined(separator: ", ")
    case .user(let id): return "user \(id.printable) did nothing in room \(room) \(whatWasRead)\(isRoomsName)"
    case .command(let name):
      let seen = watch.observer.command
      if let count = seen?.seenThere {
        return "after record \(name.topic)/\(name.partition)/\(name.offset) room \(room) has \(count) commands, "
          + "0…\(count - 1); there is no \(name.place)"
      }
      guard let partition = watch.partitions.first(where: { $0.isOf(name) }), partition.firstOffset != nil else {
        return "nothing of \(name.topic)/\(name.partition) was read, where command \(name) comes from"
      }
      if partition.engine.lastOffset > name.offset {
        let record = "\(name.topic)/\(name.partition)/\(name.offset)"
        return "no command of room \(room) came after record \(record) and before the next\(isRoomsName)"
      }
      return "room \(room) has no command \(name) in what was read, which ends with record "
        + partition.name(ofRecord: partition.engine.lastOffset)
    }
  }
}

/// The one or the other, changed where it lies.
private struct Both: RoomObserver {
  var command: CommandExplanation?
  var event: EventExplanation?
  /// Of a moment: the room's last command before it, by partition.
  private(set) var lastCommands: [String: ReplayedCommand] = [:]

  func wantsSteps(to event: RoomEvent) -> Bool { command != nil || self.event?.wantsSteps(to: event) ?? true }

  var wantsSteps: Bool { command != nil || event?.wantsSteps ?? true }

  func wantsMessage(of event: RoomEvent) -> Bool { self.event?.wantsMessage(of: event) ?? false }

  var isCounting: Bool { event?.isCounting ?? false }

  mutating func count(_ event: RoomEvent) { self.event?.count(event) }

  mutating func note(passed event: RoomEvent) { self.event?.note(passed: event) }

  func wantsPicture(at offset: Int64, in partition: PartitionReplay) -> Bool {
    command?.wantsPicture(at: offset, in: partition) ?? false
  }

  mutating func observe(_ step: RoomStep, in partition: PartitionReplay) {
    command?.observe(step, in: partition)
    event?.observe(step, in: partition)
    guard command == nil, event == nil, let last = step.commands.last else { return }
    lastCommands[partition.name] = ReplayedCommand(
      name: CommandName(partition, last), atMs: last.atMs, json: partition.json(of: last))
  }

  mutating func observe(elsewhere event: RoomEvent, _ record: LogRecord, in partition: PartitionReplay) {
    self.event?.observe(elsewhere: event, record, in: partition)
  }

  mutating func observeDeadLetter(_ record: LogRecord, _ reason: NotUnderstood, in partition: PartitionReplay) {
    event?.observeDeadLetter(record, reason, in: partition)
  }

  mutating func endEvents(_ partitions: [PartitionReplay], room: ID) {
    room.withText { event?.end(partitions, room: $0) }
  }
}

import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// Tells what stands in a room at a moment of log time.
struct MomentExplanation {
  let at: LogTime
  /// Partitions that came to records or firings after the moment, of which nothing more is played.
  private var past: Set<String> = []
  /// The log's time where partitions stood when the last that is played had been, before timers of the moment fired.
  private var ends: [String: LogTime] = [:]
  /// The time up to which the log goes, of whichever partition.
  private var end = LogTime.min

  init(at: LogTime) { self.at = at }

  /// Whether the line comes after the moment.
  mutating func isPast(_ line: LogLine) -> Bool {
    let name = "\(line.topic)/\(line.partition)"
    switch line.content {
    case .record(let record): reached(record.timestampMs)
    case .firedTo(let time, _): reached(time)
    case .settings, .state, .doubt: break
    }
    switch line.content {
    case .record(let record) where record.timestampMs > at: past.insert(name)
    case .firedTo(let time, _) where time > at: past.insert(name)
    case .record, .firedTo, .settings, .state, .doubt: break
    }
    return past.contains(name)
  }

  /// Notes the ends of the partitions, before the timers of the moment fire. False: they are noted.
  mutating func noteEnds(_ partitions: [PartitionReplay]) -> Bool {
    if !ends.isEmpty { return false }
    for partition in partitions { ends[partition.name] = partition.engine.clock }
    return true
  }

  /// Notes that the log goes that far.
  mutating func reached(_ time: LogTime) { end = max(end, time) }

  /// A log that ends before the moment, in a line; nil: it doesn't.
  var tooEarly: String? {
    if end >= at { return nil }
    return end == .min ? "the log has no record" : "the log ends at \(end.dateAndClock), before that moment"
  }

  /// A line for each worker that has not come so far: it has yet to read a record, or to fire timers that are due since.
  ///
  /// - Parameter last: the room's last command before the moment, by partition.
  func notes(
    _ partitions: [PartitionReplay], _ last: [String: ReplayedCommand], _ published: PublishedCommands
  ) -> [String] {
    let gone = [published.notCompared(Array(last.values))].compactMap(\.self)
    return gone
      + published.standings.compactMap { standing in
        let isAhead = partitions.contains {
          $0.name == standing.partition && $0.firstOffset != nil && $0.engine.lastOffset >= standing.offset
        }
        let isPending =
          if let command = last[standing.partition], case .pending = published[command.name] { true } else { false }
        return isAhead || isPending ? "not yet: \(standing.words); this is what will be on the screen" : nil
      }
  }

  /// A partition that begins after the moment, in a line; nil: none does.
  func tooLate(_ partitions: [PartitionReplay]) -> String? {
    // Nothing after the moment is played, but a state may be of later.
    guard let partition = partitions.first(where: { $0.engine.clock > at }) else { return nil }
    return "\(partition.name) begins here at \(partition.engine.clock.dateAndClock), after that moment"
  }

  func text(_ partitions: [PartitionReplay], room: Text, _ notes: [String]) -> String {
    let answer = answer(partitions, room: room)
    var lines = ["room \(room.description.printable) at \(at.dateAndClock), log time \(at)"] + notes + [answer.sentence]
    for partition in answer.partitions {
      lines += ["", "\(partition.partition): \(partition.words)"]
      lines += partition.rows.map { "  \($0.name.padded(to: 11))\($0.words)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  func answer(_ partitions: [PartitionReplay], room: Text) -> Answer.Moment {
    let pictures = partitions.map { (partition: $0, picture: $0.engine.picture(of: room)) }
    let seen = pictures.filter { !$0.picture.isEmpty }
    return Answer.Moment(
      atMs: at, sentence: Self.sentence(seen.map(\.picture)),
      partitions: (seen.isEmpty ? pictures : seen).map { partition, picture in
        let end = ends[partition.name] ?? .min
        let last =
          partition.engine.lastOffset < 0
          ? "no record of it came before"
          : "its last record by then is \(partition.name(ofRecord: partition.engine.lastOffset))"
            + (end > .min ? ", when the log was at \(min(end, at).clock)" : "")
        return Answer.Partition(
          partition: partition.name, words: last,
          rows: rows(of: picture, in: partition, room: room))
      })
  }

  /// All that is there, however much is queued.
  private func rows(of picture: RoomPicture, in partition: PartitionReplay, room: Text) -> [Answer.Row] {
    picture.lines(
      partitionName: partition.name, holders: partition.holders, limit: .max,
      packets: { $0.withText { partition.engine.packets(inTheAirOf: $0, in: room) } }
    ).map { Answer.Row($0) }
  }

  /// `On the screen: 2 gift views, 1 banner. Queued: 3 combos.`
  private static func sentence(_ pictures: [RoomPicture]) -> String {
    func count(_ number: (RoomPicture) -> Int) -> Int { pictures.reduce(0) { $0 + number($1) } }
    func words(_ parts: [(Int, String)]) -> String? {
      let some = parts.filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
      return some.isEmpty ? nil : some.joined(separator: ", ")
    }
    let shown = words([
      (count { $0.lanes.count { $0 != nil } }, "gift view"), (count { $0.flying.count }, "banner"),
      (count { $0.rains.reduce(0) { $0 + Int($1.inTheAir) } }, "packet"),
      (count { $0.spot == nil ? 0 : 1 }, "item of the spot"),
      (count { $0.crowds.count { $0.isShown } }, "crowd"), (count { $0.pins.count }, "pin"),
      (count { $0.goals.count }, "goal"),
    ])
    let queued = words([
      (count { $0.queue.count }, "combo"), (count { $0.wishQueue.count }, "wish"),
      (count { $0.spotQueue.count }, "item"), (count { $0.crowds.count { !$0.isShown } }, "crowd"),
    ])
    return "On the screen: \(shown ?? "nothing")." + (queued.map { " Queued: \($0)." } ?? "")
  }
}

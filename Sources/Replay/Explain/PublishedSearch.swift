import JSON
import Kafka
import RoomModel
package import RoomScreen
import Wire

/// Looks for commands of a room where they are published. The commands of a log lie there in its order, so halving finds
/// a place, and little is read however much there is.
package final class PublishedSearch {
  /// The count of records read so far: the cost of the searches.
  package private(set) var recordsRead = 0

  private let room: ID
  private let stream: any PartitionStream
  private let partitions: [TopicPartition]
  /// The one where the room's key belongs.
  private let home: Int
  /// The one that is searched now.
  private var partition: TopicPartition
  private var extent: Range<Int64>
  private var decoder = CommandDecoder()
  private var json = ByteBuffer()
  /// The next record of the stream; nil: it reads nothing.
  private var position: Int64?
  /// The earliest records of which commands of the log were seen, and of the room's among them.
  private var firstSeen = (ofLog: Int64.max, ofRoom: Int64.max)

  private let near: Int64
  /// The more, the less is read ahead: most of it would be for nothing.
  private static let shares = 64

  private struct Log: Hashable {
    let topic: String
    let partition: Int32
  }

  /// A command that is not in the room's partition.
  private struct Missed {
    let name: CommandName
    /// What the log published just before it and just after it has these times; nil: there is nothing.
    let afterMs: Int64?
    let beforeMs: Int64?
  }

  /// - Parameters:
  ///   - topic: the topic in which commands are published.
  ///   - near: the number of records that are sooner read through than fetched anew: a broker sends whole batches.
  package init(in topic: String, room: ID, near: Int64 = 2048, _ logs: any LogStore) throws {
    self.room = room
    self.near = near
    stream = try logs.connect(streams: Self.shares).newStream()
    let count = try stream.partitionCount(of: topic)
    partitions = (0..<count).map { TopicPartition(topic, $0) }
    home = Int(room.withText { Murmur2.partition(key: $0.bytes, partitions: count) })
    partition = partitions[home]
    extent = 0..<0
  }

  /// - Parameter standings: where the worker stood before the search began, of each log that is known of.
  package func find(
    _ names: [CommandName], _ standings: [PublishedCommands.Standing] = []
  ) throws -> PublishedCommands {
    var published = PublishedCommands()
    for (log, names) in Dictionary(grouping: Set(names), by: { Log(topic: $0.topic, partition: $0.partition) }) {
      try find(
        names.sorted { ($0.offset, $0.place) < ($1.offset, $1.place) }, of: log,
        standings.first { $0.partition == "\(log.topic)/\(log.partition)" }, into: &published)
    }
    stream.stop()
    position = nil
    published.noteSought(names)
    return published
  }

  /// - Parameter names: in their order.
  private func find(
    _ names: [CommandName], of log: Log, _ standing: PublishedCommands.Standing?,
    into published: inout PublishedCommands
  ) throws {
    firstSeen = (.max, .max)
    try turn(to: home)
    var missed = try search(names, of: log, into: &published)
    let isCut = extent.lowerBound > 0 && !missed.isEmpty
    let first = try isCut ? next(of: log, extent)?.name.offset ?? .max : -1
    missed.removeAll { missed in
      guard let standing, missed.name.offset >= standing.offset else { return missed.name.offset <= first }
      published[missed.name] = .pending(standing)
      return true
    }
    let doubtful = try searchElsewhere(missed.filter { !isRoomSeen(before: $0.name) }, of: log, into: &published)
    for name in missed.lazy.map(\.name) where published.isUnknown(name) {
      // What came before the log's first command was published before this topic begins.
      guard name.offset > firstSeen.ofLog, isRoomSeen(before: name) || !doubtful.contains(name) else { continue }
      published[name] = .absent
    }
    if let standing { published.note(standing, topic: log.topic, partition: log.partition) }
  }

  /// A room keeps its partition until the topic grows: what comes after a command of it is where that is, or in its
  /// present partition.
  private func isRoomSeen(before name: CommandName) -> Bool { name.offset > firstSeen.ofRoom }

  private func turn(to index: Int) throws {
    partition = partitions[index]
    extent = try stream.extent(of: partition)
    position = nil
  }

  /// Looks in one partition.
  ///
  /// - Parameter names: in their order.
  /// - Returns: Those that it doesn't have.
  private func search(
    _ names: [CommandName], of log: Log, into published: inout PublishedCommands
  ) throws -> [Missed] {
    var passed = Passed(low: extent.lowerBound)
    var rest = names[...]
    var missed: [Missed] = []
    while let wanted = rest.first {
      try approach(wanted.offset, in: log, &passed)
      var end = passed.low + near
      while !rest.isEmpty, passed.low < end {
        guard let (name, command, at, timeMs) = try nextOne(of: log, before: extent.upperBound) else {
          missed += rest.map { Missed(name: $0, afterMs: passed.earlierMs, beforeMs: nil) }
          return missed
        }
        passed.note(name.offset, at: at, timeMs)
        let count = rest.count
        while let next = rest.first, next.offset < name.offset {
          missed.append(Missed(name: next, afterMs: passed.earlierMs, beforeMs: timeMs))
          rest.removeFirst()
        }
        if let command, let index = rest.firstIndex(of: name) {
          published[name] = .found(command)
          rest.remove(at: index)
        }
        // The next one may be near.
        if rest.count < count { end = passed.low + near }
      }
    }
    return missed
  }

  /// Looks in the other partitions: the room's commands from before the topic grew lie in one of them. What a log
  /// publishes has its order in time, too.
  ///
  /// - Parameter missed: in their order.
  /// - Returns: Those that may have been there, and deleted.
  private func searchElsewhere(
    _ missed: [Missed], of log: Log, into published: inout PublishedCommands
  ) throws -> Set<CommandName> {
    var spans: [(names: Set<CommandName>, times: ClosedRange<Int64>)] = []
    for one in missed {
      let from = one.afterMs.map { $0 - PublishedOutput.slackMs } ?? .min
      let to = max(from, one.beforeMs.map { $0 + PublishedOutput.slackMs } ?? .max)
      if let last = spans.last, from <= last.times.upperBound {
        let times = last.times.lowerBound...max(last.times.upperBound, to)
        spans[spans.count - 1] = (last.names.union([one.name]), times)
      } else {
        spans.append(([one.name], from...to))
      }
    }
    var doubtful: Set<CommandName> = []
    for (names, times) in spans {
      for index in partitions.indices where index != home {
        try turn(to: index)
        let first =
          times.lowerBound == .min
          ? extent.lowerBound : try stream.offset(of: partition, at: times.lowerBound) ?? extent.upperBound
        if first <= extent.lowerBound, extent.lowerBound > 0 { doubtful.formUnion(names) }
        guard first < extent.upperBound else { continue }
        try go(to: first)
        while let (name, command, _, timeMs) = try nextOne(of: log, before: extent.upperBound),
          timeMs <= times.upperBound
        {
          if let command, names.contains(name) { published[name] = .found(command) }
        }
      }
    }
    return doubtful
  }

  /// Goes to a place from which on the log's commands are of that record or later, or somewhat before it.
  private func approach(_ offset: Int64, in log: Log, _ passed: inout Passed) throws {
    var high = extent.upperBound
    while high - passed.low > near / 2 {
      let middle = passed.low + (high - passed.low) / 2
      if let (name, at, timeMs) = try probe(middle..<high, for: log), name.offset < offset {
        passed.note(name.offset, at: at, timeMs)
      } else {
        high = middle
      }
    }
    try go(to: passed.low)
  }

  /// The log's first command of a range, if it lies in the range's first sixteenth. A log that had nothing to publish for
  /// long has none there, and it would cost all the rest to know that. Where one lies further on, the search begins
  /// earlier than it could, and finds the same.
  private func probe(_ range: Range<Int64>, for log: Log) throws -> (name: CommandName, at: Int64, timeMs: Int64)? {
    let count = max(near, Int64(range.count) / 16)
    return try next(of: log, range.lowerBound..<min(range.upperBound, range.lowerBound + count))
  }

  private func next(of log: Log, _ range: Range<Int64>) throws -> (name: CommandName, at: Int64, timeMs: Int64)? {
    try go(to: range.lowerBound)
    return try nextOne(of: log, before: range.upperBound).map { ($0.name, $0.at, $0.timeMs) }
  }

  private func go(to place: Int64) throws {
    if let position, (0...near).contains(place - position) {
      while let record = try stream.peek(), record.offset < place { stream.advance() }
    } else {
      try stream.start(partition, place..<extent.upperBound)
    }
    position = place
  }

  /// The next command of the log; its contents, if it is of the room.
  private func nextOne(
    of log: Log, before end: Int64
  ) throws -> (name: CommandName, command: PublishedCommand?, at: Int64, timeMs: Int64)? {
    while let record = try stream.peek(), record.offset < end {
      defer { stream.advance() }
      recordsRead += 1
      position = record.offset + 1
      // Passes over an unreadable record: it is none of those that are asked for.
      guard let value = record.value, let found = try? decoder.decode(value: value, contentType: record.contentType),
        found.partition == log.partition, found.topic.description == log.topic
      else { continue }
      let name = CommandName(
        topic: log.topic, partition: log.partition, offset: found.command.recordOffset, place: found.command.place)
      firstSeen.ofLog = min(firstSeen.ofLog, name.offset)
      guard room == found.command.roomId else { return (name, nil, record.offset, record.timestampMs) }
      firstSeen.ofRoom = min(firstSeen.ofRoom, name.offset)
      let command = PublishedCommand(timeMs: record.timestampMs, json: text(of: found.command, record, log))
      return (name, command, record.offset, record.timestampMs)
    }
    return nil
  }

  private func text(of command: RoomCommand, _ record: StoredRecord, _ log: Log) -> String {
    let type = record.contentType
    guard type.map({ Format(contentType: $0) }) == .protobuf else {
      return record.value.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    json.removeAll()
    CommandEncoder(topic: log.topic, partition: log.partition, format: .json).encode(command, into: &json)
    return json.text.description
  }
}

/// The part of a partition that was passed over.
private struct Passed {
  /// The log's commands before it are of earlier records than the one that is looked for.
  var low: Int64
  /// The record that the last command was named after, and the command's time.
  private var last: (offset: Int64, timeMs: Int64)?
  /// The time of one of the log's commands that is of an earlier record than the last.
  private(set) var earlierMs: Int64?

  init(low: Int64) { self.low = low }

  mutating func note(_ offset: Int64, at: Int64, _ timeMs: Int64) {
    low = max(low, at + 1)
    if let last, offset > last.offset { earlierMs = last.timeMs }
    last = (offset, timeMs)
  }
}

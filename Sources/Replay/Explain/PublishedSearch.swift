import Kafka
import RoomModel
package import RoomScreen
import Wire

/// Looks for commands of a room where they are published. The commands of a log lie there in its order, and about as
/// densely everywhere, so a place is estimated and little is read however much there is.
package final class PublishedSearch {
  /// The count of records read so far: the cost of the searches.
  package private(set) var recordsRead = 0

  private let room: ID
  private let stream: any PartitionStream
  private let partition: TopicPartition
  private let extent: Range<Int64>
  private var decoder = CommandDecoder()
  private var json = ByteBuffer()
  /// The next record of the stream; nil: it reads nothing.
  private var position: Int64?

  private let near: Int64
  /// The more, the less is read ahead: most of it would be for nothing.
  private static let shares = 64

  private struct Log: Hashable {
    let topic: String
    let partition: Int32
  }

  /// - Parameters:
  ///   - topic: the topic in which commands are published.
  ///   - near: the number of records that are sooner read through than fetched anew: a broker sends whole batches.
  package init(in topic: String, room: ID, near: Int64 = 2048, _ logs: any LogStore) throws {
    self.room = room
    self.near = near
    stream = try logs.connect(streams: Self.shares).newStream()
    let count = try stream.partitionCount(of: topic)
    partition = TopicPartition(topic, room.withText { Murmur2.partition(key: $0.bytes, partitions: count) })
    extent = try stream.extent(of: partition)
  }

  package func find(_ names: [CommandName]) throws -> PublishedCommands {
    var published = PublishedCommands()
    for (log, names) in Dictionary(grouping: Set(names), by: { Log(topic: $0.topic, partition: $0.partition) }) {
      try find(names.sorted { ($0.offset, $0.place) < ($1.offset, $1.place) }, of: log, into: &published)
    }
    stream.stop()
    position = nil
    return published
  }

  /// - Parameter names: in their order.
  private func find(_ names: [CommandName], of log: Log, into published: inout PublishedCommands) throws {
    let first = extent.lowerBound > 0 ? try next(of: log, extent)?.name.offset ?? .max : -1
    var bounds = Bounds(Mark(at: extent.lowerBound, offset: max(0, first)), end: extent.upperBound)
    if let (name, at) = try next(of: log, max(extent.lowerBound, extent.upperBound - near / 4)..<extent.upperBound) {
      bounds.last = Mark(at: at, offset: name.offset)
    }
    var rest = names[...]
    func miss(_ name: CommandName) { published[name] = name.offset > first ? .absent : .unknown }
    while let wanted = rest.first {
      try approach(wanted.offset, in: log, &bounds)
      var (isNear, limit) = (true, bounds.low + 2 * near)
      while isNear, bounds.low < limit {
        guard let (name, command, at) = try nextOne(of: log, before: extent.upperBound) else {
          bounds.low = extent.upperBound
          break
        }
        bounds.pass(Mark(at: at, offset: name.offset))
        let count = rest.count
        while let missed = rest.first, missed.offset < name.offset {
          miss(missed)
          rest.removeFirst()
        }
        if let command, let index = rest.firstIndex(of: name) {
          published[name] = .found(command)
          rest.remove(at: index)
        }
        guard rest.count < count else { continue }
        isNear = rest.first.map { bounds.isNear($0.offset, near) } ?? false
        limit = bounds.low + 2 * near
      }
      guard bounds.low >= extent.upperBound else { continue }
      rest.forEach(miss)
      rest = []
    }
  }

  /// Goes to a place from which on the log's commands are of that record or later, or somewhat before it.
  private func approach(_ offset: Int64, in log: Log, _ bounds: inout Bounds) throws {
    var steps = 0
    while !bounds.isNear(offset, near) {
      steps += 1
      // Every third goes by halves, however the commands may lie.
      let middle = steps % 3 == 0 ? bounds.middle : bounds.shortOf(offset, near)
      if let (name, at) = try next(of: log, middle..<bounds.high), name.offset < offset {
        bounds.pass(Mark(at: at, offset: name.offset))
      } else {
        bounds.high = middle
      }
    }
    try go(to: bounds.low)
    bounds.high = extent.upperBound
  }

  private func next(of log: Log, _ range: Range<Int64>) throws -> (name: CommandName, at: Int64)? {
    try go(to: range.lowerBound)
    return try nextOne(of: log, before: range.upperBound).map { ($0.name, $0.at) }
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
  ) throws -> (name: CommandName, command: PublishedCommand?, at: Int64)? {
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
      guard room == found.command.roomId else { return (name, nil, record.offset) }
      return (
        name, PublishedCommand(timeMs: record.timestampMs, json: text(of: found.command, record, log)), record.offset
      )
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

/// A command of the log where it lies.
private struct Mark {
  var at: Int64
  /// The record that it is named after.
  var offset: Int64
}

/// The part of a partition in which commands are looked for.
private struct Bounds {
  /// The log's commands before it are of earlier records.
  var low: Int64
  /// Those from there on are of the record that is looked for, or later.
  var high: Int64
  private var before: Mark
  /// A command near the end; nil: none was found there.
  var last: Mark?

  init(_ first: Mark, end: Int64) {
    (low, high, before) = (first.at, end, first)
  }

  mutating func pass(_ mark: Mark) {
    low = max(low, mark.at + 1)
    before = mark
  }

  var middle: Int64 { low + (high - low) / 2 }

  /// The place where the commands of that record should be, if they lie as densely everywhere.
  private func estimate(_ offset: Int64) -> Int64 {
    if offset <= before.offset { return low }
    guard let last, before.at < last.at else { return middle }
    guard offset < last.offset else { return min(max(low, last.at), high) }
    let share = Double(offset - before.offset) / Double(last.offset - before.offset)
    return min(max(low, before.at + Int64(share * Double(last.at - before.at))), high)
  }

  /// Somewhat before that place, the more the further it is.
  func shortOf(_ offset: Int64, _ near: Int64) -> Int64 {
    let place = estimate(offset)
    return max(low, place - min(near / 2, near / 16 + (place - low) / 16))
  }

  func isNear(_ offset: Int64, _ near: Int64) -> Bool { estimate(offset) - low <= near / 2 }
}

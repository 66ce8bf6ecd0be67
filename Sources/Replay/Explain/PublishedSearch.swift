import Kafka
import RoomModel
package import RoomScreen
import Wire

/// Looks for commands of a room where they are published. The commands of a log lie there in its order, so a place is
/// found by halves, and little is read however much there is.
package final class PublishedSearch {
  /// The count of records read so far: the cost of the searches.
  package private(set) var recordsRead = 0

  private let room: ID
  private let stream: any PartitionStream
  private let partition: TopicPartition
  private let extent: Range<Int64>
  private var decoder = CommandDecoder()
  private var json = ByteBuffer()

  /// The number of records that are few enough to be read through.
  private static let few: Int64 = 256
  /// The more, the less is read ahead: most of it would be for nothing.
  private static let shares = 64

  private struct Log: Hashable {
    let topic: String
    let partition: Int32
  }

  /// - Parameter topic: the topic in which commands are published.
  package init(in topic: String, room: ID, _ logs: any LogStore) throws {
    self.room = room
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
    return published
  }

  /// - Parameter names: in their order.
  private func find(_ names: [CommandName], of log: Log, into published: inout PublishedCommands) throws {
    let first = extent.lowerBound > 0 ? try next(of: log, extent)?.name.offset ?? .max : -1
    var (rest, low) = (names[...], extent.lowerBound)
    while let wanted = rest.first {
      low = try place(of: wanted.offset, in: log, from: low)
      try stream.start(partition, low..<extent.upperBound)
      var read: Int64 = 0
      // Looks for commands far behind by halves again.
      while !rest.isEmpty, read < 4 * Self.few {
        guard let (name, command, at) = try nextOne(of: log, &read) else {
          low = extent.upperBound
          break
        }
        low = at + 1
        while let missed = rest.first, missed.offset < name.offset {
          published[missed] = missed.offset > first ? .absent : .unknown
          rest.removeFirst()
        }
        guard let command, let index = rest.firstIndex(of: name) else { continue }
        published[name] = .found(command)
        rest.remove(at: index)
      }
      guard low >= extent.upperBound else { continue }
      for missed in rest { published[missed] = missed.offset > first ? .absent : .unknown }
      rest = []
    }
  }

  /// The place from which on the log's commands are of that record or later, or somewhat before it.
  private func place(of offset: Int64, in log: Log, from first: Int64) throws -> Int64 {
    var (low, high) = (first, extent.upperBound)
    while high - low > Self.few {
      let middle = low + (high - low) / 2
      if let (name, at) = try next(of: log, middle..<high), name.offset < offset {
        low = at + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private func next(of log: Log, _ range: Range<Int64>) throws -> (name: CommandName, at: Int64)? {
    try stream.start(partition, range)
    var read: Int64 = 0
    return try nextOne(of: log, &read).map { ($0.name, $0.at) }
  }

  /// The next command of the log; its contents, if it is of the room.
  private func nextOne(
    of log: Log, _ read: inout Int64
  ) throws -> (name: CommandName, command: PublishedCommand?, at: Int64)? {
    while let record = try stream.peek() {
      defer { stream.advance() }
      recordsRead += 1
      read += 1
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

package import Kafka
internal import RoomModel
internal import Wire

/// Holds the commands that a log and its journal give against those that were published, room by room.
///
/// What was published drives it: of each partition of the input so much is replayed as the published commands need, so
/// both sides are read once and little of them is in memory.
package final class CommandComparison {
  /// The first command that differs.
  package struct Difference: Sendable {
    package let partition: PartitionRange
    package let room: String
    /// As JSON; nil: none was expected.
    package var expected: String?
    /// As it was published, or what it says as JSON; nil: it never was.
    package var published: String?
    /// Where the published one lies.
    package var place: String?
    /// Commands of later records of the input have been published before it.
    package var isRepeated = false
  }

  package private(set) var commands = 0
  package var records: Int { partitions.values.reduce(0) { $0 + $1.records } }
  package var rooms: Int { matched.count }
  package var doubts: [String] { ordered.compactMap(\.doubt) }

  /// Partitions and rooms that had a command.
  private var matched: Set<String> = []
  /// The latest record whose commands have been as expected. What came of a partition goes to each partition of the
  /// commands in its order.
  private var latest: [Way: Int64] = [:]

  private struct Way: Hashable {
    let input: Int32
    let output: Int32
  }

  private let topic: String
  private let room: String?
  private let ordered: [ComparedPartition]
  private let partitions: [Int32: ComparedPartition]
  private let published: PublishedCommands
  private var decoder = CommandDecoder()
  private var encoded = ByteBuffer()
  /// By room: commands that no one can read.
  private var unreadable: [String: (text: String, place: String)] = [:]

  /// - Parameter ranges: as far as they have been processed.
  package init(
    _ ranges: [PartitionRange], publishedOn commandsTopic: String, room: String?, _ properties: KafkaProperties
  ) throws {
    topic = ranges.first?.partition.topic ?? ""
    self.room = room
    // Each has a journal beside it.
    let connection = try LogConnection(properties, streams: 2 * ranges.count)
    ordered = ranges.map { ComparedPartition($0, room: room, connection) }
    partitions = Dictionary(uniqueKeysWithValues: ordered.map { ($0.range.partition.partition, $0) })
    published = try PublishedCommands(
      commandsTopic, fromMs: try Self.begins(ranges, connection), room: room, properties)
  }

  /// When the earliest command can have been published; nil: that can't be told.
  private static func begins(_ ranges: [PartitionRange], _ connection: LogConnection) throws -> Int64? {
    let stream = PartitionStream(connection)
    var least: Int64?
    for range in ranges where !range.offsets.isEmpty {
      try stream.start(range.partition, range.offsets)
      guard let record = try stream.peek() else { continue }
      // What a sender's clock says tells nothing of ours.
      guard record.timestampType == .logAppend else { return nil }
      least = min(least ?? .max, record.timestampMs)
    }
    return (least ?? 0) - PublishedCommands.slackMs
  }

  package var progress: Double { ordered.reduce(0) { $0 + $1.progress } / Double(max(1, ordered.count)) }

  /// Compares until something differs; nil: nothing does. `watch` is called now and then.
  package func run(_ watch: () -> Void) throws -> Difference? {
    var matchedMs = Int64.min
    while let command = try published.next() {
      watch()
      if let difference = try take(command, &matchedMs) { return difference }
      if command.timestampMs > matchedMs, matchedMs > .min, command.timestampMs - matchedMs > PublishedCommands.slackMs,
        ordered.allSatisfy({ $0.isAtEnd && $0.waitingCount == 0 })
      {
        break
      }
    }
    for partition in ordered {
      while !partition.isAtEnd {
        watch()
        try partition.playToEnd()
      }
      guard let (room, expected) = partition.leftOver else { continue }
      return difference(partition, room, expected, published: nil, place: nil)
    }
    if let (room, (text, place)) = unreadable.first {
      return Difference(partition: ordered[0].range, room: room, published: text, place: place)
    }
    return nil
  }

  private func take(_ command: PublishedCommands.Published, _ matchedMs: inout Int64) throws -> Difference? {
    let key = command.key.map { String(decoding: $0, as: UTF8.self) }
    let decoded: PublishedCommand
    do throws(NotUnderstood) {
      guard let known = try decoder.decode(value: command.value, contentType: command.contentType) else { return nil }
      decoded = known
    } catch {
      guard self.room == nil || self.room == key else { return nil }
      let text = command.value.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
      unreadable[key ?? ""] = ("\(text) (\(error.description))", command.place)
      return nil
    }
    guard decoded.topic.bytes.elementsEqual(topic.utf8), let partition = partitions[decoded.partition] else {
      return nil
    }
    let room = key ?? decoded.command.roomId.description
    guard self.room == nil || self.room == room else { return nil }
    let offset = decoded.command.recordOffset
    if offset < partition.range.offsets.lowerBound { return nil }
    if offset >= partition.range.offsets.upperBound {
      try partition.playToEnd()
      return nil
    }
    let expected = try partition.head(of: room, at: offset)
    // What only came about after the range names its last record, too.
    if expected == nil, partition.isAtEnd, offset >= partition.lastOffset { return nil }
    let json = self.json(of: decoded, command)
    let way = Way(input: decoded.partition, output: command.partition.partition)
    guard let expected, json.elementsEqual(expected.bytes) else {
      // What should have come instead may be of a record that is still to be played.
      var difference = difference(
        partition, room, try expected ?? partition.head(of: room, at: .max),
        published: String(decoding: json, as: UTF8.self), place: command.place)
      difference.isRepeated = offset < latest[way] ?? -1
      return difference
    }
    partition.removeHead(of: room)
    commands += 1
    matched.insert("\(decoded.partition)/\(room)")
    latest[way] = max(offset, latest[way] ?? -1)
    matchedMs = max(matchedMs, command.timestampMs)
    return nil
  }

  /// Its bytes; of one in Protobuf what it says as JSON, if its bytes are those that we write for that.
  private func json(of decoded: PublishedCommand, _ command: PublishedCommands.Published) -> UnsafeRawBufferPointer {
    let value = command.value ?? Text.empty.bytes
    guard let type = command.contentType, Format(contentType: type) == .protobuf else { return value }
    encoded.removeAll()
    CommandEncoder(topic: topic, partition: decoded.partition, format: .protobuf)
      .encode(decoded.command, into: &encoded)
    guard encoded.bytes.elementsEqual(value) else { return value }
    encoded.removeAll()
    CommandEncoder(topic: topic, partition: decoded.partition, format: .json).encode(decoded.command, into: &encoded)
    return encoded.bytes
  }

  private func difference(
    _ partition: ComparedPartition, _ room: String, _ expected: ComparedPartition.Expected?, published: String?,
    place: String?
  ) -> Difference {
    let broken = unreadable[room]
    return Difference(
      partition: partition.range, room: room, expected: expected.map { String(decoding: $0.bytes, as: UTF8.self) },
      published: broken?.text ?? published, place: broken?.place ?? place)
  }
}

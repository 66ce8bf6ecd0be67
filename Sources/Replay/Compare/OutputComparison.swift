package import Kafka
internal import RoomModel
internal import Wire

/// Holds what a log and its journal give against what was published: commands room by room, results of grabs user by
/// user.
///
/// What was published drives it: of each partition of the input so much is replayed as that needs, so both sides are
/// read once and little of them is in memory.
package final class OutputComparison {
  /// The first that differs.
  package struct Difference: Sendable {
    package let partition: PartitionRange
    package let recipient: Recipient
    /// As JSON; nil: none was expected.
    package var expected: String?
    /// As it was published, or what it says as JSON; nil: it never was.
    package var published: String?
    /// Where the published one lies.
    package var place: String?
    package let kind: OutputComparison.Kind
    /// Why the expected one had to come.
    package var reason: Reason?
  }

  package enum Kind: String, Sendable {
    /// It had been published before, or what comes after it had.
    case repeated
    /// It was not published.
    case missing
    /// Something else was published.
    case other
  }

  /// How far what was published reaches of one partition of the input.
  package struct Reach: Sendable {
    package let partition: PartitionRange
    /// How many commands and results were as expected.
    package let matched: Int
    /// Up to this record of the input some of what came was deleted, and in a line, why; nil: nothing was.
    package let gone: (through: Int64, why: String)?
  }

  package struct Reason: Sendable {
    package let question: Explainer.Question
    package let room: String
    /// Of the log, what has to be played for it.
    package let range: PartitionRange
  }

  package private(set) var commands = 0
  package private(set) var results = 0
  package var records: Int { ordered.reduce(0) { $0 + $1.records } }
  package var rooms: Int { last.count }
  package var warnings: [String] { ordered.flatMap(\.warnings) }
  package var reaches: [Reach] {
    ordered.map { Reach(partition: $0.range, matched: $0.matched, gone: $0.gone) }
  }
  /// How many commands and results were expected at most at once, and not yet found: what memory it takes goes by this.
  package var mostWaiting: Int { ordered.reduce(0) { $0 + $1.mostWaiting } }
  /// Results that were expected and, since there is no such topic, held against nothing.
  package var uncheckedResults: Int { ordered.reduce(0) { $0 + $1.uncheckedResults } }

  /// Whether an event of that room, or the room itself, was in what was compared.
  package func knows(_ room: String) -> Bool { ordered.contains { $0.knows(room) } }

  /// The last command that was as expected, by partition and room.
  private var last: [String: Place] = [:]
  private var routes: [Route: Progress] = [:]

  /// What came of a partition goes to each partition of the output in its order.
  private struct Route: Hashable {
    let input: TopicPartition
    let output: TopicPartition
  }

  /// Records of the input, by what came of them.
  private struct Progress {
    /// The first of which anything is there.
    let first: Int64
    /// The latest of which something has been as expected.
    var latest: Int64 = -1
  }

  private let room: String?
  private let ordered: [ComparedPartition]
  private let partitions: [TopicPartition: ComparedPartition]
  private let published: PublishedOutput
  private var decoder = PublishedDecoder()
  private var encoded = ByteBuffer()
  /// What no one can read.
  private var unreadable: [Recipient: (text: String, place: String)] = [:]

  /// - Parameter ranges: as far as they have been processed.
  package init(
    _ ranges: [PartitionRange], commandsOn commandsTopic: String, resultsOn resultsTopic: String, room: String?,
    _ properties: KafkaProperties
  ) throws {
    self.room = room
    // Each has a journal beside it.
    let connection = try LogConnection(properties, streams: 2 * ranges.count)
    let published = try PublishedOutput(
      [(.command, commandsTopic), (.result, resultsTopic)], fromMs: try Self.begins(ranges, connection), room: room,
      properties)
    ordered = ranges.map {
      ComparedPartition($0, room: room, checksResults: published.hasTopic(for: .result), connection)
    }
    partitions = Dictionary(uniqueKeysWithValues: ordered.map { ($0.range.partition, $0) })
    self.published = published
  }

  /// When the earliest can have been published; nil: that can't be told.
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
    return (least ?? 0) - PublishedOutput.slackMs
  }

  package var progress: Double { ordered.reduce(0) { $0 + $1.progress / Double(max(1, ordered.count)) } }

  /// Compares until something differs; nil: nothing does. `watch` is called now and then.
  package func run(_ watch: () -> Void) throws -> Difference? {
    var matchedMs = Int64.min
    while let record = try published.next() {
      watch()
      if let difference = try compare(record, &matchedMs) { return difference }
      if record.timestampMs > matchedMs, matchedMs > .min, record.timestampMs - matchedMs > PublishedOutput.slackMs,
        ordered.allSatisfy({ $0.isAtEnd && !$0.isWaiting })
      {
        break
      }
    }
    for partition in ordered {
      while true {
        while !partition.isAtEnd, !partition.isWaiting {
          watch()
          try partition.advance()
        }
        partition.skipAll { recipient, expected in
          published.partition(of: recipient).flatMap { whyGone(expected, of: partition, in: $0) }
        }
        if let (recipient, expected) = partition.firstMissing {
          return difference(.missing, partition, recipient, expected, published: nil, place: nil)
        }
        if partition.isAtEnd { break }
      }
    }
    if let (recipient, (text, place)) = unreadable.first(where: { room == nil || $0.key.kind == .command }) {
      return Difference(
        partition: ordered[0].range, recipient: recipient, published: text, place: place, kind: .other)
    }
    return nil
  }

  private func compare(_ record: PublishedOutput.Record, _ matchedMs: inout Int64) throws -> Difference? {
    let key = record.key.map { String(decoding: $0, as: UTF8.self) }
    let item: PublishedItem
    do throws(NotUnderstood) {
      guard let known = try decoder.decode(record.kind, value: record.value, contentType: record.contentType)
      else { return nil }
      item = known
    } catch {
      let text = record.value.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
      unreadable[Recipient(kind: record.kind, key: key ?? "")] = ("\(text) (\(error.description))", record.place)
      return nil
    }
    let input = TopicPartition(item.topic.description, item.partition)
    guard let partition = partitions[input] else { return nil }
    let route = Route(input: input, output: record.partition)
    let offset = item.body.recordOffset
    if routes[route] == nil { routes[route] = Progress(first: offset) }
    let recipient = Recipient(kind: record.kind, key: key ?? item.body.recipient.key)
    let itsRoom = record.kind == .command ? recipient.key : item.body.roomId.description
    guard room == nil || room == itsRoom else { return nil }
    if offset < partition.range.offsets.lowerBound { return nil }
    if offset >= partition.range.offsets.upperBound {
      try partition.playToEnd()
      return nil
    }
    var expected = try partition.head(of: recipient, at: offset)
    while let head = expected, head.place < item.body.place,
      let why = whyGone(head, of: partition, in: record.partition)
    {
      partition.skip(headOf: recipient, why: why)
      expected = try partition.head(of: recipient, at: offset)
    }
    let isRepeated = isRepeated(item, route, recipient)
    // A command that only came about after the range names its last record, too.
    if expected == nil, !isRepeated, record.kind == .command, partition.isAtEnd, offset >= partition.lastOffset {
      return nil
    }
    let json = self.json(of: item, record, input)
    guard let expected, json.elementsEqual(expected.bytes) else {
      let place = item.body.place
      let published = Array(json)
      // What should have come instead may be of a record that is still to be played.
      let expected = try expected ?? partition.head(of: recipient, at: .max)
      let isMissing = expected.map { $0.place < place } ?? false
      return difference(
        isRepeated ? .repeated : isMissing ? .missing : .other, partition, recipient, expected, published: published,
        place: record.place)
    }
    partition.match(headOf: recipient)
    switch record.kind {
    case .command:
      commands += 1
      last["\(input)\(recipient.key)"] = expected.place
    case .result: results += 1
    }
    routes[route]!.latest = max(offset, routes[route]!.latest)
    matchedMs = max(matchedMs, record.timestampMs)
    return nil
  }

  /// Of a route the records only grow, of a room's commands of one partition the places.
  private func isRepeated(_ item: PublishedItem, _ route: Route, _ recipient: Recipient) -> Bool {
    let (offset, latest) = (item.body.recordOffset, routes[route]!.latest)
    switch item.body {
    case .command:
      return offset < latest || last["\(route.input)\(recipient.key)"].map { item.body.place <= $0 } ?? false
    case .result: return offset <= latest
    }
  }

  /// Its bytes; of one in Protobuf what it says as JSON, if its bytes are those that we write for that.
  private func json(
    of item: PublishedItem, _ record: PublishedOutput.Record, _ input: TopicPartition
  ) -> UnsafeRawBufferPointer {
    let value = record.value ?? Text.empty.bytes
    guard let type = record.contentType, Format(contentType: type) == .protobuf else { return value }
    encoded.removeAll()
    CommandEncoder(topic: input.topic, partition: input.partition, format: .protobuf).encode(item.body, into: &encoded)
    guard encoded.bytes.elementsEqual(value) else { return value }
    encoded.removeAll()
    CommandEncoder(topic: input.topic, partition: input.partition, format: .json).encode(item.body, into: &encoded)
    return encoded.bytes
  }

  /// What is missing may have been deleted: what came of a partition is deleted in its order, too, so that is so just
  /// where nothing of an earlier record is left. In a line, where; nil: it must be there.
  private func whyGone(
    _ expected: ComparedPartition.Expected, of partition: ComparedPartition, in output: TopicPartition
  ) -> String? {
    let first = routes[Route(input: partition.range.partition, output: output)]?.first
    guard let cut = published.cut(of: output), first == nil || expected.place.offset <= first! else { return nil }
    return "\(output) begins at offset \(cut): what was published before is gone"
  }

  private func difference(
    _ kind: Kind, _ partition: ComparedPartition, _ recipient: Recipient,
    _ expected: ComparedPartition.Expected?, published: [UInt8]?, place: String?
  ) -> Difference {
    let broken = unreadable[recipient]
    return Difference(
      partition: partition.range, recipient: recipient,
      expected: expected.map { String(decoding: $0.bytes, as: UTF8.self) },
      published: broken?.text ?? published.map { String(decoding: $0, as: UTF8.self) }, place: broken?.place ?? place,
      kind: kind, reason: (expected?.bytes ?? published).flatMap { reason(for: $0, recipient.kind, partition.range) })
  }

  private func reason(for json: [UInt8], _ kind: Recipient.Kind, _ range: PartitionRange) -> Reason? {
    json.withUnsafeBytes { bytes in
      guard let item = try? decoder.decode(kind, value: bytes, contentType: nil) else { return nil }
      let room = item.body.roomId.description
      switch item.body {
      case .command(let command):
        return Reason(
          question: .command(
            CommandName(
              topic: item.topic.description, partition: item.partition, offset: command.recordOffset,
              place: command.place)), room: room, range: range)
      case .result(let result):
        // A grab has its result at once.
        var range = range
        range.offsets = range.offsets.clamped(to: 0..<item.body.recordOffset + 1)
        return result.eventId.count == 0
          ? nil : Reason(question: .event(result.eventId.description), room: room, range: range)
      }
    }
  }
}

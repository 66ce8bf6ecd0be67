package import Kafka
internal import RoomModel
internal import Wire

/// Holds what a log and its journal give against what was published: commands room by room, results of grabs user by
/// user.
///
/// The published items drive it: of each partition of the input so much is replayed as they need, so both sides are
/// read once and little of them is in memory.
package final class OutputComparison {
  /// The first that differs.
  package struct Difference: Sendable {
    package let partition: PartitionRange
    package let recipient: Recipient
    /// The expected JSON; nil: none was expected.
    package var expected: String?
    /// The published text, or what it says as JSON; nil: it never was.
    package var published: String?
    /// The published one's place.
    package var place: String?
    package let kind: OutputComparison.Kind
    /// The reason why the expected one had to come.
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

  /// The reach of the output that was published of one partition of the input.
  package struct Reach: Sendable {
    package let partition: PartitionRange
    /// The count of commands and results that were as expected.
    package let matched: Int
    /// Up to this record of the input some of what came was deleted, and in a line, why; nil: nothing was.
    package let gone: (through: Int64, why: String)?
  }

  package struct Reason: Sendable {
    package let question: Explainer.Question
    package let room: String
    /// The part of the log that has to be played for it.
    package let range: PartitionRange
  }

  package private(set) var commands = 0
  package private(set) var results = 0
  package var records: Int { ordered.reduce(0) { $0 + $1.records } }
  package var rooms: Int { ordered.reduce(0) { $0 + $1.rooms } }
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

  private let room: String?
  private let ordered: [ComparedPartition]
  private let published: PublishedOutput
  private var decoder = PublishedDecoder()
  private var encoded = ByteBuffer()
  /// Records that nobody can read.
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
    self.published = published
  }

  /// The earliest time at which output can have been published; nil: that can't be told.
  private static func begins(_ ranges: [PartitionRange], _ connection: LogConnection) throws -> Int64? {
    let stream = PartitionStream(connection)
    var least: Int64?
    for range in ranges where !range.offsets.isEmpty {
      try stream.start(range.partition, range.offsets)
      guard let record = try stream.peek() else { continue }
      // A sender's clock tells nothing of ours.
      guard record.timestampType == .logAppend else { return nil }
      least = min(least ?? .max, record.timestampMs)
    }
    return (least ?? 0) - PublishedOutput.slackMs
  }

  package var progress: Double { ordered.reduce(0) { $0 + $1.part / Double(max(1, ordered.count)) } }

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
          published.partition(of: recipient).flatMap {
            whyGone(expected, of: partition, in: $0, part: published.part(of: $0))
          }
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

  /// - Parameter matchedMs: the latest time of something that was as expected.
  private func compare(_ record: PublishedOutput.Record, _ matchedMs: inout Int64) throws -> Difference? {
    guard let item = read(record), let partition = partition(of: item) else { return nil }
    let offset = item.body.recordOffset
    partition.see(offset: offset, in: record.part)
    let recipient = record.key.map { Recipient(kind: record.kind, key: String(decoding: $0, as: UTF8.self)) }
    let difference = try compare(item, record, for: recipient ?? item.body.recipient, with: partition)
    if case .asExpected = difference { matchedMs = max(matchedMs, record.timestampMs) }
    if case .differs(let difference) = difference { return difference }
    return nil
  }

  private enum Verdict {
    case asExpected
    case differs(Difference)
    /// It was not asked for, or is of what comes after the range.
    case beside
  }

  private func compare(
    _ item: PublishedItem, _ record: PublishedOutput.Record, for recipient: Recipient,
    with partition: ComparedPartition
  ) throws -> Verdict {
    let offset = item.body.recordOffset
    if let room, !isOfRoom(room, item, recipient) { return .beside }
    if offset < partition.range.offsets.lowerBound { return .beside }
    if offset >= partition.range.offsets.upperBound {
      try partition.playToEnd()
      return .beside
    }
    var line = try partition.line(of: recipient, at: offset)
    while let waiting = line, let head = waiting.head, head.place < item.body.place,
      let why = whyGone(head, of: partition, in: record.partition, part: record.part)
    {
      partition.skip(headOf: waiting, why: why)
      line = try partition.line(of: recipient, at: offset)
    }
    let json = self.json(of: item, record, partition.range.partition)
    if let line, let head = line.head, json.isSame(as: head.bytes) {
      partition.match(headOf: line, offset: offset, in: record.part)
      switch record.kind {
      case .command: commands += 1
      case .result: results += 1
      }
      return .asExpected
    }
    let isRepeated = isRepeated(item, record, recipient, in: partition)
    // A command that only came about after the range names its last record, too.
    if line == nil, !isRepeated, record.kind == .command, partition.isAtEnd, offset >= partition.lastOffset {
      return .beside
    }
    let published = Array(json)
    // The item that should have come instead may be of a record that is still to be played.
    let expected = try (line ?? partition.line(of: recipient, at: .max))?.head
    let isMissing = expected.map { $0.place < item.body.place } ?? false
    return .differs(
      difference(
        isRepeated ? .repeated : isMissing ? .missing : .other, partition, recipient, expected, published: published,
        place: record.place))
  }

  /// Nil: a newer worker's; or, and that is noted, what no one can read.
  private func read(_ record: PublishedOutput.Record) -> PublishedItem? {
    do throws(NotUnderstood) {
      return try decoder.decode(record.kind, value: record.value, contentType: record.contentType)
    } catch {
      let text = record.value.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
      let key = record.key.map { String(decoding: $0, as: UTF8.self) } ?? ""
      unreadable[Recipient(kind: record.kind, key: key)] = ("\(text) (\(error.description))", record.place)
      return nil
    }
  }

  /// The partition of the input that its id names; nil: it is not compared.
  private func partition(of item: PublishedItem) -> ComparedPartition? {
    for one in ordered where one.range.partition.partition == item.partition {
      if item.topic.bytes.isSame(as: one.topic) { return one }
    }
    return nil
  }

  private func isOfRoom(_ room: String, _ item: PublishedItem, _ recipient: Recipient) -> Bool {
    switch recipient.kind {
    case .command: room == recipient.key
    case .result: room == item.body.roomId.description
    }
  }

  /// In a partition of the output the records of one of the input only grow, of a room's commands the places.
  private func isRepeated(
    _ item: PublishedItem, _ record: PublishedOutput.Record, _ recipient: Recipient, in partition: ComparedPartition
  ) -> Bool {
    let (offset, latest) = (item.body.recordOffset, partition.progress(in: record.part)?.latest ?? -1)
    switch item.body {
    case .command: return offset < latest || partition.lastPlace(of: recipient).map { item.body.place <= $0 } ?? false
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
    _ expected: ExpectedLine.Item, of partition: ComparedPartition, in output: TopicPartition, part: Int?
  ) -> String? {
    guard let cut = published.cut(of: output) else { return nil }
    let first = part.flatMap { partition.progress(in: $0)?.first }
    guard first == nil || expected.place.offset <= first! else { return nil }
    return "\(output) begins at offset \(cut): what was published before is gone"
  }

  private func difference(
    _ kind: Kind, _ partition: ComparedPartition, _ recipient: Recipient,
    _ expected: ExpectedLine.Item?, published: [UInt8]?, place: String?
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

internal import JSON
import Kafka
internal import RoomModel
package import RoomScreen
internal import Wire

/// Holds what a log and its journal give against what was published: commands room by room, results of grabs user by
/// user.
///
/// The published items drive it: of each partition of the input so much is replayed as they need, so both sides are
/// read once and little of them is in memory.
package final class OutputComparison {
  package private(set) var commands = 0
  package private(set) var results = 0
  package var records: Int { ordered.reduce(0) { $0 + $1.records } }
  /// The number of rooms with a command as expected; a room may have commands of several topics.
  package var rooms: Int { ordered.reduce(into: Set<ID>()) { $0.formUnion($1.rooms) }.count }
  package var warnings: [String] { ordered.flatMap(\.warnings) }
  package var reaches: [Reach] {
    ordered.map { Reach(partition: $0.range, matched: $0.matched, gone: $0.gone) }
  }
  /// The most commands and results that were expected at once and not yet found: memory goes by this.
  package var mostWaiting: Int { ordered.reduce(0) { $0 + $1.mostWaiting } }
  /// Results that were expected and, since there is no such topic, held against nothing.
  package var uncheckedResults: Int { ordered.reduce(0) { $0 + $1.uncheckedResults } }

  /// The number of commands and results that differ, so far.
  package private(set) var differences = 0
  /// Is told of each that differs; false: the rest is not compared.
  private var tell: (Difference) throws -> Bool = { _ in true }
  private var isOver = false
  /// The number of expected items that are looked through together.
  private static let together = 10_000

  /// Whether an event of that room, or the room itself, was in what was compared.
  package func knows(_ room: ID) -> Bool { ordered.contains { $0.knows(room) } }

  private let room: ID?
  private let ordered: [ComparedPartition]
  private let published: PublishedOutput
  private var decoder = PublishedDecoder()
  private var reasons = PublishedDecoder()
  private var encoded = ByteBuffer()
  /// Records that nobody can read.
  private var unreadable: [Recipient: (text: String, place: String)] = [:]

  /// - Parameter ranges: the ranges, up to where they have been processed.
  package init(
    _ ranges: [PartitionRange], commandsOn commandsTopic: String, resultsOn resultsTopic: String, room: ID?,
    _ logs: any LogStore
  ) throws {
    self.room = room
    // Each has a journal beside it.
    let connection = try logs.connect(streams: 2 * ranges.count)
    let published = try PublishedOutput(
      [(.command, commandsTopic), (.result, resultsTopic)], fromMs: try Self.begins(ranges, connection), logs)
    ordered = ranges.map {
      ComparedPartition($0, room: room, checksResults: published.hasTopic(for: .result), connection)
    }
    self.published = published
  }

  /// The earliest time at which output can have been published; nil: that can't be told.
  private static func begins(_ ranges: [PartitionRange], _ connection: any LogConnection) throws -> Int64? {
    let stream = connection.newStream()
    var least: Int64?
    for range in ranges where !range.offsets.isEmpty {
      try stream.start(range.partition, range.offsets)
      guard let record = try stream.peek() else { continue }
      // A sender's clock tells nothing of ours.
      guard record.isStamped else { return nil }
      least = min(least ?? .max, record.timestampMs)
    }
    return (least ?? 0) - PublishedOutput.slackMs
  }

  package var progress: Double { ordered.reduce(0) { $0 + $1.part / Double(max(1, ordered.count)) } }

  /// Compares the whole log, or until `tell` returns false.
  ///
  /// - Parameters:
  ///   - watch: is called now and then.
  ///   - tell: gets each command or result that differs.
  package func run(_ watch: () -> Void, tell: @escaping (Difference) throws -> Bool) throws {
    self.tell = tell
    defer { self.tell = { _ in true } }
    var matchedMs = Int64.min
    while let record = try published.next() {
      watch()
      try compare(record, &matchedMs)
      if isOver { return }
      if record.timestampMs > matchedMs, matchedMs > .min, record.timestampMs - matchedMs > PublishedOutput.slackMs,
        ordered.allSatisfy({ $0.isAtEnd && !$0.isWaiting })
      {
        break
      }
    }
    for partition in ordered {
      repeat {
        // All that is expected is looked through for what is gone, so that is done for many together.
        while !partition.isAtEnd, partition.waiting < Self.together {
          watch()
          try partition.advance()
        }
        partition.skipAll { recipient, expected in
          published.partition(of: recipient).flatMap { whyGone(expected, of: partition, recipient, in: $0) }
        }
        for (recipient, expected) in partition.takeMissing() { try note(.missing, recipient, expected, in: partition) }
      } while !partition.isAtEnd && !isOver
    }
    for (recipient, (text, place)) in unreadable.sorted(by: { $0.key.key < $1.key.key })
    where !isOver && (room == nil || recipient.kind == .command) {
      differences += 1
      isOver = try !tell(
        Difference(
          partition: ordered[0].range, recipient: recipient, published: text, place: place, kind: .other))
    }
  }

  /// - Parameter published: the JSON that came in place of the expected one, and its place.
  private func note(
    _ kind: Kind, _ recipient: Recipient, _ expected: ExpectedLine.Item?,
    _ published: (json: UnsafeRawBufferPointer, place: String)? = nil, in partition: ComparedPartition
  ) throws {
    if isOver { return }
    differences += 1
    let broken = unreadable.removeValue(forKey: recipient)
    let cause = expected?.bytes.withUnsafeBytes { reason(for: $0, recipient.kind, partition.range) }
    isOver = try !tell(
      Difference(
        partition: partition.range, recipient: recipient,
        expected: expected.map { String(decoding: $0.bytes, as: UTF8.self) },
        published: broken?.text ?? published.map { String(decoding: $0.json, as: UTF8.self) },
        place: broken?.place ?? published?.place, kind: kind,
        reason: cause ?? published.flatMap { reason(for: $0.json, recipient.kind, partition.range) }))
  }

  /// - Parameter matchedMs: the latest time of something that was as expected.
  private func compare(_ record: PublishedOutput.Record, _ matchedMs: inout Int64) throws {
    guard let item = read(record), let partition = partition(of: item) else { return }
    partition.see(item.body, record.kind, in: record.part)
    let recipient = record.key.map { Recipient(kind: record.kind, key: ID(String(decoding: $0, as: UTF8.self))) }
    if try compare(item, record, for: recipient ?? item.body.recipient, with: partition) {
      matchedMs = max(matchedMs, record.timestampMs)
    }
  }

  /// Whether it is as expected.
  private func compare(
    _ item: PublishedItem, _ record: PublishedOutput.Record, for recipient: Recipient,
    with partition: ComparedPartition
  ) throws -> Bool {
    let (offset, place) = (item.body.recordOffset, item.body.place)
    if let room, !isOfRoom(room, item, recipient) { return false }
    if offset < partition.range.offsets.lowerBound { return false }
    if offset >= partition.range.offsets.upperBound {
      try partition.playToEnd()
      // Nobody could know of a record that isn't there.
      if try partition.endsBefore(offset) {
        let json = self.json(of: item, record, partition.range.partition)
        try note(.other, recipient, nil, (json, record.place), in: partition)
      }
      return false
    }
    let json = self.json(of: item, record, partition.range.partition)
    var line = try partition.line(of: recipient, at: offset)
    while let waiting = line, let head = waiting.head, head.place < place,
      let why = whyGone(head, of: partition, recipient, in: record.partition)
    {
      partition.skip(headOf: waiting, why: why)
      line = try partition.line(of: recipient, at: offset)
    }
    if !(line?.head.map { json.isSame(as: $0.bytes) } ?? false) {
      if isRepeated(item, record, recipient, in: partition) {
        try note(.repeated, recipient, line?.head, (json, record.place), in: partition)
        return false
      }
      // A command that only came about after the range names its last record, too.
      if line == nil, record.kind == .command, partition.isAtEnd, offset >= partition.lastOffset { return false }
      // The item that should have come instead may be of a record that is still to be played.
      line = try line ?? partition.line(of: recipient, at: .max)
      while let head = line?.head, head.place < place {
        try note(.missing, recipient, head, (json, record.place), in: partition)
        partition.lose(headOf: recipient)
        line = try partition.line(of: recipient, at: offset)
      }
    }
    guard let line, let head = line.head, json.isSame(as: head.bytes) else {
      try note(.other, recipient, line?.head, (json, record.place), in: partition)
      if line?.head?.place == place { partition.lose(headOf: recipient) }
      return false
    }
    partition.match(headOf: line, offset: offset, in: record.part)
    switch record.kind {
    case .command: commands += 1
    case .result: results += 1
    }
    return true
  }

  /// Nil: a newer worker's; or, and that is noted, what no one can read.
  private func read(_ record: PublishedOutput.Record) -> PublishedItem? {
    do throws(NotUnderstood) {
      return try decoder.decode(record.kind, value: record.value, contentType: record.contentType)
    } catch {
      let text = record.value.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
      let key = record.key.map { String(decoding: $0, as: UTF8.self) } ?? ""
      unreadable[Recipient(kind: record.kind, key: ID(key))] = ("\(text) (\(error.description))", record.place)
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

  private func isOfRoom(_ room: ID, _ item: PublishedItem, _ recipient: Recipient) -> Bool {
    switch recipient.kind {
    case .command: room == recipient.key
    case .result: room == ID(item.body.roomId)
    }
  }

  /// Whether an item repeats one: in a partition of the output the records of one input partition only grow, and so do
  /// the places of a room's commands.
  private func isRepeated(
    _ item: PublishedItem, _ record: PublishedOutput.Record, _ recipient: Recipient, in partition: ComparedPartition
  ) -> Bool {
    let (offset, latest) = (item.body.recordOffset, partition.progress(in: record.part)?.latest ?? -1)
    switch item.body {
    case .command: return offset < latest || partition.lastPlace(of: recipient).map { item.body.place <= $0 } ?? false
    case .result: return offset <= latest
    }
  }

  /// The item as JSON. One in Protobuf is written as JSON, if its bytes are the ones that we write for that.
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

  /// Tells, in a line, where a missing item was deleted, or published before; nil: it must be in this partition.
  private func whyGone(
    _ expected: ExpectedLine.Item, of partition: ComparedPartition, _ recipient: Recipient, in output: TopicPartition
  ) -> String? {
    let cuts = published.cuts(recipient.kind)
    // The output of a partition is deleted in its order, so this one is gone just where nothing of an earlier record is
    // left.
    func mayBeGone(_ cut: PublishedOutput.Cut) -> Bool {
      let first = published.part(of: cut.partition).flatMap { partition.progress(in: $0)?.first }
      return first == nil || expected.place.offset <= first!
    }
    var cut = cuts.first { $0.partition == output && mayBeGone($0) }
    if cut == nil, partition.lastPlace(of: recipient) == nil {
      // It may have had another partition before the topic grew.
      cut = cuts.first { mayBeGone($0) && expected.atMs <= $0.untilMs }
    }
    if let cut { return "\(cut.partition) begins at offset \(cut.offset): what was published before is gone" }
    guard let topic = published.wholeTopic(of: recipient.kind) else { return nil }
    guard let first = partition.firsts[recipient.kind] else {
      return "\(topic) has nothing of \(partition.range.partition)"
    }
    guard (expected.place.offset, expected.atMs) < first else { return nil }
    return "\(topic) begins with record \(first.offset) of \(partition.range.partition):"
      + " what came before was published elsewhere, or not at all"
  }

  private func reason(for json: UnsafeRawBufferPointer, _ kind: Recipient.Kind, _ range: PartitionRange) -> Reason? {
    // The other decoder may hold what is compared now.
    guard let item = try? reasons.decode(kind, value: json, contentType: nil) else { return nil }
    let room = ID(item.body.roomId)
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
      return result.eventId.count == 0 ? nil : Reason(question: .event(ID(result.eventId)), room: room, range: range)
    }
  }
}

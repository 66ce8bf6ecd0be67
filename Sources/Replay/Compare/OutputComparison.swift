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

  /// The number of findings of each kind, by recipient.
  package private(set) var counts: [Recipient: [Kind: Int]] = [:]
  /// The first that differs, so far.
  private var first: Difference?
  /// Is told of each that differs; nil: only the first is looked for.
  private var tell: ((Difference) throws -> Void)?
  private struct Lost {
    let item: ExpectedLine.Item
    let partition: ComparedPartition
  }

  /// Missing commands and results by their places, since they may come later.
  private var lost: [Recipient: [Place: Lost]] = [:]
  private var lostCount = 0
  /// The most missing items that are looked for.
  private static let lostLimit = 100_000
  /// The number of items that are looked through together.
  private static let together = 10_000
  /// The number of published records to read after the first that differs, to tell its kind.
  static let lookAhead = 20_000

  /// Whether an event of that room, or the room itself, was in what was compared.
  package func knows(_ room: ID) -> Bool { ordered.contains { $0.knows(room) } }

  private let room: ID?
  private let ordered: [ComparedPartition]
  private let published: PublishedOutput
  private var decoder = PublishedDecoder()
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

  /// Compares until something differs; nil: nothing does. `watch` is called now and then.
  package func run(_ watch: () -> Void) throws -> Difference? { try compare(watch) }

  /// Compares all of it, and tells each that differs: what is missing and might still have come, last.
  package func runAll(_ watch: () -> Void, tell: @escaping (Difference) throws -> Void) throws -> Difference? {
    self.tell = tell
    defer { self.tell = nil }
    let first = try compare(watch)
    for (recipient, items) in lost.sorted(by: { $0.key.key < $1.key.key }) {
      for (_, lost) in items.sorted(by: { $0.key < $1.key }) {
        try tell(difference(Finding(.missing, recipient, lost.item), lost.partition))
      }
    }
    return first
  }

  private func compare(_ watch: () -> Void) throws -> Difference? {
    let all = tell != nil
    var matchedMs = Int64.min
    var ahead = Self.lookAhead
    while let record = try published.next() {
      watch()
      try compare(record, &matchedMs)
      if !all, let first {
        ahead -= 1
        if first.isCertain || ahead == 0 { return first }
      }
      if record.timestampMs > matchedMs, matchedMs > .min, record.timestampMs - matchedMs > PublishedOutput.slackMs,
        ordered.allSatisfy({ $0.isAtEnd && !$0.isWaiting })
      {
        break
      }
    }
    if !all, let first { return first }
    for partition in ordered {
      while true {
        // All that is expected is looked through for what is gone, so that is done for many together.
        while !partition.isAtEnd, all ? partition.waiting < Self.together : !partition.isWaiting {
          watch()
          try partition.advance()
        }
        partition.skipAll { recipient, expected in
          published.partition(of: recipient).flatMap { whyGone(expected, of: partition, recipient, in: $0) }
        }
        for (recipient, expected) in partition.takeMissing() {
          try note(Finding(.missing, recipient, expected), in: partition)
          if !all { return first }
        }
        if partition.isAtEnd { break }
      }
    }
    for (recipient, (text, place)) in unreadable.sorted(by: { $0.key.key < $1.key.key })
    where (all || first == nil) && (room == nil || recipient.kind == .command) {
      let broken = Difference(
        partition: ordered[0].range, recipient: recipient, published: text, place: place, kind: .other)
      counts[recipient, default: [:]][.other, default: 0] += 1
      try tell?(broken)
      if first == nil { first = broken }
    }
    return first
  }

  /// Something that differs.
  private struct Finding {
    let kind: Kind
    let recipient: Recipient
    let expected: ExpectedLine.Item?
    var published: [UInt8]?
    var place: String?

    init(_ kind: Kind, _ recipient: Recipient, _ expected: ExpectedLine.Item?) {
      self.kind = kind
      self.recipient = recipient
      self.expected = expected
    }
  }

  /// - Parameter mayCome: it is missing where it had to be, and may be found later.
  private func note(_ finding: Finding, in partition: ComparedPartition, mayCome: Bool = false) throws {
    counts[finding.recipient, default: [:]][finding.kind, default: 0] += 1
    let isKept = mayCome && lose(finding.expected, of: finding.recipient, in: partition)
    if let tell, !isKept { try tell(difference(finding, partition)) }
    if first == nil {
      first = difference(finding, partition)
    } else if finding.kind == .repeated, first!.kind == .repeated {
      first!.isOneOfMany = true
    }
  }

  /// - Parameter matchedMs: the latest time of something that was as expected.
  private func compare(_ record: PublishedOutput.Record, _ matchedMs: inout Int64) throws {
    guard let item = read(record), let partition = partition(of: item) else { return }
    partition.see(item.body, record.kind, in: record.part)
    let recipient = record.key.map { Recipient(kind: record.kind, key: ID(String(decoding: $0, as: UTF8.self))) }
    // Findings are told once the item, which the decoder holds, is done with.
    var findings: [Finding] = []
    if try compare(item, record, for: recipient ?? item.body.recipient, with: partition, &findings) {
      matchedMs = max(matchedMs, record.timestampMs)
    }
    for finding in findings { try note(finding, in: partition, mayCome: finding.kind == .missing) }
  }

  /// Whether it is as expected.
  private func compare(
    _ item: PublishedItem, _ record: PublishedOutput.Record, for recipient: Recipient,
    with partition: ComparedPartition, _ findings: inout [Finding]
  ) throws -> Bool {
    let (offset, place) = (item.body.recordOffset, item.body.place)
    if let room, !isOfRoom(room, item, recipient) { return false }
    if offset < partition.range.offsets.lowerBound { return false }
    if offset >= partition.range.offsets.upperBound {
      try partition.playToEnd()
      // Nobody could know of a record that isn't there.
      if try partition.endsBefore(offset) {
        let json = self.json(of: item, record, partition.range.partition)
        findings.append(finding(.other, recipient, nil, json, record))
      }
      return false
    }
    let json = self.json(of: item, record, partition.range.partition)
    if try isLost(place, of: recipient, json, at: record.place) { return true }
    var line = try partition.line(of: recipient, at: offset)
    while let waiting = line, let head = waiting.head, head.place < place,
      let why = whyGone(head, of: partition, recipient, in: record.partition)
    {
      partition.skip(headOf: waiting, why: why)
      line = try partition.line(of: recipient, at: offset)
    }
    if !(line?.head.map { json.isSame(as: $0.bytes) } ?? false) {
      if isRepeated(item, record, recipient, in: partition) {
        findings.append(finding(.repeated, recipient, line?.head, json, record))
        return false
      }
      // A command that only came about after the range names its last record, too.
      if line == nil, record.kind == .command, partition.isAtEnd, offset >= partition.lastOffset { return false }
      // The item that should have come instead may be of a record that is still to be played.
      line = try line ?? partition.line(of: recipient, at: .max)
      while let head = line?.head, head.place < place {
        findings.append(finding(.missing, recipient, head, json, record))
        partition.lose(headOf: recipient)
        line = try partition.line(of: recipient, at: offset)
      }
    }
    guard let line, let head = line.head, json.isSame(as: head.bytes) else {
      findings.append(finding(.other, recipient, line?.head, json, record))
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

  private func finding(
    _ kind: Kind, _ recipient: Recipient, _ expected: ExpectedLine.Item?, _ json: UnsafeRawBufferPointer,
    _ record: PublishedOutput.Record
  ) -> Finding {
    var finding = Finding(kind, recipient, expected)
    if first == nil || tell != nil { (finding.published, finding.place) = (Array(json), record.place) }
    return finding
  }

  /// False: too many are looked for.
  private func lose(_ item: ExpectedLine.Item?, of recipient: Recipient, in partition: ComparedPartition) -> Bool {
    guard let item, lostCount < Self.lostLimit else { return false }
    lost[recipient, default: [:]][item.place] = Lost(item: item, partition: partition)
    lostCount += 1
    return true
  }

  /// Whether it is one that was missing where it had to come: then it was moved.
  private func isLost(
    _ place: Place, of recipient: Recipient, _ json: UnsafeRawBufferPointer, at published: String
  ) throws -> Bool {
    guard let lost = self.lost[recipient]?[place], json.isSame(as: lost.item.bytes) else { return false }
    self.lost[recipient]![place] = nil
    lostCount -= 1
    counts[recipient]![.missing]! -= 1
    counts[recipient]![.moved, default: 0] += 1
    if first?.kind == .missing, first!.recipient == recipient, first!.expectedPlace == place {
      first!.kind = .moved
      (first!.published, first!.place) = (first!.expected, published)
    }
    if let tell {
      var moved = difference(Finding(.moved, recipient, lost.item), lost.partition)
      (moved.published, moved.place) = (moved.expected, published)
      try tell(moved)
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

  private func difference(_ finding: Finding, _ partition: ComparedPartition) -> Difference {
    let broken = unreadable.removeValue(forKey: finding.recipient)
    let (expected, published) = (finding.expected?.bytes, finding.published)
    return Difference(
      partition: partition.range, recipient: finding.recipient,
      expected: expected.map { String(decoding: $0, as: UTF8.self) },
      published: broken?.text ?? published.map { String(decoding: $0, as: UTF8.self) },
      place: broken?.place ?? finding.place, kind: finding.kind, expectedPlace: finding.expected?.place,
      reason: (expected ?? published).flatMap { reason(for: $0, finding.recipient.kind, partition.range) })
  }

  private func reason(for json: [UInt8], _ kind: Recipient.Kind, _ range: PartitionRange) -> Reason? {
    json.withUnsafeBytes { bytes in
      guard let item = try? decoder.decode(kind, value: bytes, contentType: nil) else { return nil }
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
        return result.eventId.count == 0
          ? nil : Reason(question: .event(ID(result.eventId)), room: room, range: range)
      }
    }
  }
}

import JSON
import Kafka
import RoomEngine
import RoomModel
import RoomScreen
import Settings

/// One partition of the input that is replayed as far as its published commands have been read.
final class ComparedPartition {
  let range: PartitionRange
  /// Its name's bytes.
  let topic: [UInt8]
  private let source: PartitionSource
  private let connection: any LogConnection
  /// The end of the whole log, as it was asked for last.
  private var end: Int64 = -1
  private var replayer: Replayer
  private let checksResults: Bool
  /// The lines of recipients. A room's stays; a user's is there only while something is expected, or there would be one
  /// for each user that ever grabbed.
  private var lines: [Recipient: ExpectedLine] = [:]
  /// The progress in each partition of the output.
  private var progress: [Int: Progress] = [:]
  /// The first of each kind that was read; a result has no time.
  private(set) var firsts: [Recipient.Kind: (offset: Int64, atMs: LogTime)] = [:]
  private var json = ByteBuffer()
  private(set) var isAtEnd = false
  private(set) var records = 0
  private(set) var uncheckedResults = 0
  private(set) var warnings: [String] = []
  /// The last record whose expected output can't be compared, since the output up to there was deleted; and in a line,
  /// why.
  private(set) var gone: (through: Int64, why: String)?
  /// The count of expected items that were published as expected.
  private(set) var matched = 0
  /// The count of items expected now, and the most at once.
  private(set) var waiting = 0
  private(set) var mostWaiting = 0
  /// The last record that was played, -1 before the first.
  private(set) var lastOffset: Int64 = -1

  /// Records of the input by their output in one partition there: the output of an input partition goes to each in its
  /// order.
  struct Progress {
    /// The first of which anything is there.
    let first: Int64
    /// The latest of which something has been as expected.
    var latest: Int64 = -1
  }

  /// - Parameter checksResults: whether they are published anywhere.
  init(_ range: PartitionRange, room: ID?, checksResults: Bool, _ connection: any LogConnection) {
    self.range = range
    topic = Array(range.partition.topic.utf8)
    self.checksResults = checksResults
    self.connection = connection
    source = PartitionSource(range, room: nil, connection)
    replayer = Replayer(settings: LogSettings(), room: room, hashSeed: .random(in: .min ... .max))
  }

  func knows(_ room: ID) -> Bool { replayer.knows(room) }

  var part: Double { source.progress }
  /// It waits for something that must have been published.
  var isWaiting: Bool { waiting > 0 }

  /// Its progress in that partition of the output; nil: nothing was read of it.
  func progress(in output: Int) -> Progress? { progress[output] }

  /// It was read there.
  func see(_ body: PublishedItem.Body, _ kind: Recipient.Kind, in output: Int) {
    let offset = body.recordOffset
    if progress[output] == nil { progress[output] = Progress(first: offset) }
    let (atMs, first) = (body.atMs ?? .min, firsts[kind] ?? (.max, .max))
    if (offset, atMs) < first { firsts[kind] = (offset, atMs) }
  }

  /// The next line that a recipient is to get, and has not got; the log is played until there is one, or until it can't
  /// be of that record any more: nil.
  func line(of recipient: Recipient, at offset: Int64) throws -> ExpectedLine? {
    while true {
      if let line = lines[recipient], line.head != nil { return line }
      if isAtEnd || lastOffset > offset { return nil }
      try advance()
    }
  }

  /// The last command of a room that was as expected.
  func lastPlace(of recipient: Recipient) -> Place? { lines[recipient]?.last }

  /// The rooms of which there was one.
  var rooms: some Sequence<ID> {
    lines.values.lazy.filter { $0.recipient.kind == .command && $0.last != nil }.map(\.recipient.key)
  }

  /// It was published as expected, with that record.
  func match(headOf line: ExpectedLine, offset: Int64, in output: Int) {
    matched += 1
    line.match()
    removeHead(of: line)
    if let latest = progress[output]?.latest, offset > latest { progress[output]?.latest = offset }
  }

  /// It was not published as it had to be.
  func lose(headOf recipient: Recipient) {
    if let line = lines[recipient] { removeHead(of: line) }
  }

  /// It can't be compared.
  func skip(headOf line: ExpectedLine, why: @autoclosure () -> String) {
    guard let head = line.head else { return }
    gone = (max(gone?.through ?? -1, head.place.offset), gone?.why ?? why())
    removeHead(of: line)
  }

  /// Leaves out what can't be compared: the expected items that `isGone` finds.
  func skipAll(where isGone: (Recipient, ExpectedLine.Item) -> String?) {
    for line in Array(lines.values) {
      while let head = line.head, let why = isGone(line.recipient, head) { skip(headOf: line, why: why) }
    }
  }

  private func removeHead(of line: ExpectedLine) {
    waiting -= 1
    line.removeHead()
    if line.head == nil, line.recipient.kind == .result { lines.removeValue(forKey: line.recipient) }
  }

  /// Whether no such record is in the log: it ends before that. A worker goes on meanwhile, so the end is asked for anew.
  func endsBefore(_ offset: Int64) throws -> Bool {
    if offset >= end { end = try connection.newStream().extent(of: range.partition).upperBound }
    return offset >= end
  }

  func playToEnd() throws {
    while !isAtEnd { try advance() }
  }

  /// Takes all that is expected and that nobody has seen, in its order.
  func takeMissing() -> [(Recipient, ExpectedLine.Item)] {
    var missing: [(Recipient, ExpectedLine.Item)] = []
    for line in Array(lines.values) {
      while let head = line.head {
        missing.append((line.recipient, head))
        removeHead(of: line)
      }
    }
    return missing.sorted { a, b in
      (a.1.place.offset, a.1.atMs, a.0.key, a.1.place.number) < (b.1.place.offset, b.1.atMs, b.0.key, b.1.place.number)
    }
  }

  func advance() throws {
    guard let line = try source.next() else {
      isAtEnd = true
      warnings += source.warnings
      source.close()
      return
    }
    if let warning = line.warning { warnings.append(warning) }
    let partition: PartitionReplay
    do { partition = try replayer.step(line) } catch { throw BrokenLog("\(source.place): \(error)") }
    if case .record(let record) = line.content {
      lastOffset = record.offset
      records += 1
    }
    for command in replayer.batch.commands where command.recordOffset >= range.offsets.lowerBound {
      expect(.command(command), of: partition)
    }
    for result in replayer.batch.results {
      if checksResults {
        expect(.result(result), of: partition)
      } else if replayer.isAskedFor(result.roomId) {
        uncheckedResults += 1
      }
    }
    replayer.batch.removeAll()
  }

  private func expect(_ body: PublishedItem.Body, of partition: PartitionReplay) {
    guard replayer.isAskedFor(body.roomId) else { return }
    json.removeAll()
    partition.encoder.encode(body, into: &json)
    let recipient = body.recipient
    let line: ExpectedLine
    if let known = lines[recipient] {
      line = known
    } else {
      line = ExpectedLine(recipient)
      lines[recipient] = line
    }
    line.append(
      ExpectedLine.Item(place: body.place, atMs: body.atMs ?? partition.engine.clock, bytes: Array(json.bytes)))
    waiting += 1
    mostWaiting = max(mostWaiting, waiting)
  }
}

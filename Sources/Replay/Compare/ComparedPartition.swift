import RoomModel
import Settings
import Wire

/// One partition of the input that is replayed as far as its published commands have been read.
final class ComparedPartition {
  /// A command or a result that must have been published.
  struct Expected {
    let place: Place
    /// A result has no time: it is there with its grab.
    let atMs: LogTime
    /// As JSON.
    let bytes: [UInt8]
  }

  let range: PartitionRange
  private let source: PartitionSource
  private var replayer: Replayer
  private let checksResults: Bool
  /// Each in its order.
  private var expected: [Recipient: Line] = [:]
  private var json = ByteBuffer()
  private(set) var isAtEnd = false
  private(set) var records = 0
  private(set) var uncheckedResults = 0
  private(set) var warnings: [String] = []
  /// What was expected and can't be compared, since what came of the input up to this record was deleted; and in a line,
  /// why.
  private(set) var gone: (through: Int64, why: String)?
  /// What was expected and is as it was published.
  private(set) var matched = 0
  /// What is expected now, and the most that was at once.
  private(set) var waiting = 0
  private(set) var mostWaiting = 0
  /// The last record that was played, -1 before the first.
  private(set) var lastOffset: Int64 = -1

  private struct Line {
    var items: [Expected] = []
    var start = 0
  }

  /// - Parameter checksResults: whether they are published anywhere.
  init(_ range: PartitionRange, room: String?, checksResults: Bool, _ connection: LogConnection) {
    self.range = range
    self.checksResults = checksResults
    source = PartitionSource(range, room: nil, connection)
    replayer = Replayer(settings: LogSettings(), room: room, hashSeed: .random(in: .min ... .max))
  }

  func knows(_ room: String) -> Bool { replayer.knows(room) }

  var progress: Double { source.progress }
  /// For something that must have been published.
  var isWaiting: Bool { !expected.isEmpty }

  /// The next that is expected for them; the log is played until there is one, or until it can't be one of that record
  /// any more.
  func head(of recipient: Recipient, at offset: Int64) throws -> Expected? {
    while true {
      if let line = expected[recipient] { return line.items[line.start] }
      if isAtEnd || lastOffset > offset { return nil }
      try advance()
    }
  }

  /// It was published as expected.
  func match(headOf recipient: Recipient) {
    matched += 1
    removeHead(of: recipient)
  }

  /// It can't be compared.
  func skip(headOf recipient: Recipient, why: @autoclosure () -> String) {
    guard let line = expected[recipient] else { return }
    let offset = line.items[line.start].place.offset
    gone = (max(gone?.through ?? -1, offset), gone?.why ?? why())
    removeHead(of: recipient)
  }

  /// Of all that is expected what `isGone` finds can't be compared.
  func skipAll(where isGone: (Recipient, Expected) -> String?) {
    for recipient in Array(expected.keys) {
      while let line = expected[recipient], let why = isGone(recipient, line.items[line.start]) {
        skip(headOf: recipient, why: why)
      }
    }
  }

  private func removeHead(of recipient: Recipient) {
    guard var line = expected.removeValue(forKey: recipient) else { return }
    waiting -= 1
    line.start += 1
    guard line.start < line.items.count else { return }
    if line.start >= 64, line.start * 2 > line.items.count {
      line.items.removeFirst(line.start)
      line.start = 0
    }
    expected[recipient] = line
  }

  func playToEnd() throws {
    while !isAtEnd { try advance() }
  }

  /// The first of those that nobody has seen.
  var firstMissing: (Recipient, Expected)? {
    let heads = expected.map { ($0.key, $0.value.items[$0.value.start]) }
    return heads.min { ($0.1.place.offset, $0.1.atMs, $0.0.key) < ($1.1.place.offset, $1.1.atMs, $1.0.key) }
  }

  func advance() throws {
    guard let line = try source.next() else {
      isAtEnd = true
      warnings += source.warnings
      source.close()
      return
    }
    if case .state(let state) = line.content, let warning = state.warning { warnings.append(warning) }
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
    expected[body.recipient, default: Line()].items.append(
      Expected(place: body.place, atMs: body.atMs ?? .min, bytes: Array(json.bytes)))
    waiting += 1
    mostWaiting = max(mostWaiting, waiting)
  }
}

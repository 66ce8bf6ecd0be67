import RoomModel
import Settings
import Wire

/// One partition of the input that is replayed as far as its published commands have been read.
final class ComparedPartition {
  /// A command that must have been published.
  struct Expected {
    /// Of the record that its id names.
    let offset: Int64
    let atMs: LogTime
    /// As JSON.
    let bytes: [UInt8]
  }

  let range: PartitionRange
  private let source: PartitionSource
  private var replayer: Replayer
  /// By room, each in its order.
  private var expected: [String: Line] = [:]
  private var json = ByteBuffer()
  private(set) var isAtEnd = false
  private(set) var records = 0
  private(set) var doubt: String?
  /// The last record that was played, -1 before the first.
  private(set) var lastOffset: Int64 = -1

  private struct Line {
    var commands: [Expected] = []
    var start = 0
  }

  init(_ range: PartitionRange, room: String?, _ connection: LogConnection) {
    self.range = range
    source = PartitionSource(range, room: nil, connection)
    replayer = Replayer(settings: LogSettings(), room: room, hashSeed: .random(in: .min ... .max))
  }

  var progress: Double { source.progress }
  var waitingCount: Int { expected.count }

  /// The next command that is expected of the room; the log is played until there is one, or until it can't be one of
  /// that record any more.
  func head(of room: String, at offset: Int64) throws -> Expected? {
    while true {
      if let line = expected[room] { return line.commands[line.start] }
      if isAtEnd || lastOffset > offset { return nil }
      try advance()
    }
  }

  func removeHead(of room: String) {
    guard var line = expected.removeValue(forKey: room) else { return }
    line.start += 1
    guard line.start < line.commands.count else { return }
    if line.start >= 64, line.start * 2 > line.commands.count {
      line.commands.removeFirst(line.start)
      line.start = 0
    }
    expected[room] = line
  }

  func playToEnd() throws {
    while !isAtEnd { try advance() }
  }

  /// The first of those that nobody has seen.
  var leftOver: (room: String, Expected)? {
    let heads = expected.map { (room: $0.key, $0.value.commands[$0.value.start]) }
    return heads.min { ($0.1.offset, $0.1.atMs, $0.room) < ($1.1.offset, $1.1.atMs, $1.room) }
  }

  private func advance() throws {
    guard let line = try source.next() else {
      isAtEnd = true
      doubt = doubt ?? source.doubts.first
      source.close()
      return
    }
    if case .state(let state) = line.content { doubt = state.doubt }
    let partition: PartitionReplay
    do { partition = try replayer.step(line) } catch { throw BrokenLog("\(source.place): \(error)") }
    if case .record(let record) = line.content {
      lastOffset = record.offset
      records += 1
    }
    for command in replayer.batch.commands
    where command.recordOffset >= range.offsets.lowerBound && replayer.isAskedFor(command.roomId) {
      json.removeAll()
      partition.encoder.encode(command, into: &json)
      expected[command.roomId.description, default: Line()].commands.append(
        Expected(offset: command.recordOffset, atMs: command.atMs, bytes: Array(json.bytes)))
    }
    replayer.batch.removeAll()
  }
}

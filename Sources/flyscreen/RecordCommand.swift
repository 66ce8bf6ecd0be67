import Replay
import RoomModel
import Settings
import Wire

extension Command {
  static let record = Command(
    name: "record",
    summary: "saves a part of an input topic with its journal as a file, which replays anywhere",
    options: LogInput.topicOptions + [
      CommandOption("room", "ROOM", "of other rooms' records only the time and the offset"),
      CommandOption("output", "FILE", "compressed if it ends in .gz or .zst"),
    ],
    needs: ["topic", "output"],
    settings: ["topics"]
  ) { invocation in
    let path = try invocation.arguments.required("output")
    let room = invocation.arguments["room"]
    do {
      _ = try LogInput.topicSettings(invocation, for: "record")
      let ranges = try LogInput.ranges(invocation)
      LogInput.printLate(ranges, "record")
      let source = try TopicSource(ranges, room: room, order: .byTime, LogInput.properties(invocation))
      try Recording(room: room).save(source, as: path)
    } catch let error as BrokenLog {
      throw CommandFailure(.failed, error.description)
    }
    return .done
  }
}

/// Carries lines from the broker to a file.
private struct Recording: ~Copyable {
  private var filter: RoomFilter?
  /// Those of which a line is written, by topic.
  private var begun: [String: Set<Int32>] = [:]
  private var bar = ProgressBar()

  private static var chunkBytes: Int { 1 << 18 }

  init(room: String?) { filter = room.map { RoomFilter(room: $0) } }

  consuming func save(_ source: any LogSource, as path: String) throws {
    var file = try LogFileOutput(path: path)
    var writer = LogLineWriter()
    var records = 0
    while var line = try source.next() {
      line.printWarning("record")
      if case .record = line.content { records += 1 }
      filter?.apply(to: &line)
      if let settings = settings(before: line) { writer.write(settings, into: &file.bytes) }
      writer.write(line, into: &file.bytes)
      if file.bytes.count >= Self.chunkBytes { try file.flush() }
      bar.show(records, source.progress)
    }
    try file.close()
    bar.clear()
    source.printWarnings("record")
  }

  /// Of a partition that begins with no other: the defaults, which the journal leaves out. Whoever replays the file may
  /// have others.
  private mutating func settings(before line: LogLine) -> LogLine? {
    guard begun[line.topic.description, default: []].insert(line.partition).inserted else { return nil }
    switch line.content {
    case .settings, .state: return nil
    case .record, .firedTo:
      return LogLine(topic: line.topic, partition: line.partition, content: .settings(LogSettings()))
    }
  }
}

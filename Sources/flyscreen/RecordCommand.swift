import JSON
import Replay
import RoomModel
import RoomScreen
import Settings

extension Subcommand {
  static let record = Subcommand(
    name: "record",
    summary: "saves a range of input topics, with the journal, as a file that replays anywhere",
    options: LogInput.topicOptions + [
      CommandOption("room", "ROOM", "keeps the content of this room's records only; of others time and offset"),
      CommandOption("output", "FILE", "file to write; compressed if its name ends in .gz or .zst"),
    ],
    needs: ["topic", "output"],
    settings: ["topics", "kafka"]
  ) { invocation in
    let path = try invocation.arguments.required("output")
    let room = invocation.arguments["room"].map { ID($0) }
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
  private var bar = ProgressBar()

  private static var chunkBytes: Int { 1 << 18 }

  init(room: ID?) { filter = room.map { RoomFilter(room: $0) } }

  consuming func save(_ source: any LogSource, as path: String) throws {
    var file = try LogFileOutput(path: path)
    var writer = LogLineWriter()
    var records = 0
    while var line = try source.next() {
      line.printWarning("record")
      if case .record = line.content { records += 1 }
      filter?.apply(to: &line)
      writer.write(line, into: &file.bytes)
      if file.bytes.count >= Self.chunkBytes { try file.flush() }
      bar.show(records, source.progress)
    }
    try file.close()
    bar.clear()
    source.printWarnings("record")
  }
}

import Kafka
import Replay
import Settings

/// Where a command's log comes from: a file, or a part of an input topic.
enum LogInput {
  static let fileOptions = [CommandOption("input", "FILE", "the log: one record a line, as JSON (.gz and .zst too)")]

  static let topicOptions = [
    CommandOption("topic", "T", "the log: an input topic, or several with commas between them"),
    CommandOption(
      "from", "WHEN", "offset:N (with --partition), an ISO 8601 time (UTC without a zone), -15m [beginning]"),
    CommandOption("to", "WHEN", "the same; records of that time or later are left out [the end as it is now]"),
    CommandOption("partition", "N", "this partition of the topic alone [all]"),
  ]

  /// - Parameter room: the state of rooms is that of this one alone.
  static func open(
    _ invocation: Invocation, room: String? = nil, order: TopicSource.Order = .oneByOne
  ) throws -> any LogSource {
    let arguments = invocation.arguments
    switch (arguments["input"], arguments["topic"]) {
    case (let path?, nil):
      for option in topicOptions where arguments.has(option.name) {
        throw SettingsError("--\(option.name) goes with --topic; a file is replayed as it is")
      }
      return try LogFileSource(path: path)
    case (nil, .some): return try TopicSource(ranges(invocation), room: room, order: order, try properties(invocation))
    case (nil, nil): throw SettingsError("--input FILE or --topic T is missing: what is to be replayed?")
    case (.some, .some): throw SettingsError("--input and --topic are both there; a log comes from one of them")
    }
  }

  static func properties(_ invocation: Invocation) throws -> KafkaProperties {
    _ = try invocation.configuration.bootstrapServers()
    return try KafkaProperties(invocation.configuration.kafka)
  }
}

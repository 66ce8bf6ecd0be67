import Foundation
import Kafka
import Replay
import RoomScreen
import Settings

/// The source of a command's log: a file, or a part of an input topic.
enum LogInput {
  /// Runs `body` with log times told in the zone of `--zone`.
  static func withZone<Value>(_ invocation: Invocation, _ body: () throws -> Value) throws -> Value {
    guard let text = invocation.arguments["zone"] else { return try body() }
    let zone = try TimeZone.given(text)
    let shown = ShownZone(name: zone == .gmt ? "UTC" : text) {
      Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0) / 1000))) * 1000
    }
    return try ShownZone.$current.withValue(shown, operation: body)
  }

  static let fileOptions = [
    CommandOption("input", "FILE", "the log: one record a line, as JSON (.gz and .zst too)"),
    CommandOption("settings", "FILE", "settings in force before the first line of a file that begins with none"),
  ]

  static let topicOptions = [
    CommandOption("topic", "T", "the log: an input topic, or several separated by commas"),
    CommandOption(
      "from", "WHEN", "offset:N (with --partition), 20:31 (the last one), an ISO 8601 time, -15m [beginning]"),
    CommandOption("to", "WHEN", "end of the range, exclusive; in the forms of --from [now]"),
    CommandOption(
      "zone", "ZONE", "time zone of printed times, and of given ones that name none: Asia/Shanghai, +08:00 [UTC]"),
    CommandOption("partition", "N", "reads this partition of the topic only [all]"),
  ]

  /// The log, and the settings in force before its first line.
  ///
  /// - Parameter room: if given, of a topic the partitions where its keys belong.
  static func open(
    _ invocation: Invocation, for command: String, room: ID? = nil
  ) throws -> (source: any LogSource, settings: LogSettings) {
    let arguments = invocation.arguments
    switch (arguments["input"], arguments["topic"]) {
    case (let path?, nil):
      for option in topicOptions where option.name != "zone" && arguments.has(option.name) {
        throw SettingsError("--\(option.name) goes with --topic; a file is replayed as it is")
      }
      return try openFile(path, invocation, for: command)
    case (nil, .some):
      let settings = try topicSettings(invocation, for: command)
      let ranges = try room.map { try Self.ranges(invocation, of: $0) } ?? ranges(invocation)
      printLate(ranges, command)
      return (try TopicSource(ranges, order: .byTime, try properties(invocation)), settings)
    case (nil, nil): throw SettingsError("--input FILE or --topic T is missing: what is to be replayed?")
    case (.some, .some): throw SettingsError("--input and --topic are both there; a log comes from one of them")
    }
  }

  static func properties(_ invocation: Invocation) throws -> KafkaProperties {
    _ = try invocation.configuration.bootstrapServers()
    return try KafkaProperties(invocation.configuration.kafka)
  }
}

import Foundation
import Kafka
import Replay
import RoomModel
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
    case (nil, .some): return TopicSource(try ranges(invocation), room: room, order: order, try properties(invocation))
    case (nil, nil): throw SettingsError("--input FILE or --topic T is missing: what is to be replayed?")
    case (.some, .some): throw SettingsError("--input and --topic are both there; a log comes from one of them")
    }
  }

  static func properties(_ invocation: Invocation) throws -> KafkaProperties {
    _ = try invocation.configuration.bootstrapServers()
    return try KafkaProperties(invocation.configuration.kafka)
  }

  /// What `--from` and `--to` say.
  static func places(_ invocation: Invocation) throws -> (from: LogPlace?, to: LogPlace?) {
    let nowMs = LogTime(Date().timeIntervalSince1970 * 1000)
    return (
      try LogPlace(invocation.arguments["from"], option: "from", nowMs: nowMs),
      try LogPlace(invocation.arguments["to"], option: "to", nowMs: nowMs)
    )
  }

  static func ranges(_ invocation: Invocation) throws -> [PartitionRange] {
    let arguments = invocation.arguments
    let topics = try arguments.required("topic").split(separator: ",").map(String.init)
    let places = try places(invocation)
    let (from, to) = (places.from ?? .beginning, places.to ?? .end)
    let partition = try arguments.integer("partition", Int32(0)...Int32.max)
    let ranges = try topics.flatMap { topic in
      try TopicRange(topic, properties(invocation)).partitions(partition, from: from, to: to)
    }
    if ranges.count > 1 {
      for case .offset(let offset) in [from, to] {
        let missing = topics.count > 1 ? "one topic and --partition N" : "--partition N too (\(topics[0]) has several)"
        throw SettingsError("offset:\(offset) is one of a partition: give \(missing)")
      }
    }
    return ranges
  }
}

extension LogPlace {
  /// As people write it; nil: they didn't.
  init?(_ text: String?, option: String, nowMs: LogTime) throws(SettingsError) {
    guard let text else { return nil }
    if text.hasPrefix("offset:"), let offset = Int64(text.dropFirst(7)), offset >= 0 {
      self = .offset(offset)
    } else if let ago = Self.ago(text) {
      self = .time(nowMs - ago)
    } else if let time = Self.time(text) {
      self = .time(time)
    } else {
      throw SettingsError(
        "--\(option): '\(text)' will not do; give offset:17, a time like 2026-11-21T20:31:00Z, or -15m")
    }
  }

  /// `-90s`, `-15m`, `-2h`, `-1d`.
  private static func ago(_ text: String) -> Milliseconds? {
    let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard text.hasPrefix("-"), let unit = text.last.flatMap({ units[$0] }),
      let number = Int64(text.dropFirst().dropLast()), 0...1_000_000 ~= number
    else { return nil }
    return number * unit
  }

  /// ISO 8601, with or without fractions of a second; without a zone it is UTC.
  private static func time(_ text: String) -> LogTime? {
    var text = text.replacingOccurrences(of: " ", with: "T")
    let clock = text.firstIndex(of: "T").map { text[$0...] } ?? ""
    if clock.isEmpty {
      text += "T00:00:00"
    } else if clock.filter({ $0 == ":" }).count == 1 && clock.count == 6 {
      text += ":00"
    }
    if !clock.contains("Z"), !clock.contains("+"), !clock.contains("-") { text += "Z" }
    for options: ISO8601DateFormatter.Options in [
      .withInternetDateTime, [.withInternetDateTime, .withFractionalSeconds],
    ] {
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions = options
      if let date = formatter.date(from: text) { return LogTime((date.timeIntervalSince1970 * 1000).rounded()) }
    }
    return nil
  }
}

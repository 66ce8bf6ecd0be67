import Foundation
import Kafka
import Platform
import Replay
import RoomModel
import RoomScreen
import Settings

extension LogInput {
  /// The range of `--from` and `--to`.
  static func places(_ invocation: Invocation) throws -> (from: LogPlace?, to: LogPlace?) {
    let nowMs = WallClock.nowMs()
    let zone = try TimeZone.given(invocation.arguments["zone"])
    let from = try LogPlace(invocation.arguments["from"], option: "from", nowMs: nowMs, zone)
    var to = try LogPlace(invocation.arguments["to"], option: "to", nowMs: nowMs, zone)
    // A time of day is the last there was, but one that ends a range comes after its beginning.
    if case (.time(let first)?, .time(let last)?) = (from, to), last < first,
      LogPlace.isTimeOfDay(invocation.arguments["to"])
    {
      to = .time(last + 86_400_000)
    }
    switch (from, to) {
    case (.time(let first), .time(let last)) where last < first,
      (.offset(let first), .offset(let last)) where last < first:
      throw SettingsError("--to is before --from; give the earlier one to --from")
    default: return (from, to)
    }
  }

  /// Nil: none is given.
  static func topics(_ invocation: Invocation) throws(SettingsError) -> [String]? {
    try invocation.arguments.list("topic").map { names in
      names.reduce(into: []) { topics, name in if !topics.contains(name) { topics.append(name) } }
    }
  }

  static func ranges(_ invocation: Invocation) throws -> [PartitionRange] {
    let arguments = invocation.arguments
    _ = try arguments.required("topic")
    let topics = try topics(invocation) ?? []
    let places = try places(invocation)
    let (from, to) = (places.from ?? .beginning, places.to ?? .end)
    let partition = try givenPartition(invocation)
    let logs = try topics.map {
      try TopicRange($0, properties(invocation), helpers: invocation.configuration.topics.helpers)
    }
    if topics.count > 1 || partition == nil, try logs.reduce(0, { try $0 + $1.partitionCount() }) > 1 {
      for case .offset(let offset) in [from, to] {
        let missing = topics.count > 1 ? "one topic and --partition N" : "--partition N too (\(topics[0]) has several)"
        throw SettingsError("offset:\(offset) is one of a partition: give \(missing)")
      }
    }
    let ranges = try logs.flatMap { try $0.partitions(partition, from: from, to: to) }
    try check(ranges, of: topics, invocation)
    return ranges
  }

  /// The ranges of each topic (`--topic`, or all inputs): the given partition, or else the one of the room's keys.
  ///
  /// - Parameter isExact: false: also ranges where the state of the rooms is not known.
  static func ranges(_ invocation: Invocation, of room: ID, isExact: Bool = true) throws -> [PartitionRange] {
    try ranges(invocation, of: room, isExact: isExact) { $0 == $1 }
  }

  /// All other partitions, where a room is looked for that is not where its keys belong; nil: there is no more to look
  /// through.
  static func otherRanges(_ invocation: Invocation, than room: ID, for command: String) throws -> [PartitionRange]? {
    if try givenPartition(invocation) != nil { return nil }
    // An offset is one of the partition where the key belongs.
    switch try places(invocation) {
    case (.offset, _), (_, .offset): return nil
    default: break
    }
    // Some of them may well be empty.
    let ranges = try ranges(invocation, of: room, isExact: true, mayBeEmpty: true) { $0 != $1 }
    if ranges.isEmpty { return nil }
    Flyscreen.printError(
      "\(command): not where a key \(room) belongs (murmur2), so all other partitions are looked through, too")
    return ranges
  }

  /// The partition of the room's keys in each topic, up to where it had come at that time.
  ///
  /// - Parameter lookback: the least number of records to go through.
  static func ranges(
    _ invocation: Invocation, of room: ID, at time: LogTime, lookback: Int64, isExact: Bool
  ) throws -> (ranges: [PartitionRange], gone: [TopicPartition]) {
    var (ranges, gone) = ([PartitionRange](), [TopicPartition]())
    for name in try topics(invocation) ?? invocation.configuration.topics.input {
      let topic = try TopicRange(name, properties(invocation), helpers: invocation.configuration.topics.helpers)
      let number = try givenPartition(invocation) ?? topic.partition(ofKey: room.string)
      if let range = try topic.partition(number, at: time, lookback: lookback, isExact: isExact) {
        ranges.append(range)
      } else {
        gone.append(TopicPartition(name, number))
      }
    }
    return (ranges, gone)
  }

  /// - Parameters:
  ///   - mayBeEmpty: nothing is said of it if no record is in the range.
  ///   - isWanted: is told a partition's number, and that where the room's keys belong.
  private static func ranges(
    _ invocation: Invocation, of room: ID, isExact: Bool, mayBeEmpty: Bool = false, _ isWanted: (Int32, Int32) -> Bool
  ) throws -> [PartitionRange] {
    let topics = try topics(invocation) ?? invocation.configuration.topics.input
    let (from, to) = try places(invocation)
    if topics.count > 1 {
      for case .offset(let offset)? in [from, to] {
        throw SettingsError("offset:\(offset) is one of a topic's partition: give --topic T too")
      }
    }
    let given = try givenPartition(invocation)
    let ranges = try topics.flatMap { name in
      let topic = try TopicRange(name, properties(invocation), helpers: invocation.configuration.topics.helpers)
      let home = try topic.partition(ofKey: room.string)
      let numbers = try given.map { [$0] } ?? (0..<topic.partitionCount()).filter { isWanted($0, home) }
      return try numbers.flatMap {
        try topic.partitions($0, from: from ?? .beginning, to: to ?? .end, isExact: isExact)
      }
    }
    try check(ranges, of: topics, invocation, mayBeEmpty: mayBeEmpty)
    return ranges
  }

  static func givenPartition(_ invocation: Invocation) throws(SettingsError) -> Int32? {
    try invocation.arguments.integer("partition", Int32(0)...Int32.max)
  }

  /// Says of which partitions it begins later than was asked for, and why.
  static func printLate(_ ranges: [PartitionRange], _ command: String) {
    for range in ranges {
      guard case .late(let asked, let time, let why) = range.beginning else { continue }
      Flyscreen.printError(
        "\(command): \(range.partition) begins at offset \(range.offsets.lowerBound) (\(time.dateAndClock)), not at"
          + " \(asked): how the rooms stood before can't be told: \(why)")
    }
  }

  /// Says which part of the range is no longer there, or that the range is empty.
  private static func check(
    _ ranges: [PartitionRange], of topics: [String], _ invocation: Invocation, mayBeEmpty: Bool = false
  ) throws {
    let names = topics.joined(separator: ",")
    let isEmpty = !mayBeEmpty && ranges.allSatisfy(\.offsets.isEmpty)
    if let begins = ranges.compactMap(\.beginsLate).min() {
      let reason = "what is left of \(names) begins at \(begins.dateAndClock)"
      if isEmpty { throw CommandFailure(.failed, "\(reason): that range is gone") }
      Flyscreen.printError("\(reason): earlier records of this range were deleted by retention")
    } else if isEmpty, invocation.arguments.has("from") || invocation.arguments.has("to") {
      let partitions = ranges.count > 8 ? names : ranges.map { "\($0.partition)" }.joined(separator: ", ")
      Flyscreen.printError("no record of \(partitions) is in that range")
    }
  }
}

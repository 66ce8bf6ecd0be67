import Kafka
import Platform
import Replay
import RoomModel
import Settings

extension LogInput {
  /// What `--from` and `--to` say.
  static func places(_ invocation: Invocation) throws -> (from: LogPlace?, to: LogPlace?) {
    let nowMs = WallClock.nowMs()
    let from = try LogPlace(invocation.arguments["from"], option: "from", nowMs: nowMs)
    let to = try LogPlace(invocation.arguments["to"], option: "to", nowMs: nowMs)
    switch (from, to) {
    case (.time(let first), .time(let last)) where last < first,
      (.offset(let first), .offset(let last)) where last < first:
      throw SettingsError("--to is before --from; give the earlier one to --from")
    default: return (from, to)
    }
  }

  /// Nil: none is given.
  static func topics(_ invocation: Invocation) throws(SettingsError) -> [String]? {
    guard let list = invocation.arguments["topic"] else { return nil }
    var topics: [String] = []
    for name in list.split(separator: ",").map(String.init) where !topics.contains(name) { topics.append(name) }
    if topics.isEmpty { throw SettingsError("--topic: '\(list)' names no topic; give one, or several with commas") }
    return topics
  }

  static func ranges(_ invocation: Invocation) throws -> [PartitionRange] {
    let arguments = invocation.arguments
    _ = try arguments.required("topic")
    let topics = try topics(invocation) ?? []
    let places = try places(invocation)
    let (from, to) = (places.from ?? .beginning, places.to ?? .end)
    let partition = try arguments.integer("partition", Int32(0)...Int32.max)
    let logs = try topics.map { try TopicRange($0, properties(invocation)) }
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

  /// Says what of the range is no longer there, or that there is nothing in it.
  static func check(_ ranges: [PartitionRange], of topics: [String], _ invocation: Invocation) throws {
    let names = topics.joined(separator: ",")
    let isEmpty = ranges.allSatisfy(\.offsets.isEmpty)
    if let begins = ranges.compactMap(\.beginsLate).min() {
      let reason = "what is left of \(names) begins at \(begins.dateAndClock) UTC"
      if isEmpty { throw CommandFailure(.failed, "\(reason): that range is gone") }
      Flyscreen.printError("\(reason): of that range the records before are gone")
    } else if isEmpty, invocation.arguments.has("from") || invocation.arguments.has("to") {
      Flyscreen.printError("no record of \(names) is in that range")
    }
  }
}

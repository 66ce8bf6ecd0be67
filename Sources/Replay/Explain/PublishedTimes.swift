package import Kafka
package import RoomModel
import Wire

/// When commands were published: Kafka's timestamps of their records.
package enum PublishedTimes {
  /// - Parameters:
  ///   - commands: of this room; those that aren't found are left out.
  ///   - topic: where commands are published.
  /// - Returns: by the commands' ids.
  package static func find(
    _ commands: [(name: CommandName, atMs: LogTime)], room: String, in topic: String, _ properties: KafkaProperties
  ) throws -> [String: LogTime] {
    guard let first = commands.map(\.atMs).min() else { return [:] }
    var wanted = Set(commands.map(\.name))
    // What came of a log is in its order: after the last that is wanted there is nothing to be found.
    var last: [Log: Int64] = [:]
    for name in wanted { last[Log(name)] = max(last[Log(name)] ?? -1, name.offset) }
    var times: [String: LogTime] = [:]
    var decoder = CommandDecoder()
    let published = try PublishedOutput(
      [(.command, topic)], fromMs: first - PublishedOutput.slackMs, room: room, properties)
    while !wanted.isEmpty, !last.isEmpty, let record = try published.next() {
      // What can't be read is none of those that are asked for.
      guard let value = record.value,
        let command = try? decoder.decode(value: value, contentType: record.contentType)
      else { continue }
      let name = CommandName(
        topic: command.topic.description, partition: command.partition, offset: command.command.recordOffset,
        place: command.command.place)
      if command.command.roomId.description == room, wanted.remove(name) != nil {
        times[name.description] = record.timestampMs
      }
      if let offset = last[Log(name)], name.offset > offset { last[Log(name)] = nil }
    }
    return times
  }

  private struct Log: Hashable {
    let topic: String
    let partition: Int32

    init(_ name: CommandName) { (topic, partition) = (name.topic, name.partition) }
  }
}

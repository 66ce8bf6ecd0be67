internal import RoomEngine
package import RoomModel
package import Settings
internal import Wire

/// The same log in two runs: as it was, and under settings that hold throughout, whatever the log says.
package struct WhatIfReplay: ~Copyable {
  package private(set) var actual = ShowStatistics()
  package private(set) var alternative = ShowStatistics()
  package private(set) var commands = (actual: 0, alternative: 0)
  package var summary: ReplaySummary { actualReplayer.summary }
  /// The least rules under which anything was played.
  package var oldestRules: Int64 { actualReplayer.oldestRules }

  private let whatIf: LogSettings
  private var actualReplayer: Replayer
  private var alternativeReplayer: Replayer

  /// - Parameters:
  ///   - settings: those that were in force before the first line.
  ///   - keepsRoomSettings: whether a room's own settings beat `whatIf`.
  package init(settings: LogSettings, whatIf: LogSettings, keepsRoomSettings: Bool, room: String?) {
    self.whatIf = whatIf
    actualReplayer = Replayer(settings: settings, room: room, hashSeed: .random(in: .min ... .max))
    alternativeReplayer = Replayer(settings: whatIf, room: room, hashSeed: .random(in: .min ... .max))
    alternativeReplayer.takesRoomSettings = keepsRoomSettings
    actualReplayer.batch.keepsSkips = true
    alternativeReplayer.batch.keepsSkips = true
  }

  package mutating func play(_ line: LogLine) throws(BrokenLog) {
    commands.actual += Self.take(try actualReplayer.step(line), line, from: &actualReplayer, into: &actual)
    if case .settings = line.content { return }
    let partition = try alternativeReplayer.step(line)
    if case .state = line.content { partition.change(to: whatIf) }
    commands.alternative += Self.take(partition, line, from: &alternativeReplayer, into: &alternative)
  }

  /// Fires every timer with a deadline up to then, that one included.
  package mutating func fire(to time: LogTime) {
    actualReplayer.eachPartition { replayer, partition in
      _ = partition.engine.fireTimers(through: time, into: &replayer.batch)
      commands.actual += Self.take(partition, nil, from: &replayer, into: &actual)
    }
    alternativeReplayer.eachPartition { replayer, partition in
      _ = partition.engine.fireTimers(through: time, into: &replayer.batch)
      commands.alternative += Self.take(partition, nil, from: &replayer, into: &alternative)
    }
  }

  /// Returns how many commands there were.
  private static func take(
    _ partition: PartitionReplay, _ line: LogLine?, from replayer: inout Replayer, into show: inout ShowStatistics
  ) -> Int {
    defer { replayer.batch.removeAll() }
    let number = ObjectIdentifier(partition).hashValue
    if case .record(let record)? = line?.content, let event = replayer.lastEvent, replayer.isAskedFor(event.roomId) {
      let settings = partition.engine.settings
      show.arrived(
        event, offset: record.offset, at: partition.engine.clock, in: number,
        maxWaitMs: max(settings.gift.maxWaitMs, settings.wish.maxWaitMs) + 1000)
    }
    for skip in replayer.batch.skips where replayer.isAskedFor(skip.roomId) { show.skipped(skip) }
    var count = 0
    for command in replayer.batch.commands where replayer.isAskedFor(command.roomId) {
      show.sent(command, in: number)
      count += 1
    }
    return count
  }
}

internal import RoomModel

extension PartitionTask {
  /// What happened, since the task began.
  package struct Counts: Equatable, Sendable {
    package var records: Int64 = 0
    package var duplicates: Int64 = 0
    package var deadLetters: Int64 = 0
    package var timersFired: Int64 = 0
    package var checkpoints: Int64 = 0
    /// Commands, by ``RoomCommand/Body/Kind``.
    package var commands = [Int64](repeating: 0, count: RoomCommand.Body.Kind.allCases.count)
    /// Results of grabs, by ``GrabResult/Outcome``.
    package var results = [Int64](repeating: 0, count: GrabResult.Outcome.allCases.count)

    package init() {}

    mutating func add(_ other: Counts) {
      records += other.records
      duplicates += other.duplicates
      deadLetters += other.deadLetters
      timersFired += other.timersFired
      checkpoints += other.checkpoints
      for kind in commands.indices { commands[kind] += other.commands[kind] }
      for outcome in results.indices { results[outcome] += other.results[outcome] }
    }
  }
}

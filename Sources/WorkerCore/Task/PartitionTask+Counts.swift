package import RoomModel
import Wire

extension PartitionTask {
  /// Counts since the task began.
  package struct Counts: Equatable, Sendable {
    package var records: Int64 = 0
    package var duplicates: Int64 = 0
    package var deadLetters: Int64 = 0
    /// Messages under a mapping, by ``place(topic:shape:_:)``; as many as there was need for.
    package private(set) var shapes: [Int64] = []
    package var timersFired: Int64 = 0
    package var checkpoints: Int64 = 0
    /// Commands, by ``RoomCommand/Body/Kind``.
    package var commands = [Int64](repeating: 0, count: RoomCommand.Body.Kind.allCases.count)
    /// Results of grabs, by ``GrabResult/Outcome``.
    package var results = [Int64](repeating: 0, count: GrabResult.Outcome.allCases.count)

    /// Skipped units, by ``SkipKind``.
    package var skippedItems = [Int64](repeating: 0, count: SkipKind.allCases.count)
    package var skippedUnits = [Int64](repeating: 0, count: SkipKind.allCases.count)

    package init() {}

    /// What a mapping made of a message.
    package enum Mapped: String, CaseIterable, Sendable { case mapped, ignored, refused }

    /// - Parameters:
    ///   - topic: Its place among `topics.input`.
    ///   - shape: The one that fits, from 1; 0: none.
    package static func place(topic: Int32, shape: Int, _ mapped: Mapped) -> Int {
      let outcome = Mapped.allCases.firstIndex(of: mapped)!
      return (Int(topic) * (Mapping.shapeLimit + 1) + shape) * Mapped.allCases.count + outcome
    }

    mutating func count(_ count: Int64 = 1, at place: Int) {
      if place >= shapes.count { shapes += Array(repeating: 0, count: place + 1 - shapes.count) }
      shapes[place] += count
    }

    mutating func add(_ skipped: Skipped) {
      let kind = SkipKind.index(skipped.stage, skipped.reason)
      skippedItems[kind] += skipped.items
      skippedUnits[kind] += skipped.units
    }

    mutating func add(_ other: Counts) {
      records += other.records
      duplicates += other.duplicates
      deadLetters += other.deadLetters
      for place in other.shapes.indices { count(other.shapes[place], at: place) }
      timersFired += other.timersFired
      checkpoints += other.checkpoints
      for kind in commands.indices { commands[kind] += other.commands[kind] }
      for outcome in results.indices { results[outcome] += other.results[outcome] }
      for kind in skippedItems.indices {
        skippedItems[kind] += other.skippedItems[kind]
        skippedUnits[kind] += other.skippedUnits[kind]
      }
    }
  }

  /// A stage and a reason of STAGES.md, section 9.
  package struct SkipKind: Equatable, Sendable {
    package let stage: Skipped.Stage
    package let reason: Skipped.Reason

    package static let allCases = Skipped.Stage.allCases.flatMap { stage in
      Skipped.Reason.allCases.map { SkipKind(stage: stage, reason: $0) }
    }

    static func index(_ stage: Skipped.Stage, _ reason: Skipped.Reason) -> Int {
      allCases.firstIndex(of: SkipKind(stage: stage, reason: reason))!
    }
  }
}

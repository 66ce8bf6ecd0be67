package import RoomModel

/// What a restore has found in the changelog and the journal, handed out in the order of the log.
package struct RestorePlan {
  package enum Step {
    /// A room as its checkpoint in the changelog's record `at` has it; no state: it remembers nothing.
    case install(room: [UInt8], state: [UInt8], at: Int64)
    /// Of the journal's record `at`.
    case line(JournalLine.What, at: Int64)
  }

  private struct Found {
    var offset: Int64
    var state: [UInt8]
    /// Where in the changelog.
    var at: Int64
  }

  private var newest: [[UInt8]: Found] = [:]
  private var steps: [(offset: Int64, step: Step)] = []
  private var next = 0
  /// Rooms whose checkpoint was taken further on in the log: what comes before is in it.
  private var awaited: Set<[UInt8]> = []

  package init() {}

  /// A record of the changelog, in its order.
  package mutating func found(room: [UInt8], _ checkpoint: Checkpoint, at changelogOffset: Int64) {
    newest[room] = Found(offset: checkpoint.offset, state: checkpoint.state, at: changelogOffset)
  }

  /// A record of the journal, in its order.
  package mutating func found(_ line: JournalLine, at journalOffset: Int64) {
    steps.append((line.offset, .line(line.what, at: journalOffset)))
  }

  /// All was found.
  package mutating func complete() {
    let installs = newest.map {
      (offset: $0.value.offset, step: Step.install(room: $0.key, state: $0.value.state, at: $0.value.at))
    }
    awaited = Set(newest.keys)
    // Within an offset rooms first: firing timers or changing settings again does nothing to what has had it.
    steps = (installs.sorted { $0.offset < $1.offset } + steps).enumerated()
      .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .map(\.element)
    newest = [:]
  }

  /// The next thing that came before the record with `offset`.
  package mutating func step(before offset: Int64) -> Step? {
    guard next < steps.count, steps[next].offset <= offset else { return nil }
    defer { next += 1 }
    if case .install(let room, _, _) = steps[next].step { awaited.remove(room) }
    return steps[next].step
  }

  package func awaits(_ room: Text) -> Bool {
    guard !awaited.isEmpty else { return false }
    return awaited.contains(Array(room.bytes))
  }
}

package import Kafka

/// Which of a member's partitions run, and what has to be done before the others can.
///
/// A partition that the group gives away and gives back goes on from memory if what is committed is what this member
/// committed last. Any other is restored in three steps: what was committed with its offset; its part of changelog and
/// journal; its part of the input. Partitions that are restored together take each step together, and those that could
/// stay run meanwhile.
///
/// Pure: a call says what happened and returns what is to be done, in order. Answers to what was given up since come
/// with an old round and are ignored.
package struct AssignmentStateMachine {
  package enum Action: Equatable {
    /// The group's consumer reads just these, each from where its task stands.
    case read([TopicPartition])
    /// The group has them back.
    case giveUp
    /// Their tasks go; what is in memory of them is not what is committed.
    case forget([TopicPartition])
    case fetchCommitted([TopicPartition], round: Int)
    case readLogs([TopicPartition], round: Int)
    case replayInput([TopicPartition], round: Int)
    /// Whatever is being read for a restore is needed no more.
    case stopRestoring
    /// Restored or kept: from here on they work.
    case run([TopicPartition])
  }

  private enum State: Equatable {
    /// Not ours at the moment; its task is in memory. Can go on to: fetching.
    case parked
    /// Can go on to: readingLogs, running.
    case fetching
    /// Can go on to: replaying, restored.
    case readingLogs
    /// Can go on to: restored.
    case replaying
    /// Waits for those that are restored with it. Can go on to: running.
    case restored
    /// Can go on to: parked.
    case running
  }

  private var states: [TopicPartition: State] = [:]
  package private(set) var round = 0
  /// Whether the group has given it its part, be it nothing, and not taken it back.
  private var hasPart = false

  package init() {}

  package var isRestoring: Bool { states.values.contains { $0 != .running && $0 != .parked } }
  /// Whether all that the group gave works, be it nothing; false while it has given nothing.
  package var isSettled: Bool { hasPart && !isRestoring }
  package func isRunning(_ partition: TopicPartition) -> Bool { states[partition] == .running }

  /// The group gave these, all that the member has now.
  package mutating func assigned(_ partitions: [TopicPartition]) -> [Action] {
    round += 1
    hasPart = true
    let gone = states.keys.filter { !partitions.contains($0) }
    states = [:]
    for partition in partitions { states[partition] = .fetching }
    var actions = forget(gone)
    // Reading nothing at first completes the group's protocol; another rebalance can come at any time from here on.
    actions.append(.read([]))
    if !partitions.isEmpty { actions.append(.fetchCommitted(partitions.sorted(), round: round)) }
    return actions
  }

  /// What is committed is known of all that was asked for; of `unchanged` it is what their tasks committed last.
  package mutating func committedFetched(unchanged: [TopicPartition], round: Int) -> [Action] {
    guard round == self.round else { return [] }
    let fetched = all(in: .fetching)
    var others: [TopicPartition] = []
    for partition in fetched {
      if unchanged.contains(partition) {
        states[partition] = .running
      } else {
        states[partition] = .readingLogs
        others.append(partition)
      }
    }
    var actions = forget(others)
    let kept = fetched.filter { !others.contains($0) }
    if !kept.isEmpty { actions += [.read(all(in: .running)), .run(kept)] }
    if !others.isEmpty { actions.append(.readLogs(others, round: round)) }
    return actions
  }

  /// Changelog and journal of all have been read; `replaying` need a part of the input too.
  package mutating func logsRead(replaying: [TopicPartition], round: Int) -> [Action] {
    guard round == self.round else { return [] }
    for partition in all(in: .readingLogs) {
      states[partition] = replaying.contains(partition) ? .replaying : .restored
    }
    return replaying.isEmpty ? finished() : [.replayInput(replaying.sorted(), round: round)]
  }

  package mutating func inputReplayed(round: Int) -> [Action] {
    guard round == self.round else { return [] }
    for partition in all(in: .replaying) { states[partition] = .restored }
    return finished()
  }

  /// The group takes all back. With `isLost` somebody else may have them already.
  package mutating func revoked(isLost: Bool) -> [Action] {
    round += 1
    hasPart = false
    var gone: [TopicPartition] = []
    for (partition, state) in states {
      if state == .running, !isLost {
        states[partition] = .parked
      } else if state != .parked || isLost {
        states[partition] = nil
        gone.append(partition)
      }
    }
    return [.stopRestoring] + forget(gone) + [.giveUp]
  }

  /// A transaction failed: what is in memory is not what is committed. The partitions are still ours.
  package mutating func rolledBack() -> [Action] {
    round += 1
    let parked = all(in: .parked)
    let ours = states.keys.filter { states[$0] != .parked }.sorted()
    states = [:]
    for partition in ours { states[partition] = .fetching }
    var actions: [Action] = [.stopRestoring] + forget(parked + ours)
    if !ours.isEmpty { actions += [.read([]), .fetchCommitted(ours, round: round)] }
    return actions
  }

  private mutating func finished() -> [Action] {
    let restored = all(in: .restored)
    for partition in restored { states[partition] = .running }
    return [.stopRestoring, .run(restored), .read(all(in: .running))]
  }

  private func all(in state: State) -> [TopicPartition] {
    states.filter { $0.value == state }.map(\.key).sorted()
  }

  private func forget(_ partitions: [TopicPartition]) -> [Action] {
    partitions.isEmpty ? [] : [.forget(partitions.sorted())]
  }
}

import Recovery

/// A member's knowledge of one partition: its phase, and its state in memory.
///
/// From any phase: one that is lost or given to another member is forgotten, and so is one that the group takes back
/// before it runs. A transaction that failed sends all back to `fetching` with nothing in memory; what is parked then is
/// forgotten.
enum PartitionState {
  /// Its task, and its last commit.
  struct Memory {
    let task: PartitionTask
    /// The last commit by this member, or the one that it was restored from; nil: there is none.
    var lastCommitted: Member.Commit.Offset?
  }

  /// The group has it at the moment. Its memory may be at the commit when it comes back. Can go on to: fetching.
  case parked(Memory)
  /// Its commit is asked for. Can go on to: running, if memory is at that commit; else readingLogs.
  case fetching(Memory?)
  /// Changelog and journal are being read. Can go on to: replaying, restored; fetching, if no broker leads one of them.
  case readingLogs(PartitionRecovery)
  /// The input is being read again up to the committed offset. Can go on to: restored; fetching, if no broker leads it.
  case replaying(PartitionRecovery)
  /// Waits for those that are restored with it. Can go on to: running.
  case restored(PartitionRecovery)
  /// Can go on to: parked.
  case running(Memory)
  /// A tool set the group back here, and no setting says that this is meant. Can go on to: fetching.
  case resting(Member.SetBack)

  /// The state in memory that may still be the committed one.
  var memory: Memory? {
    switch self {
    case .parked(let memory), .running(let memory): memory
    case .fetching(let memory): memory
    case .readingLogs, .replaying, .restored, .resting: nil
    }
  }

  /// Whether the group gave the partition and it does not work yet.
  var isRestoring: Bool {
    switch self {
    case .fetching, .readingLogs, .replaying, .restored: true
    case .parked, .running, .resting: false
    }
  }

  var phase: Member.Phase {
    switch self {
    case .parked: .parked
    case .fetching: .fetching
    case .readingLogs: .readingLogs
    case .replaying: .replaying
    case .restored: .restored
    case .running: .running
    case .resting: .resting
    }
  }

  var isParked: Bool { if case .parked = self { true } else { false } }
  var running: PartitionTask? { if case .running(let memory) = self { memory.task } else { nil } }
  var resting: Member.SetBack? { if case .resting(let setBack) = self { setBack } else { nil } }
  var restored: PartitionRecovery? { if case .restored(let recovery) = self { recovery } else { nil } }
  var replaying: PartitionRecovery? { if case .replaying(let recovery) = self { recovery } else { nil } }
  var readingLogs: PartitionRecovery? { if case .readingLogs(let recovery) = self { recovery } else { nil } }
}

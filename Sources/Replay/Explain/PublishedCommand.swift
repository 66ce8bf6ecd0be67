package import RoomModel

/// A command as it lies where commands are published.
package struct PublishedCommand: Sendable {
  /// Kafka's timestamp of its record.
  package let timeMs: LogTime
  /// Its JSON, as in STAGES.md, section 10.
  package let json: String

  package init(timeMs: LogTime, json: String) { (self.timeMs, self.json) = (timeMs, json) }

  /// The delay from which on viewers see that a command is late: as a rule nobody worked the partition off.
  package static let lateMs: Milliseconds = 1000

  func isLate(_ atMs: LogTime) -> Bool { timeMs - atMs > Self.lateMs }
}

/// A command that a replay gave.
package struct ReplayedCommand {
  package let name: CommandName
  package let atMs: LogTime
  package let json: String

  /// Words for a command that was published otherwise, or should have been published; nil: it was published as it is,
  /// it is not due yet, or that is not known.
  func otherwise(_ published: PublishedCommands) -> String? {
    switch published[name] {
    case .found(let found): found.json == json ? nil : "published otherwise: \(found.json.printable)"
    case .absent: "not published"
    case .pending, .unknown: nil
    }
  }
}

/// The published counterparts of the commands that a replay gave.
package struct PublishedCommands {
  package enum Finding {
    case found(PublishedCommand)
    /// It is not where it would be.
    case absent
    /// It is not where it would be, and the worker has not come so far.
    case pending(Standing)
    /// It was not looked for, or what was published then is gone, or was published before the topic begins.
    case unknown
  }

  /// The worker's place in a partition of the input.
  package struct Standing: Equatable, Sendable {
    /// The next record that it works through.
    package let offset: Int64
    /// The count of records from that one on.
    package let behind: Int64
    let partition: String

    package init(_ partition: String, offset: Int64, end: Int64) {
      self.partition = partition
      self.offset = offset
      behind = max(0, end - offset)
    }

    /// `the worker stands at offset 2227 of im.gifts/0, 5 records behind`
    var words: String { "the worker stands at offset \(offset) of \(partition), \(counted(behind, "record")) behind" }
  }

  private var findings: [CommandName: Finding] = [:]
  /// The worker's places in the logs that the answer is about, as far as they are known.
  package var standings: [Standing] = []

  package init() {}

  package subscript(_ name: CommandName) -> Finding {
    get { findings[name] ?? .unknown }
    set { findings[name] = newValue }
  }

  func isUnknown(_ name: CommandName) -> Bool {
    if case .unknown = self[name] { true } else { false }
  }

  /// Says of each of these that it was looked for, be it found or not.
  mutating func noteSought(_ names: [CommandName]) {
    for name in names where findings[name] == nil { findings[name] = .unknown }
  }

  /// A line about those of these that were looked for where nothing is left of that time; nil: there are none.
  func notCompared(_ commands: [ReplayedCommand]) -> String? {
    let gone = commands.count { if case .unknown? = findings[$0.name] { true } else { false } }
    if gone == 0 { return nil }
    return gone == commands.count
      ? "NOT COMPARED: nothing of this could be compared with the published commands, which are gone"
      : "NOT COMPARED: \(counted(gone, "command")) of this could not be compared with the published ones, which are gone"
  }

  /// Makes commands of this log pending that are absent, and that a worker that stands there can't have sent. After the
  /// last record that it worked through timers may be still to fire.
  package mutating func note(_ standing: Standing, topic: String, partition: Int32) {
    for (name, finding) in findings where name.topic == topic && name.partition == partition {
      if case .absent = finding, name.offset >= standing.offset - 1 { findings[name] = .pending(standing) }
    }
  }
}

package import RoomModel

/// A command as it lies where commands are published.
package struct PublishedCommand: Sendable {
  /// Kafka's timestamp of its record.
  package let timeMs: LogTime
  /// What it says, as in STAGES.md, section 8.
  package let json: String

  package init(timeMs: LogTime, json: String) {
    self.timeMs = timeMs
    self.json = json
  }

  /// Whoever sees a command this much after its time sees that it is late: as a rule nobody worked the partition off.
  package static let lateMs: Milliseconds = 1000

  func isLate(_ atMs: LogTime) -> Bool { timeMs - atMs > Self.lateMs }
}

/// A command that a replay gave.
package struct ReplayedCommand {
  package let name: CommandName
  package let atMs: LogTime
  package let json: String

  /// What was published in its place, for people; nil: it was published as it is, or what was is not known.
  func otherwise(_ published: PublishedCommands) -> String? {
    switch published[name] {
    case .found(let found): found.json == json ? nil : "published otherwise: \(found.json.printable)"
    case .absent: "not published"
    case .unknown: nil
    }
  }
}

/// What became of the commands that a replay gave.
package struct PublishedCommands {
  package enum Finding {
    case found(PublishedCommand)
    /// It is not where it would be.
    case absent
    /// It was not looked for, or what was published then is gone.
    case unknown
  }

  private var findings: [CommandName: Finding] = [:]

  package init() {}

  package subscript(_ name: CommandName) -> Finding {
    get { findings[name] ?? .unknown }
    set { findings[name] = newValue }
  }
}

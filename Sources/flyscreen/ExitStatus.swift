/// The exit status of the process (INTERFACES.md, "Command line").
enum ExitStatus: Int32 {
  case done = 0
  /// Anything that has no status of its own.
  case failed = 1
  /// The answer can't be told: the data for it is gone.
  case untold = 3
  /// Wrong usage or settings, which trying again doesn't mend.
  case usage = 64
  /// Another worker of the same name has taken this one's place.
  case replaced = 65
  /// A broker that can't be reached.
  case unreachable = 69
}

/// The failure of a command: one line that says what is wrong and what to do about it.
struct CommandFailure: Error {
  let status: ExitStatus
  let reason: String

  init(_ status: ExitStatus, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}

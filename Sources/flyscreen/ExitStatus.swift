import Kafka

/// What the process tells whoever started it (INTERFACES.md, "Command line").
enum ExitStatus: Int32 {
  case done = 0
  /// Anything that has no status of its own.
  case failed = 1
  /// Wrong usage or settings, which trying again doesn't mend.
  case usage = 64
  /// A broker that can't be reached.
  case unreachable = 69
}

/// Why a command ends other than well: one line that says what is wrong and what to do about it.
struct CommandFailure: Error {
  let status: ExitStatus
  let reason: String

  init(_ status: ExitStatus, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}

extension ExitStatus {
  /// What trying again mends is 69; what somebody must change first is 64.
  init(_ kind: KafkaError.Kind) {
    self =
      switch kind {
      case .unreachable: .unreachable
      case .authentication, .authorization, .unknownTopic, .settings: .usage
      case .fenced, .other: .failed
      }
  }
}

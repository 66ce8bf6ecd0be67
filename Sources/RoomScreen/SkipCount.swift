/// What was skipped since this screen began, for one reason.
public struct SkipCount: Sendable, Hashable {
  public let stage: Command.Skipped.Stage
  public let reason: Command.Skipped.Reason
  public internal(set) var items: Int64 = 0
  public internal(set) var units: Int64 = 0
  /// When it changed last.
  public internal(set) var atMs: Int64 = 0

  init(stage: Command.Skipped.Stage, reason: Command.Skipped.Reason) {
    self.stage = stage
    self.reason = reason
  }
}

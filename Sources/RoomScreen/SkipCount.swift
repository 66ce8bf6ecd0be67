/// What was skipped since this screen began, for one reason.
public struct SkipCount: Sendable, Hashable {
  /// Of which stage.
  public let stage: Command.Skipped.Stage
  /// Why it was not shown.
  public let reason: Command.Skipped.Reason
  /// Combos, or wishes.
  public internal(set) var items: Int64 = 0
  /// Gifts, or 1 a wish.
  public internal(set) var units: Int64 = 0
  /// When it changed last.
  public internal(set) var atMs: Int64 = 0

  init(stage: Command.Skipped.Stage, reason: Command.Skipped.Reason) {
    self.stage = stage
    self.reason = reason
  }
}

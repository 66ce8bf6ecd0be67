/// The items that were skipped since this screen began, for one reason.
public struct SkipCount: Sendable, Hashable {
  /// The stage that skipped them.
  public let stage: Command.Skipped.Stage
  /// The reason why they were not shown.
  public let reason: Command.Skipped.Reason
  /// Combos, wishes or items of the spot.
  public internal(set) var items: Int64 = 0
  /// Gifts, or 1 a wish or item of the spot.
  public internal(set) var units: Int64 = 0
  /// The log time of the last change.
  public internal(set) var atMs: Int64 = 0

  init(stage: Command.Skipped.Stage, reason: Command.Skipped.Reason) {
    self.stage = stage
    self.reason = reason
  }
}

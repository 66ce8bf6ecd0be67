package import RoomModel

/// What was skipped since this screen began, for one reason.
package struct SkipCount: Equatable, Sendable {
  package let stage: Skipped.Stage
  package let reason: Skipped.Reason
  package internal(set) var items: Int64 = 0
  package internal(set) var units: Int64 = 0
  /// When it changed last.
  package internal(set) var atMs: LogTime = 0

  init(stage: Skipped.Stage, reason: Skipped.Reason) {
    self.stage = stage
    self.reason = reason
  }
}

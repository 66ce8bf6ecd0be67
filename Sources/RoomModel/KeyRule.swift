/// The keys that an input record may have (setting `topics.key`; STAGES.md, section 2).
public enum KeyRule: String, CaseIterable, Sendable {
  /// Only the room's id: another key is not understood.
  case roomId
  case any
}

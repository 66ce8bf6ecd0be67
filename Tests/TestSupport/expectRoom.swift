package import RoomEngine
package import Testing

/// Fails unless the room draws what the script says, and nothing else. See `RoomScript`.
package func expectRoom(
  _ script: String, settings: EngineSettings = EngineSettings(), isPlain: Bool = true,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  if let difference = RoomScript(script, settings: settings, isPlain: isPlain).difference() {
    Issue.record("what was wanted (-) and what was drawn (+):\n\(difference)", sourceLocation: sourceLocation)
  }
}

import RoomEngine
import Settings
import Testing

struct SettingsChangesTests {
  @Test func whatChangesIsNamed() {
    var next = LogSettings()
    next.engine.gift.lanes = 5
    next.graceMs = 200
    #expect(LogSettings().changes(to: next) == ["gift.lanes 2 → 5", "clock.graceMs 100 → 200"])
    #expect(next.changes(to: next).isEmpty)
  }

  @Test func equalSettingsHaveEqualHashesAndOthersOthers() {
    var next = LogSettings()
    #expect(next.fingerprint == LogSettings().fingerprint)
    #expect(next.fingerprint.count == 16)
    next.engine.gift.lanes = 5
    #expect(next.fingerprint != LogSettings().fingerprint)
  }
}

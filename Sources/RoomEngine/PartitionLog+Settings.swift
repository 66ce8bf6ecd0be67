package import RoomModel

extension PartitionLog {
  /// Puts these in force from here on (STAGES.md, section 1). Does nothing where they are what they were.
  package mutating func change(to settings: EngineSettings) {
    guard settings != rules.settings else { return }
    let old = rules.with(rules.settings, epoch: rules.epoch)
    rules = rules.with(settings, epoch: rules.epoch + 1)
    for slot in 0..<rooms.slotCount where rooms.contains(slot) {
      guard rooms[slot].settingsChanged(from: old, to: rules, at: clock) else { continue }
      noteChange(of: slot)
      // The next banner may start sooner, or later.
      rooms[slot].settle()
      settle(slot)
    }
  }

  /// Ignores rooms' own values of these from here on. To be called before anything else.
  package mutating func overrule(_ settings: Set<RoomSetting>) {
    rules = Rules(
      settings: rules.settings, epoch: rules.epoch, seed: rules.seed, log: rules.log, overruled: settings)
  }
}

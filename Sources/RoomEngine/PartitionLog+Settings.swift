package import RoomModel

extension PartitionLog {
  /// From here on these are in force (STAGES.md, section 1). Where they are what they were, nothing happens.
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

  /// From here on what rooms have of their own of these has no say. To be said before anything else.
  package mutating func overrule(_ settings: Set<RoomSetting>) {
    rules = Rules(
      settings: rules.settings, epoch: rules.epoch, seed: rules.seed, log: rules.log, overruled: settings)
  }
}

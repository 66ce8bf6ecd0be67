extension PartitionLog {
  /// From here on these are in force (STAGES.md, section 1). Where they are what they were, nothing happens.
  package mutating func change(to settings: EngineSettings) {
    guard settings != rules.settings else { return }
    let old = Rules(settings: rules.settings, epoch: rules.epoch, seed: rules.seed, log: rules.log)
    rules = Rules(settings: settings, epoch: rules.epoch + 1, seed: rules.seed, log: rules.log)
    for slot in 0..<rooms.slotCount where rooms.contains(slot) {
      if rooms[slot].settingsChanged(from: old, to: rules, at: clock) { noteChange(of: slot) }
    }
  }
}

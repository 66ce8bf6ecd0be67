extension PartitionLog {
  /// From here on these are in force (STAGES.md, section 1). Where they are what they were, nothing happens.
  package mutating func change(to settings: EngineSettings) {
    guard settings != rules.settings else { return }
    let old = rules.settings
    let epoch = rules.epoch + 1
    rules = Rules(
      settings: settings, epoch: epoch, wishesSince: settings.wish == old.wish ? rules.wishesSince : epoch,
      seed: rules.seed)
    if settings.gift != old.gift {
      for slot in 0..<rooms.slotCount where rooms.contains(slot) { rooms[slot].gift.settingsChanged(rules) }
    }
  }
}

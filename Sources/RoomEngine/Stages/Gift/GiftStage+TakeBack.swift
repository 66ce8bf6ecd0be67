import RoomModel

/// Gifts that are taken back, or end with the room (STAGES.md, section 9).
extension GiftStage {
  enum TakenBack {
    /// The combo that began with this record.
    case combo(offset: Int64)
    case user(Text)
  }

  /// Takes combos back: hides those that are on lanes and forgets all of them. Returns the gifts that were not shown.
  mutating func takeBack(
    _ what: TakenBack, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) -> Unshown {
    defer { setNextTimer() }
    var unshown = Unshown()
    for lane in 0..<lanes.count {
      guard let slot = combo(on: lane), !combos[slot].isTakenBack, isOne(slot, of: what) else { continue }
      if case .showing = lanes[lane] { hide(lane, .retracted, at: now, rules, out: &out) }
      note(slot, .retracted, rules, in: &unshown, out: &out)
      // The lane becomes free as ever, and until then it is told whose view leaves.
      if !combos[slot].isApart { index.remove(UInt32(slot), hash: combos[slot].hash) }
      combos[slot].isTakenBack = true
      combos[slot].shown = combos[slot].total
    }
    for slot in queue.slots where isOne(slot, of: what) {
      note(slot, .retracted, rules, in: &unshown, out: &out)
      queue.remove(slot, in: combos, rules)
      forget(slot)
    }
    for slot in rests.items where isOne(slot, of: what) {
      out.tell(.removed(.init(combo: combos[slot].offset), .retracted))
      rests.remove(slot)
      forget(slot)
    }
    return unshown
  }

  /// Ends the stage: hides combos that are on lanes and forgets all but the streaks. Returns the gifts that were not
  /// shown.
  mutating func end(at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) -> Unshown {
    var unshown = Unshown()
    for lane in 0..<lanes.count {
      if case .showing = lanes[lane] { hide(lane, .ended, at: now, rules, out: &out) }
      if let slot = combo(on: lane), !combos[slot].isTakenBack { note(slot, .ended, rules, in: &unshown, out: &out) }
    }
    for slot in queue.slots { note(slot, .ended, rules, in: &unshown, out: &out) }
    for slot in rests.items { out.tell(.removed(.init(combo: combos[slot].offset), .ended)) }
    var streaks = Streaks()
    swap(&streaks, &self.streaks)
    self = GiftStage()
    self.streaks = streaks
    return unshown
  }

  private func isOne(_ slot: Int32, of what: TakenBack) -> Bool {
    switch what {
    case .combo(let offset): combos[slot].offset == offset
    case .user(let userId): combos[slot].userId == userId
    }
  }

  private func note(
    _ slot: Int32, _ reason: Skipped.Reason, _ rules: borrowing Rules, in unshown: inout Unshown,
    out: inout CommandOutlet
  ) {
    out.tell(.removed(.init(combo: combos[slot].offset), reason))
    let gap = combos[slot].gap
    guard gap > 0 else { return }
    unshown.add(units: gap)
    out.note(SkippedItem(combos[slot], reason, tier: combos[slot].tier(rules)))
  }
}

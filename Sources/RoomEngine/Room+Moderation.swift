import RoomModel

/// Events that change the room as a whole (STAGES.md, section 9).
extension Room {
  // MARK: Taking back

  mutating func takeBack(
    _ retract: Retract, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) {
    out.sendRetracted(retract, at: now)
    var gifts = Unshown()
    var wishes = Unshown()
    var spots = Unshown()
    let span = rules.settings.dedupe.windowMs
    switch retract.what {
    case .wish(let wishId):
      remember(.wish, wishId, at: now, for: span, rules, out: &out)
      wishes = wish.takeBack(.wish(wishId), at: now, rules, out: &out)
    case .combo(let comboId):
      if let offset = rules.offset(in: comboId) {
        gifts = gift.takeBack(.combo(offset: offset), at: now, rules, out: &out)
        if beside.spotPart.isMade { spots = spot.takeBack(.combo(offset: offset), at: now, rules, out: &out) }
      }
    case .spot(let spotId):
      remember(.spot, spotId, at: now, for: span, rules, out: &out)
      if beside.spotPart.isMade { spots = spot.takeBack(.item(spotId), at: now, rules, out: &out) }
    case .pin(let pinId):
      let isShown = pinPart.isMade && pins.takeBack(pin: pinId, at: now, out: &out)
      // One that was shown may be pinned again.
      if !isShown { remember(.pin, pinId, at: now, for: span, rules, out: &out) }
    case .goal(let goalId):
      if goalPart.isMade { goals.takeBack(goalId, at: now, out: &out) }
    case .user(let userId, let muteMs):
      let isFull = mutes.remember(.user, userId, at: now, for: muteMs, seed: rules.seed)
      if isFull { out.count { $0.forgottenRetracts &+= 1 } }
      gifts = gift.takeBack(.user(userId), at: now, rules, out: &out)
      wishes = wish.takeBack(.user(userId), at: now, rules, out: &out)
      if beside.spotPart.isMade { spots = spot.takeBack(.user(userId), at: now, rules, out: &out) }
      if beside.crowdPart.isMade { crowd.takeBack(user: userId, at: now, rules, out: &out) }
      if pinPart.isMade { pins.takeBack(user: userId, at: now, out: &out) }
    }
    for (stage, unshown) in [(Skipped.Stage.gift, gifts), (.wish, wishes), (.spot, spots)] where unshown.items > 0 {
      beside.skips.add(stage, .retracted, items: unshown.items, units: unshown.units, at: now, out: &out)
    }
  }

  private mutating func remember(
    _ kind: Retracts.Kind, _ id: Text, at now: LogTime, for span: Milliseconds, _ rules: borrowing Rules,
    out: inout CommandOutlet
  ) {
    let isFull = retracts.remember(kind, id, at: now, for: span, seed: rules.seed)
    if isFull { out.count { $0.forgottenRetracts &+= 1 } }
  }

  // MARK: Settings of its own

  /// - Parameters:
  ///   - rules: what is in force in the room.
  ///   - worker: what is in force where a room has nothing of its own.
  mutating func setOwn(
    _ settings: RoomSettings, at now: LogTime, _ rules: borrowing Rules, worker: borrowing Rules
  ) {
    if settings.set.isEmpty {
      own = nil
      change(from: rules, to: worker, at: now)
    } else {
      let new = OwnSettings(Array(settings.set), endsAt: now + settings.forMs, over: worker)
      own = new
      change(from: rules, to: new.rules, at: now)
    }
  }

  mutating func loseOwn(at now: LogTime, worker: borrowing Rules) {
    guard let old = own else { return }
    own = nil
    change(from: old.rules, to: worker, at: now)
  }

  /// The worker's settings have changed. False: nothing has that is saved.
  mutating func settingsChanged(from old: borrowing Rules, to new: borrowing Rules, at now: LogTime) -> Bool {
    // Its saved state may have been written after this change, and know of it.
    let knows = new.epoch <= knownEpoch
    guard let before = own else { return change(from: old, to: new, at: now, knows: knows) }
    let after = OwnSettings(before.set, endsAt: before.endsAt, over: new)
    own = after
    return change(from: before.rules, to: after.rules, at: now, knows: knows)
  }

  /// Changes what is in force in the room. Returns false if nothing that is saved has changed.
  @discardableResult
  private mutating func change(
    from old: borrowing Rules, to new: borrowing Rules, at now: LogTime, knows: Bool = false
  ) -> Bool {
    if new.settings.gift != old.settings.gift { gift.settingsChanged(new) }
    return !knows && wishPart.isMade && new.settings.wish != old.settings.wish
      && wish.settingsChanged(at: now, new)
  }

  // MARK: The end

  mutating func end(at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    var gifts = gift.end(at: now, rules, out: &out)
    let wishes = wish.end(at: now, out: &out)
    like.end(at: now, out: &out)
    rain.endAll(at: now, rules, out: &out)
    if beside.spotPart.isMade { spot.endShown(at: now, out: &out) }
    if beside.crowdPart.isMade { gifts.add(crowd.end(at: now, out: &out)) }
    if pinPart.isMade { pins.end(at: now, out: &out) }
    if goalPart.isMade { goals.end(at: now, out: &out) }
    let spots = beside.spotPart.isMade ? spot.end(out: &out) : Unshown()
    beside.skips.end(gifts: gifts, wishes: wishes, spots: spots, at: now, out: &out)
    beside.forgetAllButRetracts()
    own = nil
    out.send(.roomEnd(RoomEnded()), at: now)
  }
}

import RoomModel

extension Room {
  func picture(at now: LogTime, _ rules: borrowing Rules) -> RoomPicture {
    var picture = RoomPicture()
    let lanes = own?.rules.settings.gift.lanes ?? rules.gift.lanes
    for lane in 0..<max(gift.lanes.count, Int32(lanes)) {
      picture.lanes.append(gift.combo(on: lane).map { comboPicture(of: $0, rules) })
    }
    picture.queue = gift.queue.slotsInTurn.map { comboPicture(of: $0, rules) }
    picture.resting = gift.rests.items.sorted { gift.rests.key(of: $0) < gift.rests.key(of: $1) }
      .map { comboPicture(of: $0, rules) }
    picture.flying = wish.landings.items.sorted { wish.banners[$0].age < wish.banners[$1].age }
      .map { wish.picture(of: $0) }
    picture.wishQueue = wish.queue.items.sorted { wish.queue.key(of: $0) < wish.queue.key(of: $1) }
      .map { wish.picture(of: $0) }
    picture.nextBannerAt = wish.queue.isEmpty ? nil : wish.nextStartAt
    picture.burst = like.burst
    picture.rains = rain.slots.map { rain.picture(of: $0, at: now) }
    picture.spot = spot.shownPicture(at: now)
    picture.spotBecomesFreeAt = spot.becomesFreeAt == .max ? nil : spot.becomesFreeAt
    picture.spotQueue = spot.slotsInTurn.map { spot.picture(of: $0) }
    picture.crowds = crowd.ages.items.sorted { crowd.crowds[$0].age < crowd.crowds[$1].age }
      .map { crowd.picture(of: $0) }
    picture.crowdTurnEndsAt = crowd.isEmpty ? nil : crowd.turnEndsAt
    for place in 0..<pins.pins.count { picture.pins.append(pins.pins[place].picture) }
    for place in 0..<goals.goals.count { picture.goals.append(goals.goals[place].picture) }
    picture.untoldSkips = beside.skips.pictures
    picture.own = own?.picture
    return picture
  }

  /// There must be one.
  func timerPicture(_ rules: borrowing Rules) -> TimerPicture {
    let timer = nextTimer
    var picture = TimerPicture(deadline: timer.deadline, kind: timer.kind)
    switch timer.kind {
    case .laneBecomesFree, .holdRunsOut, .tick:
      picture.combo = gift.combo(on: timer.item).map { comboPicture(of: $0, rules) }
    case .restRunsOut, .giftWaitRunsOut:
      picture.combo = comboPicture(of: timer.item, rules)
    case .bannerLands, .pacedLikes, .wishWaitRunsOut:
      picture.wish = wish.picture(of: timer.item)
    case .nextBannerStarts:
      picture.wish = wish.picture(of: wish.queue.least.item)
    case .rainCountsDown, .packetDrops, .pacedTally, .rainEnds:
      picture.rain = rain.picture(of: timer.item, at: timer.deadline)
    case .spotWaitRunsOut:
      picture.spot = spot.picture(of: timer.item)
    case .pinEnds, .pinIsToldAgain:
      picture.pin = pins.pins[Int(timer.item)].picture
    case .goalEnds, .pacedGoalCount, .goalIsToldAgain:
      picture.goal = goals.goals[Int(timer.item)].picture
    case .ownSettingsRunOut, .pacedBurst, .giftOverflowSkips, .giftExpiredSkips, .giftRetractedSkips,
      .wishOverflowSkips, .wishExpiredSkips, .wishRetractedSkips, .spotOverflowSkips, .spotExpiredSkips,
      .spotRetractedSkips, .pinOverflowSkips, .pinExpiredSkips, .pinRetractedSkips, .spotBecomesFree, .crowdTurnIsOver,
      .pacedCrowdShow:
      break
    }
    return picture
  }
}

extension Room {
  /// - Parameter rules: the worker's.
  func comboPicture(of slot: Int32, _ rules: borrowing Rules) -> ComboPicture {
    if let own { return gift.picture(of: slot, own.rules) }
    return gift.picture(of: slot, rules)
  }
}

extension OwnSettings {
  fileprivate var picture: OwnSettingsPicture {
    OwnSettingsPicture(
      set: set.map { OwnSettingsPicture.Value(name: $0.setting.rawValue, value: $0.description) }, endsAt: endsAt)
  }
}

extension GiftStage {
  func combo(on lane: Int32) -> Int32? {
    switch lanes[lane] {
    case .free: nil
    case .showing(let view): view.combo
    case .leaving(let combo, _): combo
    }
  }

  /// - Parameter rules: the rules in force in the room.
  fileprivate func picture(of slot: Int32, _ rules: borrowing Rules) -> ComboPicture {
    ComboPicture(
      offset: combos[slot].offset, userId: combos[slot].userId.description, name: combos[slot].name.description,
      receiverId: combos[slot].receiverId.description, giftId: combos[slot].giftId.description,
      giftName: combos[slot].giftName.description, value: combos[slot].value, total: combos[slot].total,
      shown: combos[slot].shown, tier: combos[slot].tier(rules),
      holdMs: combos[slot].holdMs,
      ownLane: rules.gift.placement == .byUser ? Int(combos[slot].ownLane(of: rules.gift.lanes)) : nil,
      place: place(of: slot))
  }

  private func place(of slot: Int32) -> ComboPicture.Place {
    switch combos[slot].phase {
    case .queued:
      let waitEndsAt = queue.waitEnd(of: slot)
      return .queued(waitEndsAt: waitEndsAt == .max ? nil : waitEndsAt)
    case .resting: return .resting(until: rests.key(of: slot).at)
    case .onLane(let lane):
      let view = lanes.view(on: lane)
      return .onLane(
        Int(lane), ticksAt: view.ticksAt, holdEndsAt: view.holdEndsAt == .max ? nil : view.holdEndsAt,
        turnEndsAt: view.turnEndsAt == .max ? nil : view.turnEndsAt,
        leastEndsAt: view.leastEndsAt == .max ? nil : view.leastEndsAt, tier: view.tier)
    case .leaving:
      for lane in 0..<lanes.count {
        if case .leaving(slot, let freeAt) = lanes[lane] {
          return .leaving(lane: Int(lane), freeAt: freeAt, isTakenBack: combos[slot].isTakenBack)
        }
      }
      preconditionFailure("a combo that leaves a lane")
    }
  }
}

extension WishStage {
  func picture(of slot: Int32) -> WishPicture {
    let place: WishPicture.Place
    var likesDueAt: LogTime?
    switch banners[slot].phase {
    case .queued:
      place = .queued(waitEndsAt: waits.key(of: slot).at)
    case .flying(let flight):
      place = .flying(track: Int(flight.track), startedAt: flight.startedAt, landsAt: flight.landsAt)
      if banners[slot].pace.isPending { likesDueAt = min(banners[slot].pace.deadline, flight.landsAt) }
    }
    let texts = banners[slot].shownTexts
    return WishPicture(
      wishId: banners[slot].wishId.description, userId: texts.userId.description, name: texts.name.description,
      text: texts.text.description, width: banners[slot].width, likes: banners[slot].likes, likesDueAt: likesDueAt,
      place: place)
  }
}

extension LikeStage {
  var burst: BurstPicture? { pace.isPending ? BurstPicture(count: count, dueAt: pace.deadline) : nil }
}

extension RainStage {
  /// The numbers of its packets that are in the air.
  func packets(inTheAirOf slot: Int32, at now: LogTime) -> [Int64] {
    var numbers: [Int64] = []
    // Back from the last one, as far as any can still be there.
    var packet = rains[slot].dropped - 1
    while packet >= 0, now < rains[slot].packets.landsBy(packet) + rains[slot].graceMs {
      if rains[slot].isInTheAir(packet, at: now) { numbers.append(packet) }
      packet -= 1
    }
    return numbers
  }

  func picture(of slot: Int32, at now: LogTime) -> RainPicture {
    RainPicture(
      rainId: rains[slot].rainId.description, startsAt: rains[slot].packets.startsAt, endsAt: rains[slot].endsAt,
      left: rains[slot].left, dropped: rains[slot].dropped, packets: rains[slot].packets.count,
      inTheAir: Int64(packets(inTheAirOf: slot, at: now).count), opened: rains[slot].opened,
      winners: rains[slot].winners, coins: rains[slot].coins,
      coinsLeft: rains[slot].prizes.coinsLeft,
      tallyDueAt: rains[slot].pace.isPending ? min(rains[slot].pace.deadline, rains[slot].endsAt) : nil)
  }
}

extension SpotStage {
  func picture(of slot: Int32) -> SpotPicture {
    let item = SpotPicture.Item(
      kind: items[slot].kind.description, name: items[slot].name.description, giftId: items[slot].giftId.description,
      giftName: items[slot].giftName.description, text: items[slot].text.description, worth: items[slot].worth)
    return SpotPicture(
      spotId: items[slot].spotId.description, item: item, userId: items[slot].userId.description,
      place: .queued(waitEndsAt: waits.key(of: slot).at))
  }

  func shownPicture(at now: LogTime) -> SpotPicture? {
    guard isShown(at: now) else { return nil }
    return SpotPicture(
      spotId: shown.spotId.description, item: nil, userId: shown.userId.description,
      place: .shown(until: shown.endsAt))
  }
}

extension CrowdStage {
  fileprivate func picture(of slot: Int32) -> CrowdPicture {
    var names: [CrowdPicture.Name] = []
    for i in 0..<crowds[slot].names.count {
      names.append(
        CrowdPicture.Name(
          userId: crowds[slot].names[i].userId.description, name: crowds[slot].names[i].texts[1].description))
    }
    let since = crowds[slot].untoldSince
    return CrowdPicture(
      offset: crowds[slot].offset, receiverId: crowds[slot].receiverId.description,
      giftId: crowds[slot].giftId.description, giftName: crowds[slot].giftName.description,
      value: crowds[slot].value, items: crowds[slot].items, units: crowds[slot].units,
      untoldItems: crowds[slot].untoldItems, untoldUnits: crowds[slot].untoldUnits,
      untoldSince: since == .max ? nil : since, names: names, isShown: slot == shown)
  }
}

extension RoomPin {
  fileprivate var picture: PinPicture {
    PinPicture(
      pinId: pinId.description, userId: userId.description, name: texts[2].description, text: texts[4].description,
      value: value, isFirst: first != 0, startsAt: startMs, endsAt: endMs)
  }
}

extension RoomGoal {
  fileprivate var picture: GoalPicture {
    var all: [GoalPicture.Side] = []
    for place in 0..<sides.count {
      all.append(GoalPicture.Side(id: sides[place].id[0].description, total: sides[place].total))
    }
    return GoalPicture(
      goalId: goalId.description, text: texts[0].description, target: target, progress: progress, sides: all,
      startsAt: startMs, endsAt: endMs)
  }
}

extension RoomRain {
  func picture(of packet: Int64) -> PacketPicture? {
    guard packet < packets.count else { return nil }
    return PacketPicture(
      dropsAt: packets.dropsAt(packet), landsAt: packets.landsAt(packet),
      closesAt: packets.landsAt(packet) + graceMs)
  }
}

extension SkipTallies {
  fileprivate var pictures: [SkipPicture] {
    (0..<Self.kindCount).compactMap { index in
      guard tallies[index].pace.isPending else { return nil }
      let (stage, reason) = Self.kinds[index]
      return SkipPicture(
        stage: stage, reason: reason, items: tallies[index].items, units: tallies[index].units,
        dueAt: tallies[index].pace.deadline)
    }
  }
}

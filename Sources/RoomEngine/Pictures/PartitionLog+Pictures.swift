package import RoomModel

/// Watching one room: it is seen as it stands, and its timers fire one at a time. The others go on as always.
extension PartitionLog {
  /// The picture of a room of which nothing is remembered: all its lanes, free.
  package func picture(of roomId: Text) -> RoomPicture {
    if let room = find(roomId) { return rooms[room].picture(at: clock, rules) }
    var picture = RoomPicture()
    picture.lanes = Array(repeating: nil, count: Int(rules.gift.lanes))
    return picture
  }

  /// The settings in force in the room: the worker's, with its own.
  package func settings(of roomId: Text) -> EngineSettings {
    find(roomId).flatMap { rooms[$0].own?.rules.settings } ?? rules.settings
  }

  /// The numbers of combos and of wishes that are queued.
  package func queueLengths(of roomId: Text) -> (combos: Int, wishes: Int) {
    find(roomId).map { (rooms[$0].gift.queue.count, rooms[$0].wish.queue.count) } ?? (0, 0)
  }

  /// The combo that a gift would count to.
  package func combo(of roomId: Text, for gift: Lent<Gift>) -> ComboPicture? {
    guard let room = find(roomId), gift.apart == 0 else { return nil }
    let hash = Combo.hash(
      rules.seed, userId: gift.sender.userId, receiverId: gift.receiverId, giftId: gift.giftId)
    return rooms[room].gift.find(gift, hash: hash).map { rooms[room].comboPicture(of: $0, rules) }
  }

  /// Whether what comes of that user is skipped or ignored: the user is muted.
  package func isMuted(_ user: Text, in roomId: Text, at now: LogTime) -> Bool {
    find(roomId).map { rooms[$0].mutes.holds(.user, user, at: now, seed: rules.seed) } ?? false
  }

  /// Whether it is a wish or an item of the spot that was taken back before it came, and is skipped.
  package func isTakenBack(_ body: RoomEvent.Body, in roomId: Text, at now: LogTime) -> Bool {
    guard let room = find(roomId) else { return false }
    switch body {
    case .wish(let wish): return rooms[room].retracts.holds(.wish, wish.wishId, at: now, seed: rules.seed)
    case .spot(let spot): return rooms[room].retracts.holds(.spot, spot.spotId, at: now, seed: rules.seed)
    case .pin(let pin): return rooms[room].retracts.holds(.pin, pin.pinId, at: now, seed: rules.seed)
    // A retract names no other event.
    default: return false
    }
  }

  /// The wish of which an equal one that comes now is a like.
  package func wish(of roomId: Text, equalTo wish: Lent<Wish>, at now: LogTime) -> WishPicture? {
    guard let room = find(roomId) else { return nil }
    if let own = rooms[room].own { return rooms[room].wish.equal(to: wish, at: now, own.rules) }
    return rooms[room].wish.equal(to: wish, at: now, rules)
  }

  /// The item of the spot of that id, if it is queued, or shown and has not ended.
  package func spot(of roomId: Text, id: Text, at now: LogTime) -> SpotPicture? {
    guard let room = find(roomId) else { return nil }
    if let shown = rooms[room].spot.shownPicture(at: now), shown.spotId.utf8.elementsEqual(id.bytes) { return shown }
    return rooms[room].spot.find(id, hash: SpotItem.hash(rules.seed, spotId: id)).map {
      rooms[room].spot.picture(of: $0)
    }
  }

  /// The wish of that id, if it is queued or flies.
  package func wish(of roomId: Text, id: Text) -> WishPicture? {
    guard let room = find(roomId) else { return nil }
    return rooms[room].wish.find(id, hash: RoomWish.hash(rules.seed, wishId: id)).map {
      rooms[room].wish.picture(of: $0)
    }
  }

  /// The rain of that id, if it runs.
  package func rain(of roomId: Text, id: Text) -> RainPicture? {
    guard let room = find(roomId) else { return nil }
    return rooms[room].rain.find(id, hash: RoomRain.hash(rules.seed, rainId: id))
      .map { rooms[room].rain.picture(of: $0, at: clock) }
  }

  /// Whether a rain of that id began too recently for another to begin.
  package func isRemembered(rain id: Text, in roomId: Text, at now: LogTime) -> Bool {
    find(roomId).map { rooms[$0].rain.ids.holds(id, at: now, seed: rules.seed) } ?? false
  }

  /// Nil: no such rain runs, or it has fewer packets.
  package func packet(_ packet: Int64, ofRain id: Text, in roomId: Text) -> PacketPicture? {
    guard let room = find(roomId) else { return nil }
    return rooms[room].rain.find(id, hash: RoomRain.hash(rules.seed, rainId: id))
      .flatMap { rooms[room].rain.rains[$0].picture(of: packet) }
  }

  /// The packets of a running rain that are in the air, as their landings follow, with their numbers.
  package func packets(
    inTheAirOf rain: Text, in roomId: Text
  ) -> [(number: Int64, packet: PacketPicture)] {
    guard let room = find(roomId),
      let slot = rooms[room].rain.find(rain, hash: RoomRain.hash(rules.seed, rainId: rain))
    else { return [] }
    return rooms[room].rain.packets(inTheAirOf: slot, at: clock)
      .map { ($0, rooms[room].rain.rains[slot].picture(of: $0)!) }
      .sorted { ($0.1.landsAt, $0.0) < ($1.1.landsAt, $1.0) }
  }

  /// The time until which the user's next tap is a like; nil: it is none.
  package func nextTapIsLikeUntil(of roomId: Text, user: Text) -> LogTime? {
    find(roomId).flatMap { rooms[$0].like.tappers.end(of: user, seed: rules.seed) }
  }

  /// True: the room was written after that record, and knows already what came of it.
  package func knows(_ roomId: Text, record offset: Int64) -> Bool {
    find(roomId).map { rooms[$0].knownTo >= offset } ?? false
  }

  /// The room's next timer if it is due by then.
  package func nextTimer(of roomId: Text, through time: LogTime) -> TimerPicture? {
    guard let room = find(roomId), rooms[room].knownTo <= lastOffset, rooms[room].nextTimer.deadline <= time
    else { return nil }
    return rooms[room].timerPicture(rules)
  }

  /// Fires that timer, which there must be, and moves no clock: what comes next (a record, or a firing of all timers)
  /// does. Where all the room's timers have fired in this way first, everything is as if they had not.
  package mutating func fireNextTimer(of roomId: Text, into batch: inout CommandBatch) {
    guard let room = find(roomId) else { preconditionFailure("a room that has a timer") }
    CommandOutlet.lend(&batch, lastOffset: lastOffset) { out in rooms[room].fireNext(rules, out: &out) }
    noteChange(of: room)
    settle(room)
  }
}

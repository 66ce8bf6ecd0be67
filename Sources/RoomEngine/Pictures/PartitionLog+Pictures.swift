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

  /// The wish of that id, if it is queued or flies.
  package func wish(of roomId: Text, id: Text) -> WishPicture? {
    guard let room = find(roomId) else { return nil }
    return rooms[room].wish.find(id, hash: RoomWish.hash(rules.seed, wishId: id)).map {
      rooms[room].wish.picture(of: $0)
    }
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

  /// The time before which the user's next tap is a like, also if that is over; nil: no tap before it is remembered.
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

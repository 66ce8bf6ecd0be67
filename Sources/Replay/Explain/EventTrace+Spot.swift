import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The story of items of the spot, and of wishes that became likes.
extension EventTrace {
  mutating func addSpot(
    _ spot: Lent<Spot>, _ before: SpotPicture?, _ after: SpotPicture?, _ partition: PartitionReplay
  ) {
    let place = "section 7: an item comes"
    let id = spot.spotId.description.printable
    let settings = partition.settings(of: room).spot
    if let before {
      let whereabouts = if case .queued = before.place { "queued" } else { "shown" }
      return add(at, "item \(id) is \(whereabouts) already: this one is ignored", place)
    }
    guard let after else {
      let why =
        "more than queueLimit (\(settings.queueLimit)) items were queued, and of those worth least this one came last"
      add(at, "skipped (overflow): \(why)", place)
      outcome = .skipped("overflow", why: why)
      following = .skipped(.spot, .overflow)
      return
    }
    following = .spot(ID(after.spotId))
    guard case .queued(let waitEndsAt) = after.place else { return }
    let picture = room.withText { partition.engine.picture(of: $0) }
    spotWait = SpotWait(of: ID(after.spotId), at: at, in: picture, partition.shownSpot)
    add(at, "item \(id) is queued; its wait runs out \(waitEndsAt.clock)", place)
    addBefore(ID(after.spotId), in: picture, partition.shownSpot, at: at, place)
  }

  private mutating func addBefore(
    _ spotId: ID, in picture: RoomPicture, _ last: ShownSpot?, at now: LogTime, _ place: String
  ) {
    if let shown = picture.spot { add(now, "the spot shows \(shown.standing(last))", place) }
    let before = picture.spotQueue.prefix { ID($0.spotId) != spotId }.map(\.words)
    add(
      now,
      before.isEmpty
        ? "nothing stands before it in the queue"
        : "before it in the queue: " + before.prefix(6).joined(separator: ", ")
          + (before.count > 6 ? ", … and \(before.count - 6) more" : ""),
      place)
  }

  /// A `giftShow` told the tier of its combo, so an item may be queued for the spot.
  mutating func addTier(_ tier: Int64, of combo: Int64, at now: LogTime, in partition: PartitionReplay) {
    let picture = room.withText { partition.engine.picture(of: $0) }
    let id = ID("\(partitionName)/\(combo)~\(tier)")
    guard tierWait?.spotId != id, picture.spotQueue.contains(where: { ID($0.spotId) == id }) else { return }
    let place = "section 7: an item comes"
    if tierWait != nil {
      tierWait?.spotId = id
      return add(now, "with tier \(tier) it takes the place of its item in the queue of the spot", place)
    }
    add(now, "with tier \(tier) it comes to the spot, too, and is queued there", place)
    addBefore(id, in: picture, partition.shownSpot, at: now, place)
    tierWait = SpotWait(of: id, at: now, in: picture, partition.shownSpot)
  }

  /// Follows the item of its combo until it is shown or skipped.
  mutating func followTier(_ step: RoomStep, in partition: PartitionReplay) {
    guard var wait = tierWait else { return }
    wait.follow(step, in: partition)
    tierWait = wait
    for command in step.commands {
      guard case .spotShow(let show) = command.body, ID(show.spotId) == wait.spotId else { continue }
      let own = wait.wait(until: command.atMs)
      let late = own.map { ", \($0.ms.secondsWords) after it was queued: \($0.causes)" }
      if let own { tierWaits.append(own) }
      add(
        command.atMs, "spotShow of its tier \(show.tier), for \(show.durationMs) ms\(late ?? "")", "section 7: shown",
        CommandName(partition, command))
      tierWait = nil
    }
    for item in step.skips where item.stage == .spot && ID(item.id) == wait.spotId {
      endTier(wait, at: step.at, "was skipped (\(item.reason.words)): \(why(item, step, in: partition))")
      add(step.at, "its item of the spot is skipped (\(item.reason.words))", "section 7: shown")
    }
  }

  /// - Parameter words: what became of the item, which was not shown.
  mutating func endTier(_ wait: SpotWait, at now: LogTime, _ words: String) {
    tierWait = nil
    let own = wait.wait(until: now)
    if let own { tierWaits.append(own) }
    let span = own.map { ", after \($0.ms.secondsWords): \($0.causes)" } ?? ""
    spotEnding = "its item of the spot \(words)\(span)"
  }

  /// The reason for a skip of an item of the spot.
  func why(_ item: SkippedItem, _ step: RoomStep, in partition: PartitionReplay) -> String {
    switch item.reason {
    case .overflow:
      return
        "more than queueLimit (\(partition.settings(of: room).spot.queueLimit)) items were queued, and of those worth least this one came last"
    case .expired: return "it was queued for maxWaitMs\(step.spans.wait(of: item).inParentheses)"
    case .retracted, .ended:
      guard case .event(let event, let cause, _) = step.cause else { return item.reason.words }
      return "\(event.words) (\(cause.name))"
    }
  }

  mutating func addEqualWish(_ before: WishPicture, _ after: WishPicture?) {
    let place = "section 4: equal wishes"
    let whereabouts = if case .queued = before.place { "is queued" } else { "flies" }
    guard let after, after.likes > before.likes else {
      return add(
        at,
        "an equal wish (\(before.wishId.printable)) \(whereabouts), which this user had liked before: it is ignored",
        place)
    }
    add(
      at, "an equal wish (\(after.wishId.printable)) \(whereabouts): this one is a like of it, ♥\(after.likes)", place)
    following = .like(ID(after.wishId), likes: after.likes)
  }
}

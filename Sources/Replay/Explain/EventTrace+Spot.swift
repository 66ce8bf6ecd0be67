import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The story of items of the spot, and of wishes that became likes.
extension EventTrace {
  mutating func addSpot(_ spot: Lent<Spot>, _ step: RoomStep, _ partition: PartitionReplay) {
    let place = "section 7: an item comes"
    let (id, name) = (ID(spot.spotId), spot.spotId.description.printable)
    switch step.item?.fate {
    case .isQueued: return add(at, "item \(name) is queued already: this one is ignored", place)
    case .isShown: return add(at, "item \(name) is shown already: this one is ignored", place)
    default: break
    }
    if let skipped = step.skips.first(where: { $0.stage == .spot && spot.spotId == $0.id }) {
      let why = why(skipped, step)
      add(at, "skipped (overflow): \(why)", place)
      outcome = .skipped("overflow", why: why)
      following = .skipped(.spot, .overflow)
      return
    }
    following = .spot(id)
    let picture = room.withText { partition.engine.picture(of: $0) }
    guard case .queued(let waitEndsAt)? = picture.spotQueue.first(where: { ID($0.spotId) == id })?.place else { return }
    spotWait = SpotWait(of: id, at: at, in: picture, partition.shownSpot)
    add(at, "item \(name) is queued; its wait runs out \(waitEndsAt.clock)", place)
    addBefore(id, in: picture, partition.shownSpot, at: at, place)
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
      endTier(wait, at: step.at, "was skipped (\(item.reason.words)): \(why(item, step))")
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
  func why(_ item: SkippedItem, _ step: RoomStep) -> String {
    switch item.reason {
    case .overflow:
      return "more than queueLimit (\(item.limit)) items were queued, and of those worth least this one came last"
    case .expired: return "it was queued for maxWaitMs\(step.spans.wait(of: item).inParentheses)"
    case .retracted, .ended:
      guard case .event(let event, let cause, _) = step.cause else { return item.reason.words }
      return "\(event.words) (\(cause.name))"
    }
  }

  /// - Parameter picture: after it.
  mutating func addEqualWish(_ item: Decision.ItemFate, _ picture: RoomPicture) {
    let place = "section 4: equal wishes"
    let id = item.id.description.printable
    let whereabouts = if case .queued? = picture.wish(item.id)?.place { "is queued" } else { "flies" }
    guard case .liked(let likes) = item.fate else {
      return add(
        at, "an equal wish (\(id)) \(whereabouts), which this user had liked before: it is ignored", place)
    }
    add(at, "an equal wish (\(id)) \(whereabouts): this one is a like of it, ♥\(likes)", place)
    following = .like(ID(item.id), likes: likes)
  }
}

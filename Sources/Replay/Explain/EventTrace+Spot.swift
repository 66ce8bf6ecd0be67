import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The story of items of the spot, and of wishes that became likes.
extension EventTrace {
  mutating func addSpot(_ spot: Lent<Spot>, _ step: RoomStep, _ partition: PartitionReplay) {
    let rule = Rule.itemComes
    let (id, name) = (ID(spot.spotId), spot.spotId.description.printable)
    switch step.item?.fate {
    case .isQueued: return add(at, "item \(name) is queued already: this one is ignored", rule)
    case .isShown: return add(at, "item \(name) is shown already: this one is ignored", rule)
    default: break
    }
    if let skipped = step.skips.first(where: { $0.stage == .spot && spot.spotId == $0.id }) {
      let why = why(skipped, step)
      add(at, "skipped (overflow): \(why)", rule)
      outcome = .skipped("overflow", why: why)
      following = .skipped(.spot, .overflow)
      return
    }
    following = .spot(id)
    let picture = room.withText { partition.engine.picture(of: $0) }
    guard case .queued(let waitEndsAt)? = picture.spotQueue.first(where: { ID($0.spotId) == id })?.place else { return }
    waiting = Waiting(forSpotAt: at, partition.holders)
    add(at, "item \(name) is queued; its wait runs out \(waitEndsAt.clock)", rule)
    addAhead(of: id, in: picture, partition.holders, at: at, rule)
  }

  private mutating func addAhead(
    of spotId: ID, in picture: RoomPicture, _ holders: Holders, at now: LogTime, _ rule: Rule
  ) {
    if let shown = picture.spot { add(now, "the spot shows \(shown.standing(holders))", rule) }
    addAhead(picture.spotQueue.prefix { ID($0.spotId) != spotId }.map(\.words), at: now, rule)
  }

  /// A `giftShow` told the tier of its combo, so an item may be queued for the spot.
  mutating func addTier(_ tier: Int64, of combo: Int64, at now: LogTime, in partition: PartitionReplay) {
    let picture = room.withText { partition.engine.picture(of: $0) }
    let id = ID("\(partitionName)/\(combo)~\(tier)")
    guard self.tier?.id != id, picture.spotQueue.contains(where: { ID($0.spotId) == id }) else { return }
    let rule = Rule.itemComes
    if self.tier != nil {
      self.tier!.id = id
      return add(now, "with tier \(tier) it takes the place of its item in the queue of the spot", rule)
    }
    add(now, "with tier \(tier) it comes to the spot, too, and is queued there", rule)
    addAhead(of: id, in: picture, partition.holders, at: now, rule)
    self.tier = (id, Waiting(forSpotAt: now, partition.holders))
  }

  /// Follows the item of its combo until it is shown or skipped.
  mutating func followTier(_ step: RoomStep, in partition: PartitionReplay) {
    guard let (id, waiting) = tier else { return }
    for command in step.commands {
      guard case .spotShow(let show) = command.body, ID(show.spotId) == id else { continue }
      let own = waiting.wait(until: command.atMs, partition.holders)
      let late = own.map { ", \($0.ms.secondsWords) after it was queued: \($0.causes)" }
      if let own { tierWaits.append(own) }
      add(
        command.atMs, "spotShow of its tier \(show.tier), for \(show.durationMs) ms\(late ?? "")", .shown,
        CommandName(partition, command))
      tier = nil
    }
    for item in step.skips where item.stage == .spot && ID(item.id) == id {
      endTier(at: step.at, "was skipped (\(item.reason.words)): \(why(item, step))", in: partition)
      add(step.at, "its item of the spot is skipped (\(item.reason.words))", .shown)
    }
  }

  /// - Parameter words: what became of the item, which was not shown.
  mutating func endTier(at now: LogTime, _ words: String, in partition: PartitionReplay) {
    guard let waiting = tier?.waiting else { return }
    tier = nil
    let own = waiting.wait(until: now, partition.holders)
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
    let rule = Rule.equalWishes
    let id = item.id.description.printable
    let whereabouts = if case .queued? = picture.wish(item.id)?.place { "is queued" } else { "flies" }
    guard case .liked(let likes) = item.fate else {
      return add(
        at, "an equal wish (\(id)) \(whereabouts), which this user had liked before: it is ignored", rule)
    }
    add(at, "an equal wish (\(id)) \(whereabouts): this one is a like of it, ♥\(likes)", rule)
    following = .like(ID(item.id), likes: likes)
  }
}

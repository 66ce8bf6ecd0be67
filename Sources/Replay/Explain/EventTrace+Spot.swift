import RoomEngine
import RoomModel

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
      add(
        at,
        "skipped (overflow): more than queueLimit (\(settings.queueLimit)) items were queued, and this one was worth least",
        place)
      outcome = .skipped("overflow")
      following = .skipped(.spot, .overflow)
      return
    }
    following = .spot(after.spotId)
    guard case .queued(let waitEndsAt) = after.place else { return }
    let picture = room.withText { partition.engine.picture(of: $0) }
    spotWait = SpotWait(of: after.spotId, at: at, in: picture)
    add(at, "item \(id) is queued; its wait runs out \(waitEndsAt.clock)", place)
    if let shown = picture.spot { add(at, "the spot shows \(shown.standing)", place) }
    let before = picture.spotQueue.prefix { $0.spotId != after.spotId }.map(\.words)
    add(
      at,
      before.isEmpty
        ? "nothing stands before it"
        : "before it: " + before.prefix(6).joined(separator: ", ")
          + (before.count > 6 ? ", … and \(before.count - 6) more" : ""),
      place)
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
    following = .like(after.wishId, likes: after.likes)
  }
}

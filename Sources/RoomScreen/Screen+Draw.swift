/// The effects of commands that are more than a line of `Kinds.swift`.
extension Screen {
  // MARK: Gifts

  /// A refresh moves nothing: who had entered when the combo came still has.
  mutating func draw(_ show: Command.GiftShow, _ command: Command) {
    let place = items.gifts.firstIndex { $0.lane >= show.lane } ?? items.gifts.count
    let isTaken = place < items.gifts.count && items.gifts[place].lane == show.lane
    let isRefresh = isTaken && items.gifts[place].id == show.comboId && items.gifts[place].phase == .shown
    let view = GiftView(
      show, command: command.id, atMs: command.atMs, bumpedAtMs: isRefresh ? items.gifts[place].bumpedAtMs : nil)
    if isTaken { items.gifts[place] = view } else { items.gifts.insert(view, at: place) }
  }

  mutating func draw(_ bump: Command.GiftBump, _ command: Command) {
    // A reader that began in the middle hears of combos it has not been shown; a refresh will show them.
    guard let place = place(of: bump.comboId, lane: bump.lane) else { return }
    items.gifts[place].bump(to: bump.count, atMs: command.atMs)
  }

  mutating func draw(_ hide: Command.GiftHide, _ command: Command) {
    guard let place = place(of: hide.comboId, lane: hide.lane) else { return }
    let untilMs = command.atMs.plus(hide.exitMs)
    if ends(at: untilMs) {
      items.gifts[place].leave(with: hide.count, untilMs: untilMs)
    } else {
      items.gifts.remove(at: place)
    }
  }

  private func place(of comboId: ID, lane: Int) -> Int? {
    items.gifts.firstIndex { $0.lane == lane && $0.id == comboId && $0.phase == .shown }
  }

  // MARK: Wishes and likes

  mutating func draw(_ fly: Command.WishFly, _ command: Command) {
    let banner = Banner(fly, command: command.id, startMs: command.atMs)
    guard ends(at: banner.landMs) else { return }
    let place = items.banners.lastIndex { $0.startMs <= banner.startMs }.map { $0 + 1 } ?? 0
    items.banners.insert(banner, at: place)
  }

  mutating func draw(_ likes: Command.WishLikes, _ command: Command) {
    guard let place = items.banners.lastIndex(where: { $0.wishId == likes.wishId }) else { return }
    items.banners[place].likes = likes.likes
    items.banners[place].likedAtMs = command.atMs
  }

  mutating func draw(_ gone: Command.WishGone, _ command: Command) {
    let log = CommandID.log(of: command.id)
    items.banners.removeAll { $0.wishId == gone.wishId && CommandID.log(of: $0.id).elementsEqual(log) }
  }

  mutating func draw(_ burst: Command.LikeBurst, _ command: Command) {
    let drawn = Burst(id: command.id, atMs: command.atMs, count: burst.count, points: burst.points)
    guard ends(at: drawn.endMs) else { return }
    if items.bursts.count == Self.burstLimit { items.bursts.removeFirst() }
    items.bursts.append(drawn)
  }

  mutating func draw(_ show: Command.SpotShow, _ command: Command) {
    let view = SpotView(command: command.id, show: show, startMs: command.atMs)
    if ends(at: view.endMs) { items.spot = view }
  }

  // MARK: Pins and goals

  /// One that is told again keeps its place.
  mutating func draw(_ show: Command.PinShow, _ command: Command) {
    items.pins.removeAll { $0.id == show.pinId }
    guard ends(at: show.endMs) else { return }
    let place = items.pins.firstIndex { ($0.startMs, $0.id) > (show.startMs, show.pinId) } ?? items.pins.count
    items.pins.insert(PinView(command: command.id, show: show, toldAtMs: command.atMs), at: place)
  }

  mutating func draw(_ show: Command.GoalShow, _ command: Command) {
    let known = items.goals.firstIndex { $0.id == show.goalId }.map { items.goals.remove(at: $0) }
    let view = GoalView(show, command: command.id, toldAtMs: command.atMs, before: known)
    let place = items.goals.firstIndex { ($0.startMs, $0.id) > (view.startMs, view.id) } ?? items.goals.count
    items.goals.insert(view, at: place)
  }

  mutating func draw(_ count: Command.GoalCount, _ command: Command) {
    // A reader that began in the middle hears of goals that it has not been shown; they are told again.
    guard let place = items.goals.firstIndex(where: { $0.id == count.goalId }) else { return }
    items.goals[place].count(count, atMs: command.atMs)
  }

  // MARK: Rains and skips

  mutating func draw(_ drop: Command.RainDrop, _ command: Command) {
    let drawn = Rain.Drop(id: command.id, body: drop, startMs: command.atMs)
    guard ends(at: drawn.landMs) else { return }
    items.rains[rain(drop.rainId, toldMs: drawn.landMs)].drops.append(drawn)
  }

  /// The place of the rain of this name, from now on; told of until `toldMs`.
  mutating func rain(_ rainId: ID, toldMs: Int64) -> Int {
    let place = items.rains.firstIndex { $0.id >= rainId } ?? items.rains.count
    if place == items.rains.count || items.rains[place].id != rainId { items.rains.insert(Rain(id: rainId), at: place) }
    items.rains[place].lastMs = max(items.rains[place].lastMs, toldMs)
    return place
  }

  mutating func draw(_ skipped: Command.Skipped, _ command: Command) {
    let place =
      skips.firstIndex { $0.stage == skipped.stage && $0.reason == skipped.reason }
      ?? {
        skips.append(SkipCount(stage: skipped.stage, reason: skipped.reason))
        return skips.count - 1
      }()
    skips[place].items = skips[place].items.plus(skipped.items)
    skips[place].units = skips[place].units.plus(skipped.units)
    skips[place].atMs = command.atMs
  }

  // MARK: The end

  /// Removes what came from this input partition. The room may go on in another.
  mutating func end(with command: Command) {
    let log = CommandID.log(of: command.id)
    removeParts { part, _ in !CommandID.log(of: part).elementsEqual(log) }
    roomEnd = command
  }
}

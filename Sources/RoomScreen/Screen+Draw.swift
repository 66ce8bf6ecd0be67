/// The effects of commands on a screen.
extension Screen {
  // MARK: Gifts

  /// A refresh moves nothing: who had entered when the combo came still has.
  mutating func draw(_ show: Command.GiftShow, _ command: Command) {
    let place = gifts.firstIndex { $0.lane >= show.lane } ?? gifts.count
    let isTaken = place < gifts.count && gifts[place].lane == show.lane
    let isRefresh = isTaken && gifts[place].id == show.comboId && gifts[place].phase == .shown
    let view = GiftView(
      show, command: command.id, atMs: command.atMs, bumpedAtMs: isRefresh ? gifts[place].bumpedAtMs : nil)
    if isTaken { gifts[place] = view } else { gifts.insert(view, at: place) }
  }

  mutating func draw(_ bump: Command.GiftBump, _ command: Command) {
    // A reader that began in the middle hears of combos it has not been shown; a refresh will show them.
    guard let place = place(of: bump.comboId, lane: bump.lane) else { return }
    gifts[place].bump(to: bump.count, atMs: command.atMs)
  }

  mutating func draw(_ hide: Command.GiftHide, _ command: Command) {
    guard let place = place(of: hide.comboId, lane: hide.lane) else { return }
    let untilMs = command.atMs.plus(hide.exitMs)
    if ends(at: untilMs) {
      gifts[place].leave(with: hide.count, untilMs: untilMs)
    } else {
      gifts.remove(at: place)
    }
  }

  private func place(of comboId: ID, lane: Int) -> Int? {
    gifts.firstIndex { $0.lane == lane && $0.id == comboId && $0.phase == .shown }
  }

  // MARK: Wishes and likes

  mutating func draw(_ fly: Command.WishFly, _ command: Command) {
    let banner = Banner(fly, command: command.id, startMs: command.atMs)
    guard ends(at: banner.landMs) else { return }
    let place = banners.lastIndex { $0.startMs <= banner.startMs }.map { $0 + 1 } ?? 0
    banners.insert(banner, at: place)
  }

  mutating func draw(_ likes: Command.WishLikes, _ command: Command) {
    guard let place = banners.lastIndex(where: { $0.wishId == likes.wishId }) else { return }
    banners[place].likes = likes.likes
    banners[place].likedAtMs = command.atMs
  }

  mutating func draw(_ gone: Command.WishGone, _ command: Command) {
    let log = CommandID.log(of: command.id)
    banners.removeAll { $0.wishId == gone.wishId && CommandID.log(of: $0.id).elementsEqual(log) }
  }

  mutating func draw(_ burst: Command.LikeBurst, _ command: Command) {
    let drawn = Burst(id: command.id, atMs: command.atMs, count: burst.count, points: burst.points)
    guard ends(at: drawn.endMs) else { return }
    if bursts.count == Self.burstLimit { bursts.removeFirst() }
    bursts.append(drawn)
  }

  mutating func draw(_ show: Command.SpotShow, _ command: Command) {
    let view = SpotView(command: command.id, show: show, startMs: command.atMs)
    if ends(at: view.endMs) { spot = view }
  }

  // MARK: Rains and skips

  mutating func draw(_ drop: Command.RainDrop, _ command: Command) {
    let drawn = Rain.Drop(id: command.id, body: drop, startMs: command.atMs)
    guard ends(at: drawn.landMs) else { return }
    rains[rain(drop.rainId)].drops.append(drawn)
  }

  /// The place of the rain of this name, from now on.
  mutating func rain(_ rainId: ID) -> Int {
    let place = rains.firstIndex { $0.id >= rainId } ?? rains.count
    if place == rains.count || rains[place].id != rainId { rains.insert(Rain(id: rainId), at: place) }
    return place
  }

  // MARK: The end

  /// Removes what came from this input partition. The room may go on in another.
  mutating func end(with command: Command) {
    let log = CommandID.log(of: command.id)
    removeParts { part, _ in !CommandID.log(of: part).elementsEqual(log) }
    roomEnd = command
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
}

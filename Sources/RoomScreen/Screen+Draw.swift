/// The effect of each command on a screen.
extension Screen {
  mutating func draw(_ command: Command) {
    isEnded = false
    switch command.body {
    case .giftShow(let show): draw(show, command)
    case .giftBump(let bump): draw(bump, command)
    case .giftHide(let hide): draw(hide, command)
    case .wishFly(let fly): draw(fly, command)
    case .wishLikes(let likes): draw(likes, command)
    case .wishGone(let gone): draw(gone, command)
    case .likeBurst(let burst): draw(burst, command)
    case .rainCountdown(let countdown):
      rains[rain(countdown.rainId)].lastCountdown = .init(command: command.id, atMs: command.atMs, body: countdown)
    case .rainDrop(let drop): draw(drop, command)
    case .rainTally(let tally):
      rains[rain(tally.rainId)].lastTally = .init(command: command.id, atMs: command.atMs, body: tally)
    case .rainEnd(let end): rains.removeAll { $0.id == end.rainId }
    case .spotShow(let show): draw(show, command)
    case .spotGone(let gone): if spot?.id == gone.spotId { spot = nil }
    case .crowdShow(let show): crowd = CrowdView(command: command.id, show: show, toldAtMs: command.atMs)
    case .crowdHide(let hide): if crowd?.id == hide.crowdId { crowd = nil }
    case .skipped(let skipped): draw(skipped, command)
    case .roomEnd: end(CommandID.log(of: command.id))
    case .unknown: break
    }
  }

  // MARK: Gifts

  /// A refresh moves nothing: who had entered when the combo came still has.
  private mutating func draw(_ show: Command.GiftShow, _ command: Command) {
    let place = gifts.firstIndex { $0.lane >= show.lane } ?? gifts.count
    let isTaken = place < gifts.count && gifts[place].lane == show.lane
    let isRefresh = isTaken && gifts[place].id == show.comboId && gifts[place].phase == .shown
    let view = GiftView(
      show, command: command.id, atMs: command.atMs, bumpedAtMs: isRefresh ? gifts[place].bumpedAtMs : nil)
    if isTaken { gifts[place] = view } else { gifts.insert(view, at: place) }
  }

  private mutating func draw(_ bump: Command.GiftBump, _ command: Command) {
    // A reader that began in the middle hears of combos it has not been shown; a refresh will show them.
    guard let place = place(of: bump.comboId, lane: bump.lane) else { return }
    gifts[place].bump(to: bump.count, atMs: command.atMs)
  }

  private mutating func draw(_ hide: Command.GiftHide, _ command: Command) {
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

  private mutating func draw(_ fly: Command.WishFly, _ command: Command) {
    let banner = Banner(fly, command: command.id, startMs: command.atMs)
    guard ends(at: banner.landMs) else { return }
    let place = banners.lastIndex { $0.startMs <= banner.startMs }.map { $0 + 1 } ?? 0
    banners.insert(banner, at: place)
  }

  private mutating func draw(_ likes: Command.WishLikes, _ command: Command) {
    guard let place = banners.lastIndex(where: { $0.wishId == likes.wishId }) else { return }
    banners[place].likes = likes.likes
    banners[place].likedAtMs = command.atMs
  }

  private mutating func draw(_ gone: Command.WishGone, _ command: Command) {
    let log = CommandID.log(of: command.id)
    banners.removeAll { $0.wishId == gone.wishId && CommandID.log(of: $0.id).elementsEqual(log) }
  }

  private mutating func draw(_ burst: Command.LikeBurst, _ command: Command) {
    let drawn = Burst(id: command.id, atMs: command.atMs, count: burst.count, points: burst.points)
    guard ends(at: drawn.endMs) else { return }
    if bursts.count == Self.burstLimit { bursts.removeFirst() }
    bursts.append(drawn)
  }

  private mutating func draw(_ show: Command.SpotShow, _ command: Command) {
    let view = SpotView(command: command.id, show: show, startMs: command.atMs)
    if ends(at: view.endMs) { spot = view }
  }

  // MARK: Rains and skips

  private mutating func draw(_ drop: Command.RainDrop, _ command: Command) {
    let drawn = Rain.Drop(id: command.id, body: drop, startMs: command.atMs)
    guard ends(at: drawn.landMs) else { return }
    rains[rain(drop.rainId)].drops.append(drawn)
  }

  /// Where the rain of this name is, from now on.
  private mutating func rain(_ rainId: ID) -> Int {
    let place = rains.firstIndex { $0.id >= rainId } ?? rains.count
    if place == rains.count || rains[place].id != rainId { rains.insert(Rain(id: rainId), at: place) }
    return place
  }

  // MARK: The end

  /// Removes what came from this input partition. The room may go on in another.
  private mutating func end(_ log: Substring.UTF8View) {
    removeParts { command, _ in !CommandID.log(of: command).elementsEqual(log) }
    isEnded = true
  }

  private mutating func draw(_ skipped: Command.Skipped, _ command: Command) {
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

package import RoomModel

/// What is on one room's screen: its commands, folded.
///
/// A client that draws this needs no logic of its own. Commands come in the room's order; the time that passes
/// between them is told by `advance(to:)`, since what flies lands and what leaves is gone without a command.
package struct Screen: Equatable, Sendable {
  /// By lane, 0 at the top. One that has no view is free.
  package private(set) var lanes: [GiftView?] = []
  /// In the order in which they started.
  package private(set) var banners: [Banner] = []
  package private(set) var skips: [SkipCount] = []
  /// How far log time is known to have come.
  package private(set) var nowMs: LogTime = 0

  package init() {}

  package mutating func apply(_ command: RoomCommand) {
    advance(to: command.atMs)
    switch command.body {
    case .giftShow(let show): apply(show, atMs: command.atMs)
    case .giftBump(let bump): apply(bump, atMs: command.atMs)
    case .giftHide(let hide): apply(hide, atMs: command.atMs)
    case .wishFly(let fly): banners.append(Banner(fly, startMs: command.atMs))
    case .wishLikes(let likes): apply(likes, atMs: command.atMs)
    case .skipped(let skipped): apply(skipped, atMs: command.atMs)
    }
  }

  /// Lets time pass: banners land, and lanes whose view has left are free. Time never goes back.
  package mutating func advance(to nowMs: LogTime) {
    guard nowMs > self.nowMs else { return }
    self.nowMs = nowMs
    banners.removeAll { $0.landMs <= nowMs }
    for lane in lanes.indices {
      if case .leaving(let untilMs) = lanes[lane]?.phase, untilMs <= nowMs { lanes[lane] = nil }
    }
  }

  // MARK: Gifts

  private mutating func apply(_ show: GiftShow, atMs: LogTime) {
    let lane = Int(show.lane)
    while lanes.count <= lane { lanes.append(nil) }
    if let view = lanes[lane], view.comboOffset == show.comboOffset, view.phase == .shown {
      lanes[lane]!.refresh(show)
    } else {
      lanes[lane] = GiftView(show, atMs: atMs)
    }
  }

  private mutating func apply(_ bump: GiftBump, atMs: LogTime) {
    // A reader that began in the middle hears of combos it has not been shown; a refresh will show them.
    guard let lane = lane(bump.lane, showing: bump.comboOffset) else { return }
    lanes[lane]!.bump(to: bump.count, atMs: atMs)
  }

  private mutating func apply(_ hide: GiftHide, atMs: LogTime) {
    guard let lane = lane(hide.lane, showing: hide.comboOffset) else { return }
    lanes[lane]!.leave(with: hide.count, untilMs: atMs + hide.exitMs)
    if hide.exitMs == 0 { lanes[lane] = nil }
  }

  private func lane(_ number: Int64, showing comboOffset: Int64) -> Int? {
    let lane = Int(number)
    guard lane < lanes.count, lanes[lane]?.comboOffset == comboOffset else { return nil }
    return lane
  }

  // MARK: Wishes and skips

  private mutating func apply(_ likes: WishLikes, atMs: LogTime) {
    let wishId = likes.wishId.description
    // The same wish may fly again once it has landed; the last one is meant.
    guard let index = banners.lastIndex(where: { $0.wishId == wishId }) else { return }
    banners[index].likes = likes.likes
    banners[index].likedAtMs = atMs
  }

  private mutating func apply(_ skipped: Skipped, atMs: LogTime) {
    let index =
      skips.firstIndex { $0.stage == skipped.stage && $0.reason == skipped.reason }
      ?? {
        skips.append(SkipCount(stage: skipped.stage, reason: skipped.reason))
        return skips.count - 1
      }()
    skips[index].items += skipped.items
    skips[index].units += skipped.units
    skips[index].atMs = atMs
  }
}

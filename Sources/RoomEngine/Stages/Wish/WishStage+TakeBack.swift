import RoomModel

/// Wishes that are taken back, or end with the room (STAGES.md, section 9).
extension WishStage {
  enum TakenBack {
    case wish(Text)
    case user(Text)
  }

  /// Takes wishes back: those that fly are gone, and all of them are forgotten; their tracks stay as they are. Returns
  /// those that were queued.
  mutating func takeBack(
    _ what: TakenBack, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) -> Unshown {
    defer { setNextTimer() }
    var queued = Unshown()
    for slot in slots(of: what, rules) {
      out.tell(.removed(.init(.wish, banners[slot].wishId), .retracted))
      if case .flying = banners[slot].phase {
        sendGone(slot, at: now, out: &out)
        landings.remove(slot)
        pacedLikes.remove(slot)
      } else {
        let wasFirst = queue.least.item == slot
        queued.add(units: 1)
        out.note(SkippedItem(banners[slot], .retracted))
        dequeue(slot)
        if wasFirst { setNextStart(at: now, rules) }
      }
      forget(slot)
    }
    return queued
  }

  /// Ends the stage: wishes that fly are gone, and all is forgotten. Returns those that were queued.
  mutating func end(at now: LogTime, out: inout CommandOutlet) -> Unshown {
    var queued = Unshown()
    for slot in landings.items.sorted(by: { banners[$0].age < banners[$1].age }) {
      out.tell(.removed(.init(.wish, banners[slot].wishId), .ended))
      sendGone(slot, at: now, out: &out)
    }
    for slot in queue.items.sorted(by: { banners[$0].age < banners[$1].age }) {
      out.tell(.removed(.init(.wish, banners[slot].wishId), .ended))
      queued.add(units: 1)
      out.note(SkippedItem(banners[slot], .ended))
    }
    self = WishStage()
    return queued
  }

  private func sendGone(_ slot: Int32, at now: LogTime, out: inout CommandOutlet) {
    out.send(.wishGone(WishGone(wishId: out.keep(banners[slot].wishId))), at: now)
  }

  /// The oldest first.
  private func slots(of what: TakenBack, _ rules: borrowing Rules) -> [Int32] {
    switch what {
    case .wish(let wishId):
      find(wishId, hash: RoomWish.hash(rules.seed, wishId: wishId)).map { [$0] } ?? []
    case .user(let userId):
      (landings.items + queue.items).filter { banners[$0].shownTexts.userId == userId }
        .sorted { banners[$0].age < banners[$1].age }
    }
  }
}

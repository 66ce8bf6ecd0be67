import RoomModel

/// The JSON form of commands, read back.
extension JSONValue {
  /// Nil if its body is of a kind that isn't known here.
  func command(keeping points: inout PointStorage) throws(NotUnderstood) -> PublishedCommand? {
    guard members != nil else { throw NotUnderstood(.wrongType, "\(described) is no command: that is an object") }
    let id = try PublishedID(text("id"))
    guard let body = try body(keeping: &points) else { return nil }
    return PublishedCommand(
      topic: id.topic, partition: id.partition,
      command: RoomCommand(
        roomId: text("roomId"), recordOffset: id.offset, place: id.place, atMs: integer("atMs"), body: body))
  }

  private func body(keeping points: inout PointStorage) throws(NotUnderstood) -> RoomCommand.Body? {
    if let show = self["giftShow"] { return .giftShow(try show.giftShow()) }
    if let bump = self["giftBump"] { return .giftBump(try bump.giftBump()) }
    if let hide = self["giftHide"] { return .giftHide(try hide.giftHide()) }
    if let fly = self["wishFly"] { return .wishFly(fly.wishFly()) }
    if let likes = self["wishLikes"] {
      return .wishLikes(WishLikes(wishId: likes.text("wishId"), likes: likes.integer("likes")))
    }
    if let burst = self["likeBurst"] { return .likeBurst(burst.likeBurst(keeping: &points)) }
    if let countdown = self["rainCountdown"] { return .rainCountdown(countdown.rainCountdown()) }
    if let drop = self["rainDrop"] { return .rainDrop(drop.rainDrop()) }
    if let tally = self["rainTally"] { return .rainTally(tally.rainTally()) }
    if let end = self["rainEnd"] { return .rainEnd(RainEnd(rainId: end.text("rainId"))) }
    if let skipped = self["skipped"] { return try skipped.skipped().map { .skipped($0) } }
    return nil
  }

  private func giftShow() throws(NotUnderstood) -> GiftShow {
    GiftShow(
      comboOffset: try PublishedID(text("comboId")).offset, lane: integer("lane"), sender: sender(),
      receiverId: text("receiverId"), giftId: text("giftId"), giftName: text("giftName"), value: integer("value"),
      from: integer("from"), total: integer("total"), enterMs: integer("enterMs"))
  }

  private func giftBump() throws(NotUnderstood) -> GiftBump {
    GiftBump(
      comboOffset: try PublishedID(text("comboId")).offset, lane: integer("lane"), count: integer("count"),
      tickMs: integer("tickMs"))
  }

  private func giftHide() throws(NotUnderstood) -> GiftHide {
    GiftHide(
      comboOffset: try PublishedID(text("comboId")).offset, lane: integer("lane"), count: integer("count"),
      exitMs: integer("exitMs"))
  }

  private func wishFly() -> WishFly {
    WishFly(
      wishId: text("wishId"), track: integer("track"), sender: sender(), text: text("text"), style: text("style"),
      width: integer("width"), durationMs: integer("durationMs"), likes: integer("likes"))
  }

  private func likeBurst(keeping points: inout PointStorage) -> LikeBurst {
    points.removeAll()
    if let elements = self["points"]?.elements {
      for point in elements { points.append(Point(x: point.integer("x"), y: point.integer("y"))) }
    }
    return LikeBurst(count: integer("count"), points: points.kept)
  }

  private func rainCountdown() -> RainCountdown {
    RainCountdown(
      rainId: text("rainId"), left: integer("left"), startMs: integer("startMs"), durationMs: integer("durationMs"))
  }

  private func rainDrop() -> RainDrop {
    RainDrop(
      rainId: text("rainId"), packet: integer("packet"), x: integer("x"), fallMs: integer("fallMs"),
      angle: integer("angle"), spin: integer("spin"))
  }

  private func rainTally() -> RainTally {
    RainTally(
      rainId: text("rainId"), opened: integer("opened"), winners: integer("winners"), coins: integer("coins"))
  }

  private func skipped() throws(NotUnderstood) -> Skipped? {
    let (stage, reason) = (text("stage"), text("reason"))
    guard let stage = Skipped.Stage.allCases.first(where: { $0.word == stage }),
      let reason = Skipped.Reason.allCases.first(where: { $0.word == reason })
    else { return nil }
    return Skipped(stage: stage, reason: reason, items: integer("items"), units: integer("units"))
  }

  private func sender() -> Sender {
    guard let sender = self["sender"] else { return Sender(userId: .empty) }
    return Sender(userId: sender.text("userId"), name: sender.text("name"), avatarUrl: sender.text("avatarUrl"))
  }

  func text(_ name: StaticString) -> Text { self[name]?.text ?? .empty }

  func integer(_ name: StaticString) -> Int64 { self[name]?.integer ?? 0 }
}

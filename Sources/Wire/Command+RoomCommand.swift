import RoomModel
package import RoomScreen

/// Published commands with texts of their own, for whoever keeps them.
extension Command {
  package init(_ published: borrowing PublishedCommand) {
    let command = published.command
    self.init(
      roomId: command.roomId.description,
      id: published.id(command.recordOffset, place: command.place),
      atMs: command.atMs,
      body: Body(command.body, of: published))
  }
}

extension Command.Body {
  fileprivate init(_ body: borrowing RoomCommand.Body, of published: borrowing PublishedCommand) {
    self =
      switch body {
      case .giftShow(let show):
        .giftShow(
          Command.GiftShow(
            comboId: published.id(show.comboOffset), lane: Int(show.lane), sender: Command.Sender(show.sender),
            receiverId: show.receiverId.description, giftId: show.giftId.description,
            giftName: show.giftName.description, value: show.value, from: show.from, total: show.total,
            enterMs: show.enterMs))
      case .giftBump(let bump):
        .giftBump(
          Command.GiftBump(
            comboId: published.id(bump.comboOffset), lane: Int(bump.lane), count: bump.count, tickMs: bump.tickMs))
      case .giftHide(let hide):
        .giftHide(
          Command.GiftHide(
            comboId: published.id(hide.comboOffset), lane: Int(hide.lane), count: hide.count, exitMs: hide.exitMs))
      case .wishFly(let fly):
        .wishFly(
          Command.WishFly(
            wishId: fly.wishId.description, track: Int(fly.track), sender: Command.Sender(fly.sender),
            text: fly.text.description, style: fly.style.description, width: fly.width, durationMs: fly.durationMs,
            likes: fly.likes))
      case .wishLikes(let likes):
        .wishLikes(Command.WishLikes(wishId: likes.wishId.description, likes: likes.likes))
      case .likeBurst(let burst):
        .likeBurst(
          Command.LikeBurst(
            count: burst.count, points: burst.points.map { Command.LikeBurst.Point(x: Int($0.x), y: Int($0.y)) }))
      case .rainCountdown(let countdown):
        .rainCountdown(
          Command.RainCountdown(
            rainId: countdown.rainId.description, left: countdown.left, startMs: countdown.startMs,
            durationMs: countdown.durationMs))
      case .rainDrop(let drop):
        .rainDrop(
          Command.RainDrop(
            rainId: drop.rainId.description, packet: Int(drop.packet), x: Int(drop.x), fallMs: drop.fallMs,
            angle: Int(drop.angle), spin: Int(drop.spin)))
      case .rainTally(let tally):
        .rainTally(
          Command.RainTally(
            rainId: tally.rainId.description, opened: tally.opened, winners: tally.winners, coins: tally.coins))
      case .rainEnd(let end):
        .rainEnd(Command.RainEnd(rainId: end.rainId.description))
      case .skipped(let skipped):
        .skipped(
          Command.Skipped(
            stage: Command.Skipped.Stage(rawValue: skipped.stage.word.description),
            reason: Command.Skipped.Reason(rawValue: skipped.reason.word.description), items: skipped.items,
            units: skipped.units))
      }
  }
}

extension Command.Sender {
  fileprivate init(_ sender: borrowing Sender) {
    self.init(
      userId: sender.userId.description, name: sender.name.description, avatarUrl: sender.avatarUrl.description)
  }
}

extension PublishedCommand {
  /// `topic/partition/offset/place`; a combo's has no place. Made at once, since a gateway makes a hundred thousand of
  /// them a second.
  fileprivate func id(_ offset: Int64, place: Int64? = nil) -> String {
    // Three numbers of at most 20 digits, with what stands before each.
    String(unsafeUninitializedCapacity: topic.count + 63) { id in
      UnsafeMutableRawBufferPointer(id).copyMemory(from: topic.bytes)
      var end = topic.count
      id.append(Int64(partition), at: &end)
      id.append(offset, at: &end)
      if let place { id.append(place, at: &end) }
      return end
    }
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes `/` and the number in decimal.
  fileprivate func append(_ number: Int64, at end: inout Int) {
    self[end] = UInt8(ascii: "/")
    end += 1
    if number < 0 {
      self[end] = UInt8(ascii: "-")
      end += 1
    }
    let start = end
    var rest = number.magnitude
    repeat {
      self[end] = UInt8(ascii: "0") + UInt8(rest % 10)
      end += 1
      rest /= 10
    } while rest > 0
    self[start..<end].reverse()
  }
}

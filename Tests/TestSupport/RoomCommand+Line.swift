package import RoomModel

extension RoomCommand {
  /// The command in a few words: `show ann rose lane 1 from 0 total 1`, with ` tier 1` where it has one. A `giftShow`
  /// that only refreshes ends with `again`.
  package var line: String {
    switch body {
    case .giftShow(let show):
      "show \(show.sender.userId) \(show.giftId) lane \(show.lane) from \(show.from) total \(show.total)"
        + (show.tier > 0 ? " tier \(show.tier)" : "") + (show.enterMs == 0 ? " again" : "")
    case .giftBump(let bump): "bump lane \(bump.lane) count \(bump.count)"
    case .giftHide(let hide): "hide lane \(hide.lane) count \(hide.count)"
    case .wishFly(let fly): "fly \(fly.wishId) track \(fly.track) width \(fly.width) likes \(fly.likes)"
    case .wishLikes(let likes): "likes \(likes.wishId) \(likes.likes)"
    case .wishGone(let gone): "gone \(gone.wishId)"
    case .likeBurst(let burst):
      "burst \(burst.count)" + burst.points.map { " \($0.x),\($0.y)" }.joined()
    case .rainCountdown(let countdown):
      "countdown \(countdown.rainId) \(countdown.left) start \(countdown.startMs) duration \(countdown.durationMs)"
    case .rainDrop(let drop): "drop \(drop.rainId) \(drop.packet) falls \(drop.fallMs)"
    case .rainTally(let tally):
      "tally \(tally.rainId) opened \(tally.opened) winners \(tally.winners) coins \(tally.coins)"
    case .rainEnd(let end): "end \(end.rainId)"
    case .spotShow(let show): "spot \(show.spotId) \(show.sender.userId) total \(show.total) tier \(show.tier)"
    case .spotGone(let gone): "spot gone \(gone.spotId)"
    case .crowdShow(let show):
      "crowd \(show.giftId) items \(show.items) units \(show.units)" + show.names.map { " \($0.userId)" }.joined()
    case .crowdHide: "crowd hide"
    case .pinShow(let show): "pin \(show.pinId) \(show.sender.userId) until \(show.endMs)"
    case .pinGone(let gone): "pin gone \(gone.pinId) \(gone.reason)"
    case .goalShow(let show):
      "goal \(show.goalId) \(show.progress)\(words(show.sides)) of \(show.target) until \(show.endMs)"
    case .goalCount(let count):
      "goal \(count.goalId) count \(count.progress)\(words(count.sides)) reached \(count.reached)"
    case .goalEnd(let end): "goal \(end.goalId) end \(end.progress)\(words(end.sides)) \(end.reason)"
    case .retracted(let taken):
      "retracted \(taken.wishId)\(taken.comboId)\(taken.spotId)\(taken.pinId)\(taken.goalId)\(taken.userId)"
    case .roomEnd: "ended"
    case .skipped(let skipped): "skipped \(skipped.stage) \(skipped.reason) \(skipped.items) units \(skipped.units)"
    }
  }

  /// All of it: two commands are the same if these are.
  package var everything: String {
    let what =
      switch body {
      case .giftShow(let show):
        "giftShow \(show.comboOffset) \(show.lane) \(words(show.sender)) \(show.receiverId)|\(show.receiverName)|\(show.giftId)|"
          + "\(show.giftName)|\(show.value) \(show.from) \(show.total) \(show.enterMs) \(show.tier) \(show.extra)"
      case .giftBump(let bump): "giftBump \(bump.comboOffset) \(bump.lane) \(bump.count) \(bump.tickMs)"
      case .giftHide(let hide): "giftHide \(hide.comboOffset) \(hide.lane) \(hide.count) \(hide.exitMs)"
      case .wishFly(let fly):
        "wishFly \(fly.wishId)|\(fly.track) \(words(fly.sender)) \(fly.text)|\(fly.style)|\(fly.width) "
          + "\(fly.durationMs) \(fly.likes) \(fly.extra)"
      case .rainDrop(let drop): "\(line) \(drop.x) \(drop.angle) \(drop.spin) \(drop.toX) \(drop.spinMs)"
      case .rainCountdown(let countdown): "\(line) \(countdown.extra)"
      case .spotShow(let show):
        "\(line) \(show.kind)|\(show.comboId)|\(words(show.sender)) \(show.receiverId)|\(show.giftId)|\(show.giftName)|"
          + "\(show.value) \(show.text)|\(show.style)|\(show.durationMs) \(show.extra)"
      case .crowdShow(let show):
        "\(line) \(show.crowdOffset) \(show.receiverId)|\(show.giftName)|\(show.value)"
          + show.names.map { " \(words($0))" }.joined()
      case .crowdHide(let hide): "\(line) \(hide.crowdOffset)"
      case .pinShow(let show):
        "\(line) \(words(show.sender)) \(show.text)|\(show.style)|\(show.value) \(show.first) \(show.startMs) \(show.extra)"
      case .goalShow(let show):
        "\(line) \(show.text)|\(show.by) \(show.giftId)|\(show.receiverId)|\(show.reached) \(show.startMs) \(show.extra)"
      case .goalEnd(let end): "\(line) \(end.reached)"
      case .retracted(let taken):
        "\(line) \(taken.wishId)|\(taken.comboId)|\(taken.spotId)|\(taken.pinId)|\(taken.goalId)"
      case .wishLikes, .wishGone, .likeBurst, .rainTally, .rainEnd, .spotGone, .pinGone, .goalCount, .skipped, .roomEnd:
        line
      }
    return "\(roomId) \(recordOffset)/\(place) \(atMs) \(what)"
  }

  private func words(_ sides: UnsafeBufferPointer<GoalSide>) -> String {
    sides.map { " \($0.id) \($0.total)" }.joined()
  }

  private func words(_ sender: Sender) -> String { "\(sender.userId)|\(sender.name)|\(sender.avatarUrl)|" }
}

extension GrabResult {
  /// The result in a few words: `ann storm 3 won 4`.
  package var line: String { "\(userId) \(rainId) \(packet) \(outcome)" + (coins > 0 ? " \(coins)" : "") }

  /// All of it: two results are the same if these are.
  package var everything: String { "\(roomId) \(recordOffset) \(eventId)|\(line)" }
}

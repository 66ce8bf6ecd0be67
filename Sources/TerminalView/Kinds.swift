package import RoomScreen

// Kinds of commands are told apart here: the sentence of each, and its place on a panel.

extension Command.Body {
  /// The body in words, for a line of the log.
  var sentence: String {
    switch self {
    case .giftShow(let show):
      "lane \(show.lane)   \(shown(show.sender)) sends \(gift(show))" + (show.tier > 0 ? ", tier \(show.tier)" : "")
        + (show.from > 0 ? ", ×\(show.from) so far" : "") + ", ×\(show.total) in all"
    case .giftBump(let bump): "lane \(bump.lane)   ×\(bump.count)"
    case .giftHide(let hide): "lane \(hide.lane)   leaves with ×\(hide.count)"
    case .wishFly(let fly):
      "track \(fly.track)  \(shown(fly.sender)): \(shown(fly.text))" + (fly.likes > 0 ? "  ♥\(fly.likes)" : "")
    case .wishLikes(let likes): "wish    \(shown(likes.wishId)) ♥\(likes.likes)"
    case .wishGone(let gone): "wish    \(shown(gone.wishId)) is taken back"
    case .likeBurst(let burst): "likes   ♥\(burst.count) more"
    case .rainCountdown(let countdown):
      "rain    \(shown(countdown.rainId)) "
        + (countdown.left > 0 ? "starts in \(countdown.left) s" : "starts") + ", for \(countdown.durationMs) ms"
    case .rainDrop(let drop): "rain    \(shown(drop.rainId)) drops packet \(drop.packet)"
    case .rainTally(let tally):
      "rain    \(shown(tally.rainId)): \(tally.opened) opened, \(tally.winners) won, \(tally.coins) coins"
    case .rainEnd(let end): "rain    \(shown(end.rainId)) is over"
    case .spotShow(let show):
      "spot    \(shown(show.sender)): \(spot(show)), for \(show.durationMs) ms"
    case .spotGone(let gone): "spot    \(shown(gone.spotId)) is taken back"
    case .crowdShow(let show):
      "crowd   \(gift(show)) ×\(show.units) from \(show.items)"
        + (show.names.isEmpty ? "" : ": " + show.names.map { shown($0) }.joined(separator: ", "))
    case .crowdHide: "crowd   the bar is free"
    case .pinShow(let show):
      "pin     \(shown(show.sender)): \(shown(show.text)), until \(show.endMs)"
        + (show.value > 0 ? ", \(show.value)" : "")
    case .pinGone(let gone): "pin     \(shown(gone.pinId)) goes: \(gone.reason.rawValue)"
    case .goalShow(let show):
      "goal    \(shown(show.text.isEmpty ? show.goalId.string : show.text)): "
        + count(show.progress, show.sides, of: show.target)
    case .goalCount(let goal): "goal    \(shown(goal.goalId)): " + count(goal.progress, goal.sides, of: 0)
    case .goalEnd(let end):
      "goal    \(shown(end.goalId)) ends with " + count(end.progress, end.sides, of: 0) + ": \(end.reason.rawValue)"
    case .retracted(let retracted): "room    \(taken(retracted)) is taken back"
    case .skipped(let skipped):
      "skipped \(skipped.stage.counted(skipped.items)), \(skipped.units) in all: \(skipped.reason.rawValue)"
    case .roomEnd: "room    ended"
    case .unknown(let kind): "\(shown(kind)): not known here"
    }
  }

  private func spot(_ show: Command.SpotShow) -> String {
    let gift = shown(show.giftName.isEmpty ? show.giftId.string : show.giftName)
    return (gift.isEmpty ? shown(show.kind) : "\(gift) ×\(show.total)")
      + (show.text.isEmpty ? "" : ", \(shown(show.text))")
  }

  private func count(_ progress: Int64, _ sides: [Command.GoalSide], of target: Int64) -> String {
    let parts = sides.map { "\(shown($0.id)) \($0.total)" }.joined(separator: " : ")
    return "\(progress)" + (target > 0 ? " of \(target)" : "") + (parts.isEmpty ? "" : " (\(parts))")
  }

  private func taken(_ retracted: Command.Retracted) -> String {
    let ids = [
      ("wish", retracted.wishId), ("combo", retracted.comboId), ("item", retracted.spotId), ("pin", retracted.pinId),
      ("goal", retracted.goalId), ("all of", retracted.userId),
    ]
    return ids.first { !$0.1.isEmpty }.map { "\($0.0) \(shown($0.1))" } ?? "nothing"
  }

  private func gift(_ show: Command.CrowdShow) -> String {
    let name = shown(show.giftName.isEmpty ? show.giftId.string : show.giftName)
    return show.receiverId.isEmpty ? name : "\(name) to \(shown(show.receiverId))"
  }

  private func gift(_ show: Command.GiftShow) -> String {
    let name = shown(show.giftName.isEmpty ? show.giftId.string : show.giftName)
    return show.receiverId.isEmpty ? name : "\(name) to \(shown(show.receiverId))"
  }
}

extension RoomPanel {
  package func draw(
    _ screen: Screen, at nowMs: Int64, in columns: Range<Int>, fromRow top: Int, on canvas: inout Canvas
  ) {
    drawTitle(of: screen, in: columns, row: top, on: &canvas)
    drawNews(of: screen, at: nowMs, in: columns, row: top, on: &canvas)
    for rain in screen.rains { draw(rain, at: nowMs, in: columns, fromRow: top + 1, on: &canvas) }
    for banner in screen.banners where banner.track < tracks {
      draw(banner, at: nowMs, in: columns, row: top + 1 + banner.track, on: &canvas)
    }
    for lane in 0..<lanes {
      draw(screen.gifts.first { $0.lane == lane }, at: nowMs, in: columns, row: top + 1 + tracks + lane, on: &canvas)
    }
    let last = top + 1 + tracks + lanes
    if let crowd = screen.crowd {
      draw(crowd, at: nowMs, in: columns, row: last, on: &canvas)
    } else {
      draw(screen.skips, at: nowMs, in: columns, row: last, on: &canvas)
    }
    drawBoards(of: screen, at: nowMs, in: columns, row: last + 1, on: &canvas)
    if let spot = screen.spot { draw(spot, in: columns, row: top + 1 + tracks / 2, on: &canvas) }
  }

  private func draw(
    _ crowd: CrowdView, at nowMs: Int64, in columns: Range<Int>, row: Int, on canvas: inout Canvas
  ) {
    let names = crowd.names.map(\.shownName).joined(separator: ", ")
    let gift = crowd.giftName.isEmpty ? crowd.giftId.string : crowd.giftName
    let words = "crowd: \(gift) ×\(crowd.units) from \(crowd.items)" + (names.isEmpty ? "" : ", with \(names)")
    let isNew = nowMs.minus(crowd.toldAtMs) < Self.popMs
    canvas.put(
      words.cut(toCells: columns.count - 2), row: row, column: columns.lowerBound + 1,
      style: Style(color: .cyan, isBold: isNew), within: columns)
  }

  /// Draws it in the middle of its row.
  private func draw(_ spot: SpotView, in columns: Range<Int>, row: Int, on canvas: inout Canvas) {
    let gift = spot.giftName.isEmpty ? spot.giftId.string : spot.giftName
    let what = gift.isEmpty ? spot.kind : "\(gift) ×\(spot.total)"
    let text = spot.text.isEmpty ? "" : " \(spot.text)"
    let words = " ★ \(spot.sender.shownName): \(what)\(text) ★ ".cut(toCells: columns.count)
    var style = Style(color: color(ofTier: spot.tier), isBold: true)
    style.isReversed = true
    canvas.put(
      words, row: row, column: columns.lowerBound + (columns.count - words.cells) / 2, style: style, within: columns)
  }

  private func draw(
    _ skips: [SkipCount], at nowMs: Int64, in columns: Range<Int>, row: Int, on canvas: inout Canvas
  ) {
    guard !skips.isEmpty else { return }
    let words = skips.map { skip in
      let many = skip.stage == .gift && skip.units != skip.items ? " (×\(skip.units))" : ""
      return "\(skip.stage.counted(skip.items))\(many) \(skip.reason.rawValue)"
    }
    let isNew = skips.contains { nowMs.minus($0.atMs) < Self.skipMs }
    canvas.put(
      "skipped: \(words.joined(separator: ", "))".cut(toCells: columns.count - 2), row: row,
      column: columns.lowerBound + 1, style: isNew ? Style(color: .red) : .dim, within: columns)
  }
}

extension Command.Skipped.Stage {
  /// `1 gift`, `2 wishes`.
  func counted(_ count: Int64) -> String {
    let (one, many) =
      switch self {
      case .gift: ("gift", "gifts")
      case .wish: ("wish", "wishes")
      case .spot: ("item of the spot", "items of the spot")
      case .pin: ("pin", "pins")
      default: (rawValue, rawValue)
      }
    return "\(count) \(count == 1 ? one : many)"
  }
}

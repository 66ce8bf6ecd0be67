package import RoomScreen

extension Command {
  /// A line for people: when, where, what.
  package var sentence: String {
    "\(clock(atMs))  \(shown(roomId).padded(toCells: 10))  \(body.sentence)"
  }
}

/// The time of the day, UTC.
private func clock(_ atMs: Int64) -> String {
  let day: Int64 = 86_400_000
  let ms = ((atMs % day) + day) % day
  func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
  return
    "\(digits(ms / 3_600_000, 2)):\(digits(ms / 60_000 % 60, 2)):\(digits(ms / 1000 % 60, 2)).\(digits(ms % 1000, 3))"
}

private func shown(_ id: ID) -> String { shown(id.string) }

/// Without what would move a terminal's cursor.
private func shown(_ text: String) -> String {
  String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
}

extension Command.Body {
  fileprivate var sentence: String {
    switch self {
    case .giftShow(let show):
      "lane \(show.lane)   \(show.sender.shownName) sends \(gift(show))" + (show.tier > 0 ? ", tier \(show.tier)" : "")
        + (show.from > 0 ? ", ×\(show.from) so far" : "") + ", ×\(show.total) in all"
    case .giftBump(let bump): "lane \(bump.lane)   ×\(bump.count)"
    case .giftHide(let hide): "lane \(hide.lane)   leaves with ×\(hide.count)"
    case .wishFly(let fly):
      "track \(fly.track)  \(fly.sender.shownName): \(shown(fly.text))" + (fly.likes > 0 ? "  ♥\(fly.likes)" : "")
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
      "spot    \(show.sender.shownName): \(spot(show)), for \(show.durationMs) ms"
    case .spotGone(let gone): "spot    \(shown(gone.spotId)) is taken back"
    case .crowdShow(let show):
      "crowd   \(gift(show)) ×\(show.units) from \(show.items)"
        + (show.names.isEmpty ? "" : ": " + show.names.map(\.shownName).joined(separator: ", "))
    case .crowdHide: "crowd   the bar is free"
    case .skipped(let skipped):
      "skipped \(skipped.items) \(skipped.stage.words), \(skipped.units) in all: \(skipped.reason.rawValue)"
    case .roomEnd: "room    ended"
    case .unknown(let kind): "\(shown(kind)): not known here"
    }
  }

  private func spot(_ show: Command.SpotShow) -> String {
    let gift = shown(show.giftName.isEmpty ? show.giftId.string : show.giftName)
    return (gift.isEmpty ? shown(show.kind) : "\(gift) ×\(show.total)")
      + (show.text.isEmpty ? "" : ", \(shown(show.text))")
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

extension Command.Sender {
  fileprivate var shownName: String { shown(name.isEmpty ? userId.string : name) }
}

package import RoomModel

extension RoomCommand {
  /// A line for people: when, where, what.
  package var sentence: String {
    "\(clock(atMs))  \(shown(roomId).padded(toCells: 10))  \(body.sentence)"
  }
}

/// The time of the day, UTC.
private func clock(_ atMs: LogTime) -> String {
  let day: Milliseconds = 86_400_000
  let ms = ((atMs % day) + day) % day
  func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
  return
    "\(digits(ms / 3_600_000, 2)):\(digits(ms / 60_000 % 60, 2)):\(digits(ms / 1000 % 60, 2)).\(digits(ms % 1000, 3))"
}

/// Without what would move a terminal's cursor.
private func shown(_ text: Text) -> String {
  String(String.UnicodeScalarView(text.description.unicodeScalars.filter { $0.properties.generalCategory != .control }))
}

extension RoomCommand.Body {
  fileprivate var sentence: String {
    switch self {
    case .giftShow(let show):
      "lane \(show.lane)   \(show.sender.shownName) sends \(gift(show))"
        + (show.from > 0 ? ", ×\(show.from) so far" : "") + ", ×\(show.total) in all"
    case .giftBump(let bump): "lane \(bump.lane)   ×\(bump.count)"
    case .giftHide(let hide): "lane \(hide.lane)   leaves with ×\(hide.count)"
    case .wishFly(let fly):
      "track \(fly.track)  \(fly.sender.shownName): \(shown(fly.text))" + (fly.likes > 0 ? "  ♥\(fly.likes)" : "")
    case .wishLikes(let likes): "wish    \(shown(likes.wishId)) ♥\(likes.likes)"
    case .skipped(let skipped):
      "skipped \(skipped.items) \(skipped.stage.words), \(skipped.units) in all: \(skipped.reason.word)"
    }
  }

  private func gift(_ show: GiftShow) -> String {
    let name = shown(show.giftName.isEmpty ? show.giftId : show.giftName)
    return show.receiverId.isEmpty ? name : "\(name) to \(shown(show.receiverId))"
  }
}

extension Sender {
  fileprivate var shownName: String { shown(name.isEmpty ? userId : name) }
}

import RoomScreen

/// Rains, and the likes of the last moment.
extension RoomPanel {
  /// Draws at the right end of the title's row: `rain in 3`, or how many packets were opened and what they paid; the
  /// likes of the last moment.
  func drawNews(
    of screen: Screen, at nowMs: Int64, in columns: Range<Int>, row: Int, on canvas: inout Canvas
  ) {
    var news: [(text: String, style: Style)] = []
    for rain in screen.rains.suffix(2) { news.append((rain.words(atMs: nowMs), Style(color: .yellow, isBold: true))) }
    let likes = screen.bursts.reduce(Int64(0)) { $0.plus($1.count) }
    if likes > 0 { news.append(("♥\(likes)", Style(color: .red, isBold: true))) }
    let cells = news.reduce(0) { $0 + $1.text.cells + 2 }
    // The name stays.
    var column = columns.upperBound - cells - 2
    guard !news.isEmpty, column > columns.lowerBound + 4 + title.cells else { return }
    for (text, style) in news {
      column = canvas.put(" \(text) ", row: row, column: column, style: style, within: columns)
    }
  }

  /// Its packets fall over the tracks and the lanes, behind what is there.
  func draw(
    _ rain: Rain, at nowMs: Int64, in columns: Range<Int>, fromRow top: Int, on canvas: inout Canvas
  ) {
    for drop in rain.drops {
      let row = top + min(tracks + lanes - 1, Int(drop.fallen(atMs: nowMs)) * (tracks + lanes) / 1000)
      let column = columns.lowerBound + min(max(drop.x, 0), 999) * columns.count / 1000
      canvas.put("◆", row: row, column: column, style: Style(color: .red), within: columns)
    }
  }
}

extension Rain {
  /// `rain in 3 s`; once it rains, what came of it.
  fileprivate func words(atMs nowMs: Int64) -> String {
    if let countdown, nowMs < countdown.startMs {
      return "rain in \(countdown.startMs.minus(nowMs).plus(999) / 1000) s"
    }
    return tally.map { "rain: \($0.opened) opened, \($0.coins) coins" } ?? "rain"
  }
}

import RoomScreen

/// One room on a terminal: its banners on their tracks, its gifts on their lanes, packets that fall behind them, what
/// fills the screen across the tracks, below a crowd or else what was skipped, and a goal and a pin; beside its name,
/// hearts and how its rain goes.
package struct RoomPanel: Sendable {
  package let title: String
  package let tracks: Int
  package let lanes: Int
  /// The setting's width: banners keep their distance in proportion.
  package let stageWidth: Int64

  /// The time that a number stands out after it changed, and a skip after it happened.
  static let popMs: Int64 = 180
  static let skipMs: Int64 = 3000

  package init(title: String, tracks: Int, lanes: Int, stageWidth: Int64) {
    self.title = title
    self.tracks = tracks
    self.lanes = lanes
    self.stageWidth = stageWidth
  }

  /// Title, tracks, lanes, skips, goals and pins.
  package var height: Int { tracks + lanes + 3 }

  func drawTitle(of screen: Screen, in columns: Range<Int>, row: Int, on canvas: inout Canvas) {
    canvas.put(String(repeating: "─", count: columns.count), row: row, column: columns.lowerBound, style: .dim)
    let column = canvas.put(
      " \(title) ", row: row, column: columns.lowerBound + 2, style: screen.isEnded ? .dim : .bold, within: columns)
    let note = screen.isEnded ? "has ended " : screen.isStalled ? "nothing comes " : ""
    canvas.put(note, row: row, column: column, style: .dim, within: columns)
  }

  func draw(
    _ banner: Banner, at nowMs: Int64, in columns: Range<Int>, row: Int, on canvas: inout Canvas
  ) {
    let stage = Int64(columns.count)
    // The width that it was measured to have, so that banners don't run into each other; a cell of it stays free.
    let width = max(4, min(max(banner.width, 0), 100 * stageWidth) * stage / stageWidth)
    let left = columns.lowerBound + Int(banner.left(atMs: nowMs, width: width, stageWidth: stage))
    let likes = banner.likes > 0 ? " ♥\(banner.likes)" : ""
    let name = banner.sender.name.isEmpty ? "" : "\(banner.sender.shownName) "
    let text = (name + banner.text).cut(toCells: Int(width) - likes.cells - 1)
    let style = Style(color: color(of: banner.style))
    var column = left
    if text.hasPrefix(name) {
      column = canvas.put(name, row: row, column: column, style: .dim, within: columns)
      column = canvas.put(text.dropFirst(name.count), row: row, column: column, style: style, within: columns)
    } else {
      column = canvas.put(text, row: row, column: column, style: .dim, within: columns)
    }
    let pops = banner.likedAtMs.map { nowMs.minus($0) < Self.popMs } ?? false
    canvas.put(likes, row: row, column: column, style: Style(color: .red, isBold: pops), within: columns)
  }

  private func color(of style: String) -> Style.Color? {
    switch style {
    case "gold": .yellow
    case "neon": .magenta
    default: nil
    }
  }

  func draw(
    _ view: GiftView?, at nowMs: Int64, in columns: Range<Int>, row: Int, on canvas: inout Canvas
  ) {
    guard let view else {
      canvas.put("·", row: row, column: columns.lowerBound + 1, style: .dim)
      return
    }
    var style = Style(color: color(ofTier: view.tier))
    var isLeaving = false
    if case .leaving = view.phase {
      isLeaving = true
      style = .dim
    }
    let count = "×\(view.count)" + (view.total > view.count ? "/\(view.total)" : "")
    // It slides in from the left, as far as it has entered.
    let hidden = min(max(0, view.enteredMs.minus(nowMs)), view.enterMs)
    let inside = columns.lowerBound + 1 - (hidden > 0 ? Int(Int128(hidden) * 12 / Int128(view.enterMs)) : 0)
    let middle = columns.upperBound - max(9, count.cells + 2)
    let receiver = Command.Sender(userId: view.receiverId, name: view.receiverName)
    let what =
      "\(view.giftName.isEmpty ? view.giftId.string : view.giftName)"
      + (view.receiverId.isEmpty ? "" : " → \(receiver.shownName)")
    let name = view.sender.shownName.cut(toCells: columns.count / 3)
    let column = canvas.put(
      name, row: row, column: inside, style: isLeaving ? .dim : .bold, within: columns.lowerBound..<middle)
    canvas.put(
      what.cut(toCells: max(0, middle - column - 2)), row: row, column: column + 1, style: style,
      within: columns.lowerBound..<middle)
    guard view.count > 0 else { return }
    let pops = view.bumpedAtMs.map { nowMs.minus($0) < Self.popMs } ?? false
    style.isBold = !isLeaving
    style.isReversed = pops && !isLeaving
    canvas.put(" \(count) ", row: row, column: middle, style: style, within: columns)
  }

  func color(ofTier tier: Int) -> Style.Color {
    switch tier {
    case ...0: .green
    case 1: .cyan
    case 2: .yellow
    default: .magenta
    }
  }
}

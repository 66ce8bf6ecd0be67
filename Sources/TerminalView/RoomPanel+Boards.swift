import RoomScreen

/// A panel's last row: how far a goal is, and the pin that comes first.
extension RoomPanel {
  func drawBoards(
    of screen: Screen, at nowMs: Int64, in columns: Range<Int>, row: Int, on canvas: inout Canvas
  ) {
    let pin = screen.pins.min { $0.comes(before: $1) }
    // A battle is seen first, where there is room for one.
    let goal = screen.goals.first { !$0.sides.isEmpty } ?? screen.goals.first
    let middle = pin == nil || goal == nil ? nil : columns.lowerBound + columns.count / 2
    if let goal {
      let cells = (middle ?? columns.upperBound) - columns.lowerBound - 2
      canvas.put(
        goal.words(at: nowMs).cut(toCells: cells), row: row, column: columns.lowerBound + 1,
        style: Style(color: .green, isBold: goal.isReached), within: columns)
    }
    if let pin {
      let left = (middle ?? columns.lowerBound) + 1
      let more = screen.pins.count > 1 ? " +\(screen.pins.count - 1)" : ""
      let words = pin.words.cut(toCells: columns.upperBound - left - 1 - more.cells) + more
      canvas.put(words, row: row, column: left, style: Style(color: .magenta, isBold: pin.isFirst), within: columns)
    }
  }
}

extension PinView {
  /// The host's pins come first, then the dearest, then the oldest.
  fileprivate func comes(before other: PinView) -> Bool {
    // The dearer has the greater value: the two change places.
    (isFirst ? 0 : 1, other.value, startMs) < (other.isFirst ? 0 : 1, value, other.startMs)
  }

  fileprivate var words: String {
    "◆ \(sender.shownName): \(text.replacing("\n", with: " "))" + (value > 0 ? " (\(value))" : "")
  }
}

extension GoalView {
  fileprivate func words(at nowMs: Int64) -> String {
    let title = text.isEmpty ? (sides.isEmpty ? id.string : "") : text
    let count =
      sides.isEmpty
      ? "\(progress)" + (target > 0 ? "/\(target)" : "")
      : sides.map { "\($0.id) \($0.total)" }.joined(separator: " : ")
    let seconds = max(0, endMs.minus(nowMs).plus(999)) / 1000
    let two = seconds % 60 < 10 ? "0" : ""
    return "▲ \(title.isEmpty ? "" : "\(title) ")\(bar)\(count) \(seconds / 60):\(two)\(seconds % 60)"
  }

  /// Ten cells, as many of them full as the goal has tenths of its target.
  private var bar: String {
    guard sides.isEmpty, target > 0 else { return "" }
    let full = Int(min(max(Double(progress) / Double(target), 0), 1) * 10)
    return String(repeating: "█", count: full) + String(repeating: "░", count: 10 - full) + " "
  }
}

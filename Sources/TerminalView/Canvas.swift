/// Rows of a terminal's cells, drawn upon in any order.
package struct Canvas: Sendable {
  private enum Cell: Equatable {
    case blank
    case character(Character, Style)
    /// The right half of a wide character.
    case rightHalf
  }

  package let width: Int
  package let height: Int
  private var cells: [Cell]

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
    cells = Array(repeating: .blank, count: width * height)
  }

  /// Draws `text` from `column` on, which may be out of sight; only what falls into `columns` is drawn. A wide
  /// character of which only a half would fit is left out.
  ///
  /// - Returns: the column after it.
  @discardableResult package mutating func put(
    _ text: some StringProtocol, row: Int, column: Int, style: Style = .plain, within columns: Range<Int>? = nil
  ) -> Int {
    let columns = (columns ?? 0..<width).clamped(to: 0..<width)
    var column = column
    for character in text {
      let count = character.cells
      // A control character, or a mark that has no letter to stand on.
      if count == 0 { continue }
      if column >= columns.lowerBound, column + count <= columns.upperBound, (0..<height).contains(row) {
        set(.character(character, style), row, column)
        if count == 2 { set(.rightHalf, row, column + 1) }
      }
      column += count
    }
    return column
  }

  private mutating func set(_ cell: Cell, _ row: Int, _ column: Int) {
    let index = row * width + column
    // Half of a wide character is none.
    if cells[index] == .rightHalf, cell != .rightHalf { cells[index - 1] = .blank }
    if column + 1 < width, cells[index + 1] == .rightHalf, cell != .rightHalf { cells[index + 1] = .blank }
    cells[index] = cell
  }

  /// The text without escape sequences, for people who read tests.
  package func text(row: Int) -> String {
    var text = ""
    for cell in cells[row * width..<(row + 1) * width] {
      switch cell {
      case .blank: text += " "
      case .character(let character, _): text.append(character)
      case .rightHalf: break
      }
    }
    while text.last == " " { text.removeLast() }
    return text
  }

  /// The bytes that make a terminal show a row, wherever its cursor is.
  package func sequence(row: Int, colors: Bool) -> String {
    var sequence = "\u{1B}[\(row + 1);1H"
    var style = Style.plain
    var isPlaced = true
    for column in 0..<width {
      switch cells[row * width + column] {
      case .rightHalf: continue
      case .blank:
        if style != .plain { sequence += Style.plain.sequence(colors: colors) }
        style = .plain
        if !isPlaced { sequence += "\u{1B}[\(column + 1)G" }
        isPlaced = true
        sequence += " "
      case .character(let character, let own):
        if style != own { sequence += own.sequence(colors: colors) }
        style = own
        if !isPlaced { sequence += "\u{1B}[\(column + 1)G" }
        isPlaced = !character.hasUncertainWidth
        sequence.append(character)
      }
    }
    return style == .plain ? sequence : sequence + Style.plain.sequence(colors: colors)
  }
}

/// Brings canvases to a terminal, one after the other: only rows that differ from what it shows.
package struct CanvasWriter {
  private let colors: Bool
  private var shown: [String] = []

  package init(colors: Bool) { self.colors = colors }

  package mutating func sequence(for canvas: Canvas) -> String {
    let rows = (0..<canvas.height).map { canvas.sequence(row: $0, colors: colors) }
    defer { shown = rows }
    // Another size: the terminal may have moved what it showed.
    if rows.count != shown.count { return "\u{1B}[2J" + rows.joined() }
    return zip(rows, shown).filter { $0 != $1 }.map(\.0).joined()
  }
}

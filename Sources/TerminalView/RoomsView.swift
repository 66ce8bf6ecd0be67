package import RoomScreen

/// Several rooms side by side, and below them lines about how things go.
package struct RoomsView: Sendable {
  private let panels: [RoomPanel]

  /// Narrower than this, a panel tells little.
  package static let narrowest = 36

  package init(panels: [RoomPanel]) { self.panels = panels }

  /// `screens` are those of the panels, in their order. Notes are left out where there is no room for a panel above them.
  package func canvas(
    width: Int, height full: Int, screens: [Screen], nowMs: Int64, notes: [String] = [], status: String
  ) -> Canvas {
    var canvas = Canvas(width: width, height: full)
    guard let panel = panels.first, full > 1, width > 0 else { return canvas }
    let notes = full > panel.height + notes.count ? notes : []
    let height = full - notes.count
    let columns = min(panels.count, max(1, (width + 1) / (Self.narrowest + 1)))
    let across = (width + 1) / columns - 1
    let down = max(1, (height - 1) / panel.height)
    // A row between them where there is room for it.
    let rows = min(down, (panels.count + columns - 1) / columns)
    let step = rows * (panel.height + 1) <= height - 1 ? panel.height + 1 : panel.height
    for (index, panel) in panels.prefix(columns * down).enumerated() {
      let left = index % columns * (across + 1)
      panel.draw(
        screens[index], at: nowMs, in: left..<left + across, fromRow: index / columns * step, on: &canvas)
    }
    let hidden = panels.count - min(panels.count, columns * down)
    let more = hidden > 0 ? "\(hidden) more rooms need a larger terminal · " : ""
    for (index, line) in (notes + [more + status]).enumerated() {
      let row = height - 1 + index
      canvas.put(String(repeating: " ", count: width), row: row, column: 0)
      canvas.put(line.cut(toCells: width), row: row, column: 0, style: row == full - 1 ? .dim : .bold)
    }
    return canvas
  }
}

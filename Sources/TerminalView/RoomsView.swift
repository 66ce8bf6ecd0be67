package import RoomScreen

/// Several rooms side by side, and a line about how things go.
package struct RoomsView: Sendable {
  private let panels: [RoomPanel]

  /// Narrower than this, a panel tells little.
  package static let narrowest = 36

  package init(panels: [RoomPanel]) { self.panels = panels }

  /// `screens` are those of the panels, in their order.
  package func canvas(width: Int, height: Int, screens: [Screen], nowMs: Int64, status: String) -> Canvas {
    var canvas = Canvas(width: width, height: height)
    guard let panel = panels.first, height > 1, width > 0 else { return canvas }
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
    let row = height - 1
    canvas.put(String(repeating: " ", count: width), row: row, column: 0)
    canvas.put((more + status).cut(toCells: width), row: row, column: 0, style: .dim)
    return canvas
  }
}

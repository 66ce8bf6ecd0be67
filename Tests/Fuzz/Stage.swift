import RoomScreen
import TerminalView
import Wire

/// All that can be asked of a screen.
enum Stage {
  static func draw(_ screen: Screen) {
    for nowMs in [screen.nowMs, 0, 1_700_000_000_000, .max] {
      var screen = screen
      screen.advance(to: nowMs)
      for banner in screen.banners {
        _ = banner.left(atMs: nowMs, width: banner.width, stageWidth: 375)
        _ = banner.left(atMs: nowMs, width: 100, stageWidth: 80)
      }
      for drop in screen.rains.flatMap(\.drops) { _ = drop.fallen(atMs: nowMs) }
      let panel = RoomPanel(title: "r1", tracks: 3, lanes: 2, stageWidth: 375)
      _ = RoomsView(panels: [panel]).canvas(width: 80, height: 12, screens: [screen], nowMs: nowMs, status: "")
      var other = Screen(screen.roomId)
      other.reset(to: screen.snapshot)
    }
    var encoder = SnapshotEncoder()
    _ = Samples.bytes { encoder.encode(screen.snapshot, into: &$0) }
  }
}

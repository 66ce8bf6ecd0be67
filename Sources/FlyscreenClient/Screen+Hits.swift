import Foundation
public import RoomScreen

extension Screen {
  /// What flies under a finger, where it is at that moment: the topmost. `Tests/ClientCases/hits.json` has the cases.
  ///
  /// - Parameters:
  ///   - x: the finger's place, in the units of the layout.
  ///   - y: as `x`, from the top.
  ///   - atMs: the log time of the frame that is shown.
  ///   - layout: how the app draws.
  public func item(atX x: Double, y: Double, atMs: Int64, in layout: StageLayout) -> FlyingItem? {
    items(atX: x, y: y, atMs: atMs, in: layout).first
  }

  /// All that flies under a finger, the topmost first: packets above banners, later ones above earlier ones.
  public func items(atX x: Double, y: Double, atMs: Int64, in layout: StageLayout) -> [FlyingItem] {
    let drops = rains.flatMap { rain in rain.drops.map { (drop: $0, rain: rain.id) } }
      .filter { $0.drop.startMs <= atMs && atMs < $0.drop.landMs && $0.drop.covers(x, y, atMs: atMs, in: layout) }
    let order = drops.indices.sorted { (drops[$0].drop.startMs, $0) > (drops[$1].drop.startMs, $1) }
    let under = banners.filter { banner in
      let (left, top, width, height) = banner.box(atMs: atMs, in: layout)
      return banner.startMs <= atMs && atMs < banner.landMs && left <= x && x <= left + width && top <= y
        && y <= top + height
    }
    return order.map { .packet(drops[$0].drop, of: drops[$0].rain) } + under.reversed().map { .banner($0) }
  }
}

extension Banner {
  /// The place of the banner at a log time, in the units of the layout.
  public func box(atMs: Int64, in layout: StageLayout) -> (left: Double, top: Double, width: Double, height: Double) {
    let wide = Double(width) * min(1, layout.width / layout.stageWidth)
    let flown = Double(atMs.minus(startMs)) / Double(durationMs)
    let top = layout.firstTrack + Double(track) * layout.trackStep
    return (layout.width - (layout.width + wide) * flown, top, wide, layout.bannerHeight)
  }
}

extension Rain.Drop {
  /// The middle of the packet at a log time, in the units of the layout, and the degrees that it is turned clockwise.
  public func place(atMs: Int64, in layout: StageLayout) -> (x: Double, y: Double, degrees: Double) {
    let since = Double(atMs.minus(startMs))
    let fallen = since / Double(fallMs)
    let turned = spinMs > 0 ? min(1, since / Double(spinMs)) : 1
    let across = (Double(x) + (Double(toX) - Double(x)) * fallen) / 999
    // It begins and ends out of sight, however it is turned.
    let reach = hypot(layout.packetWidth, layout.packetHeight) / 2
    return (
      layout.packetWidth / 2 + across * (layout.width - layout.packetWidth),
      fallen * (layout.height + 2 * reach) - reach, Double(angle) + Double(spin) * turned
    )
  }

  fileprivate func covers(_ x: Double, _ y: Double, atMs: Int64, in layout: StageLayout) -> Bool {
    let place = place(atMs: atMs, in: layout)
    let (dx, dy) = (x - place.x, y - place.y)
    let radians = place.degrees * .pi / 180
    return abs(dx * cos(radians) + dy * sin(radians)) <= layout.packetWidth / 2
      && abs(dy * cos(radians) - dx * sin(radians)) <= layout.packetHeight / 2
  }
}

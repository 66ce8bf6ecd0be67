package import RoomEngine

extension EngineSettings {
  /// A gift that finds no lane is skipped, no gift comes to the spot, and equal wishes fly each by itself: a test of
  /// one stage need not tell of others.
  package var plain: EngineSettings {
    var plain = self
    plain.crowd.kinds = 0
    plain.spot.tier = 0
    plain.wish.mergeMs = 0
    return plain
  }
}

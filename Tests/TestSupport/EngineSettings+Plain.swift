package import RoomEngine

extension EngineSettings {
  /// What finds no lane is skipped, no gift comes to the spot, and equal wishes fly each by itself. Of other stages a test
  /// then tells less.
  package var plain: EngineSettings {
    var plain = self
    plain.crowd.kinds = 0
    plain.spot.tier = 0
    plain.wish.mergeMs = 0
    return plain
  }
}

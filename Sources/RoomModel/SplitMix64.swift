/// SplitMix64: the one source of numbers that STAGES.md names. Any of them can be had without those before it: this is
/// the one that is drawn after `place` others.
@inlinable public func splitMix64(at place: UInt64, seed: UInt64) -> UInt64 {
  var z = seed &+ (place &+ 1) &* 0x9E37_79B9_7F4A_7C15
  z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
  z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
  return z ^ z >> 31
}

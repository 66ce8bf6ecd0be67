import RoomModel

/// Numbers from a seed, the same everywhere.
package struct SplitMix64: RandomNumberGenerator {
  private let seed: UInt64
  private var drawn: UInt64 = 0

  package init(seed: UInt64) { self.seed = seed }

  package mutating func next() -> UInt64 {
    defer { drawn &+= 1 }
    return splitMix64(at: drawn, seed: seed)
  }

  /// True once in so many times.
  package mutating func once(in times: UInt64) -> Bool { next() % times == 0 }

  package mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  package mutating func one<Element>(of choices: [Element]) -> Element {
    choices[Int(next() % UInt64(choices.count))]
  }
}

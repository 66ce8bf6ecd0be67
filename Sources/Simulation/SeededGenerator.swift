import RoomModel

/// SplitMix64: the same numbers for the same seed, on every machine and with every version of the library, which
/// the standard library's `random(in:using:)` doesn't promise of what it makes of a generator.
package struct SeededGenerator: Sendable {
  private let seed: UInt64
  private var drawn: UInt64 = 0

  package init(seed: UInt64) { self.seed = seed }

  @inline(__always) package mutating func next() -> UInt64 {
    defer { drawn &+= 1 }
    return splitMix64(at: drawn, seed: seed)
  }

  /// 0 ..< `bound`, without the bias that matters only to cryptographers.
  @inline(__always) package mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  package mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  /// 0 ..< 1.
  @inline(__always) package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  @inline(__always) package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

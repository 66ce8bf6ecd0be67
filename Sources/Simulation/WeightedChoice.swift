import Glibc

/// Draws 0 ..< n with given weights, in constant time (Walker's alias method).
package struct WeightedChoice: Sendable {
  /// A column keeps its own index for `keep` of the unit, and gives its alias for the rest.
  private var columns: [(keep: Double, alias: Int)]

  package init(weights: [Double]) {
    let mean = weights.reduce(0, +) / Double(weights.count)
    var share = weights.map { $0 / mean }
    columns = weights.indices.map { (keep: 1, alias: $0) }
    var poor = share.indices.filter { share[$0] < 1 }
    var rich = share.indices.filter { share[$0] >= 1 }
    while let lacking = poor.popLast(), let giving = rich.last {
      columns[lacking] = (keep: share[lacking], alias: giving)
      share[giving] -= 1 - share[lacking]
      if share[giving] < 1 {
        rich.removeLast()
        poor.append(giving)
      }
    }
  }

  /// Weights 1/rank^`exponent`: a few take most, as in rooms, viewers and gifts.
  package init(count: Int, exponent: Double) {
    self.init(weights: (1...count).map { pow(Double($0), -exponent) })
  }

  @inline(__always) package func draw(_ generator: inout SeededGenerator) -> Int {
    let (index, fraction) = UInt64(columns.count).multipliedFullWidth(by: generator.next())
    let column = columns[Int(truncatingIfNeeded: index)]
    return Double(fraction) * 0x1p-64 < column.keep ? Int(truncatingIfNeeded: index) : column.alias
  }
}

/// A length of something, from a few ranges of which some are likelier.
struct Spread: Sendable {
  private let ranges: [ClosedRange<Int>]
  private let choice: WeightedChoice
  let mean: Double

  init(_ ranges: [(range: ClosedRange<Int>, weight: Double)]) {
    self.ranges = ranges.map(\.range)
    choice = WeightedChoice(weights: ranges.map(\.weight))
    let sum = ranges.reduce(0) { $0 + $1.weight * Double($1.range.lowerBound + $1.range.upperBound) / 2 }
    mean = sum / ranges.reduce(0) { $0 + $1.weight }
  }

  func draw(_ generator: inout SeededGenerator) -> Int { generator.within(ranges[choice.draw(&generator)]) }
}

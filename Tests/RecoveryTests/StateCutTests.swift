import Recovery
import TestSupport
import Testing

@Suite struct StateCutTests {
  private func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  private func pieces(_ state: [UInt8], cuts: [Int]) -> [(bytes: ArraySlice<UInt8>, isInHead: Bool)] {
    state.withUnsafeBytes { StateCut.small.pieces(of: $0, cuts: cuts) }.map { (state[$0.range], $0.isInHead) }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>) func thePiecesAreTheStateAndNoneIsTooLong(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // Some have nothing by which they could be cut.
    let state = random.once(in: 3) ? [UInt8](repeating: 7, count: 5000) : bytes(5000, seed: seed)
    let cuts = (0..<random.number(0...6)).map { _ in Int(random.number(0...5000)) }.sorted()
    let pieces = pieces(state, cuts: cuts)
    #expect(pieces.reduce(into: [UInt8]()) { $0 += $1.bytes } == state)
    #expect(pieces.allSatisfy { $0.bytes.count <= StateCut.small.most })
    #expect(pieces.filter(\.isInHead).reduce(0) { $0 + $1.bytes.count } <= StateCut.small.head)
  }

  /// Holds for every cut, and wherever it grows or shrinks.
  @Test(arguments: 1...40 as ClosedRange<UInt64>) func aChangeChangesFewPieces(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var state = bytes(40_000, seed: seed)
    let before = Set(pieces(state, cuts: [20, 39_000]).map(\.bytes))
    let place = Int(random.number(30...38_000))
    if random.once(in: 2) { state.remove(at: place) } else { state.insert(7, at: place) }
    let after = pieces(state, cuts: [20, state.count - 1000])
    #expect(after.count { !before.contains($0.bytes) } <= 8)
    #expect(after.count > 100)
  }

  /// Bytes that change often are few, between long ones.
  @Test func whatIsShortStandsInTheHead() {
    let pieces = pieces(bytes(2050, seed: 3), cuts: [1000, 1050])
    let inHead = pieces.filter(\.isInHead).map(\.bytes.count)
    #expect(inHead.contains(50))
  }
}

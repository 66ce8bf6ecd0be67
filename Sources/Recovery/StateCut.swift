internal import RoomModel

/// The cutting of a room's state into its head and parts that are written on their own.
///
/// A part is a stretch of the state's bytes. Where it ends follows from the bytes before, so a change moves no ends but
/// those near it: what has not changed is cut as it was, whoever cuts it. A state is written so that what changes often
/// lies together, apart from what is long (the places are told by the engine).
package struct StateCut: Sendable {
  /// States up to this have no parts.
  package let whole: Int
  /// Bytes of all that stands in a head beside the names of its parts.
  package let head: Int
  /// Shorter pieces stand in the head while there is room.
  package let short: Int
  package let least: Int
  package let most: Int
  /// The mean number of bytes after which a part ends, once it has the least length; a power of 2.
  package let oneIn: UInt64

  package init(whole: Int, head: Int, short: Int, least: Int, most: Int, oneIn: UInt64) {
    self.whole = whole
    self.head = head
    self.short = short
    self.least = least
    self.most = most
    self.oneIn = oneIn
  }

  package static let standard = StateCut(
    whole: 8 << 10, head: 8 << 10, short: 1 << 10, least: 4 << 10, most: 32 << 10, oneIn: 8 << 10)

  package struct Piece: Equatable {
    package var range: Range<Int>
    /// It stands in the head.
    package var isInHead: Bool
  }

  /// All of a state, in order.
  package func pieces(of state: UnsafeRawBufferPointer, cuts: [Int]) -> [Piece] {
    var pieces: [Piece] = []
    var left = head
    func append(_ range: Range<Int>) {
      var start = range.lowerBound
      while start < range.upperBound {
        let end = self.end(from: start, in: state, to: range.upperBound)
        let isInHead = end - start <= short && end - start <= left
        if isInHead { left -= end - start }
        pieces.append(Piece(range: start..<end, isInHead: isInHead))
        start = end
      }
    }
    // A short piece between two cuts stays with its neighbours.
    var start = 0
    var last = 0
    for cut in cuts + [state.count] {
      if cut - last >= least {
        append(start..<last)
        append(last..<cut)
        start = cut
      }
      last = cut
    }
    append(start..<state.count)
    return pieces
  }

  /// The end of the piece that begins at `start`.
  private func end(from start: Int, in state: UnsafeRawBufferPointer, to limit: Int) -> Int {
    guard limit - start > least else { return limit }
    let last = min(limit, start + most)
    var hash: UInt64 = 0
    var place = start + least - 64
    if place < start { place = start }
    Self.gear.withUnsafeBufferPointer { gear in
      while place < last {
        // The last 64 bytes are in it.
        hash = hash << 1 &+ gear[Int(state[place])]
        place += 1
        if place - start >= least, (hash >> 40) & (oneIn - 1) == 0 { break }
      }
    }
    return place
  }

  /// A number for each byte; the same for all owners.
  private static let gear: [UInt64] = (0..<256).map { splitMix64(at: $0, seed: 0x666C_7973_6372_6565) }
}

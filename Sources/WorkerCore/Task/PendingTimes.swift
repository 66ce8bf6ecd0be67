/// Counts the records that wait for their commit by the stretch of time in which they were produced.
///
/// It takes an add for a record whose stretch is among the last 64, in whatever order they come. Stretches are 8 ms long;
/// where there would be more than `most`, as while a worker catches up, they are twice as long, and so on: what is told
/// errs by one part in hundreds of the time that they span.
package struct PendingTimes {
  private var starts = InlineArray<64, Int64>(repeating: Self.none)
  private var counts = InlineArray<64, Int64>(repeating: 0)
  /// Stretches that newer ones have pushed out of the 64.
  private var earlier: [(start: Int64, count: Int64)] = []
  private var shift = Self.leastShift

  private static let leastShift: Int64 = 3
  private static let most = 512
  private static let none = Int64.min

  package init() {}

  /// - Parameter timeMs: below 0: it is not known.
  @inline(__always) package mutating func add(_ timeMs: Int64) {
    let start = timeMs >> shift
    let place = Int(start & 63)
    if starts[place] == start {
      counts[place] &+= 1
    } else {
      begin(start, at: place)
    }
  }

  private mutating func begin(_ start: Int64, at place: Int) {
    guard start >= 0 else { return }
    let (before, count) = (starts[place], counts[place])
    (starts[place], counts[place]) = (start, 1)
    guard before != Self.none else { return }
    earlier.append((before, count))
    if earlier.count >= Self.most { makeRoom() }
  }

  /// Puts together what is of one stretch, and makes stretches longer until half of the room is free.
  private mutating func makeRoom() {
    takePlaces()
    merge(by: 0)
    while earlier.count > Self.most / 2 {
      shift += 1
      merge(by: 1)
    }
  }

  private mutating func takePlaces() {
    for place in 0..<64 where starts[place] != Self.none {
      earlier.append((starts[place], counts[place]))
      starts[place] = Self.none
    }
  }

  /// Records mostly come as they were produced, so there is mostly nothing to sort.
  private mutating func merge(by shift: Int64) {
    if zip(earlier, earlier.dropFirst()).contains(where: { $0.start > $1.start }) {
      earlier.sort { $0.start < $1.start }
    }
    var merged = 0
    for i in earlier.indices {
      let (start, count) = (earlier[i].start >> shift, earlier[i].count)
      if merged > 0, earlier[merged - 1].start == start {
        earlier[merged - 1].count += count
      } else {
        earlier[merged] = (start, count)
        merged += 1
      }
    }
    earlier.removeLast(earlier.count - merged)
  }

  /// Hands out all, in no order, and begins anew.
  ///
  /// - Parameter body: gets a time in milliseconds since 1970, and how many records are of about that.
  package mutating func take(_ body: (Int64, Int64) -> Void) {
    takePlaces()
    for (start, count) in earlier { body(start << shift, count) }
    earlier.removeAll(keepingCapacity: true)
    shift = Self.leastShift
  }
}

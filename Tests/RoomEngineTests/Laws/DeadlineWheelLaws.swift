import RoomEngine
import RoomModel
import TestSupport
import Testing

/// The wheel knows the least deadline, whatever is set and removed.
struct DeadlineWheelLaws {
  /// Near and far, at once, in the past, and where lists begin again from the first.
  private static let distances: [LogTime] = [0, 1, 60, 64, 100, 1000, 1023, 1024, 1025, 5000, -1, -3000]

  @Test(arguments: 0..<40 as Range<UInt64>)
  func theLeastDeadlineIsAtHand(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var wheel = DeadlineWheel()
    var deadlines: [Int32: LogTime] = [:]
    var now = LogTime(random.number(-5000...1_700_000_000_000))
    for _ in 0..<3000 {
      let item = Int32(random.number(0...(seed % 2 == 0 ? 6 : 60)))
      switch random.number(0...9) {
      case 0:
        wheel.remove(item)
        deadlines[item] = nil
      case 1...4:
        let deadline = now + Self.distances.randomElement(using: &random)! + random.number(0...40)
        wheel.set(item, to: deadline, now: now)
        deadlines[item] = deadline
      case 5:
        now += random.number(0...(random.number(0...20) == 0 ? 100_000 : 30))
      default:
        // The least deadline fires, and its next one is soon, as with timers of rooms.
        guard let least = deadlines.values.min() else { break }
        #expect(wheel.first(through: least - 1) == nil)
        guard let first = wheel.first(through: least) else {
          Issue.record("no item is due at \(least)")
          return
        }
        now = max(now, least)
        wheel.set(first.item, to: least + 100, now: least)
        deadlines[first.item] = least + 100
      }
      guard wheel.count == deadlines.count, wheel.leastDeadline == deadlines.values.min() ?? .max else {
        Issue.record("\(wheel.leastDeadline), not \(deadlines.values.min() ?? .max)")
        return
      }
      if let first = wheel.first(through: .max), deadlines[first.item] != first.deadline {
        Issue.record("item \(first.item) is not due at \(first.deadline)")
        return
      }
    }
    for item in deadlines.keys.sorted() { wheel.remove(item) }
    #expect(wheel.isEmpty && wheel.leastDeadline == .max)
  }
}

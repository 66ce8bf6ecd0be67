internal import Foundation
internal import Synchronization

/// Seeds of simulated schedules: others with each run, the first one by the clock.
///
/// `FLYSCREEN_SEED` runs that one alone, with its log; `FLYSCREEN_SCHEDULES` so many, from that seed on if it is given.
package struct Seeds {
  package let first: UInt64
  package let count: UInt64
  /// A single seed was asked for.
  package let isOne: Bool

  /// - Parameter count: Run where nothing else is asked for.
  package init(count: UInt64) {
    let environment = ProcessInfo.processInfo.environment
    let asked = environment["FLYSCREEN_SEED"].flatMap(UInt64.init)
    let wanted = environment["FLYSCREEN_SCHEDULES"].flatMap(UInt64.init)
    first = asked ?? UInt64(Date().timeIntervalSince1970 * 1000)
    self.count = wanted ?? (asked == nil ? count : 1)
    isOne = asked != nil && self.count == 1
    // From here on the time counts.
    Self.done.withLock { _ in }
    print("schedules: \(self.count) from FLYSCREEN_SEED=\(first)")
  }

  /// The seeds in stretches, which run at once on as many cores as there are.
  package var stretches: [Range<UInt64>] {
    let length = min(count / 10 + 1, 1000)
    return stride(from: first, to: first + count, by: Int(length)).map { $0..<min($0 + length, first + count) }
  }

  private static let done = Mutex((count: UInt64(0), began: ContinuousClock.now))

  /// Tells how many are done, and how fast.
  package static func tell(_ more: Int) {
    let (count, began) = done.withLock {
      $0.count += UInt64(more)
      return $0
    }
    let minutes = (ContinuousClock.now - began) / .seconds(60)
    print("schedules: \(count) done, \(Int(Double(count) / max(minutes, 0.001))) a minute")
  }
}

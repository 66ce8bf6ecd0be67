package import Foundation

/// The time and the chance that a stream goes by. Tests make both.
package struct Timekeeper: Sendable {
  /// Time since some moment; it only moves forward.
  package var now: @Sendable () -> Duration
  /// The time by the calendar, which tokens end by. Somebody may set it.
  package var date: @Sendable () -> Date
  package var sleep: @Sendable (Duration) async throws -> Void
  /// A random number from 0 to 1.
  package var chance: @Sendable () -> Double

  package init(
    now: @escaping @Sendable () -> Duration, date: @escaping @Sendable () -> Date,
    sleep: @escaping @Sendable (Duration) async throws -> Void, chance: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.date = date
    self.sleep = sleep
    self.chance = chance
  }

  /// The machine's own, which goes on while the machine sleeps.
  package static let continuous: Timekeeper = {
    let start = ContinuousClock.now
    return Timekeeper(
      now: { ContinuousClock.now - start }, date: { Date() },
      sleep: { try await ContinuousClock().sleep(for: $0) }, chance: { .random(in: 0...1) })
  }()
}

extension Duration {
  /// Whole milliseconds, rounded down.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}

import FlyscreenClient
import Testing

struct BackoffTests {
  private var backoff = Backoff(first: .milliseconds(500), limit: .seconds(30))

  @Test mutating func waitsDoubleUpToTheLimit() {
    let waits = (0..<9).map { _ in backoff.next(share: 1) }
    #expect(waits == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
  }

  @Test mutating func halfOfAWaitIsChance() {
    #expect(backoff.next(share: 0) == .milliseconds(250))
    #expect(backoff.next(share: 0.5) == .milliseconds(750))
    #expect(backoff.next(share: 7) == .seconds(2), "there is no more chance than all of it")
  }

  @Test mutating func whatWorkedBeginsAnew() {
    for _ in 0..<5 { _ = backoff.next(share: 1) }
    backoff.reset()
    #expect(backoff.next(share: 1) == .milliseconds(500))
  }

  @Test mutating func theServerMayAskForMoreButNotForEver() {
    #expect(backoff.next(least: .seconds(10), share: 1) == .milliseconds(10_500))
    #expect(backoff.next(least: .milliseconds(Int64.max), share: 1) <= .seconds(3700))
  }

  @Test mutating func noNumberOfFailuresIsTooMany() {
    for _ in 0..<10_000 { #expect(backoff.next(share: 1) <= .seconds(30)) }
  }
}

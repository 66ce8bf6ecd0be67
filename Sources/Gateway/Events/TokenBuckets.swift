import Synchronization

/// Limits of each client: `burst` at once, and then `perSecond`.
package final class TokenBuckets<Client: Hashable & Sendable>: Sendable {
  private struct Bucket {
    /// Thousandths of a token.
    var tokens: Int64
    var atMs: Int64
  }

  private struct Known {
    var byClient: [Client: Bucket] = [:]
    var sweptMs: Int64 = 0
  }

  private let perSecond: Int64
  /// Thousandths of a token.
  private let burst: Int64
  private let known = Mutex(Known())

  /// The time between two looks for clients that have been silent long enough to be forgotten.
  private static var sweepMs: Int64 { 10_000 }

  package init(perSecond: Int, burst: Int) {
    self.perSecond = Int64(perSecond)
    self.burst = 1000 * Int64(burst)
  }

  /// Takes so many, but no more than there ever are.
  ///
  /// - Returns: nil if they were there; else in how many milliseconds they will be.
  package func take(_ client: Client, _ count: Int64 = 1, nowMs: Int64) -> Int64? {
    known.withLock { known in
      if nowMs - known.sweptMs >= Self.sweepMs {
        known.byClient = known.byClient.filter { left(in: $0.value, nowMs) < burst }
        known.sweptMs = nowMs
      }
      let tokens = known.byClient[client].map { left(in: $0, nowMs) } ?? burst
      let wanted = min(1000 * count, burst)
      let isThere = tokens >= wanted
      known.byClient[client] = Bucket(tokens: isThere ? tokens - wanted : tokens, atMs: nowMs)
      return isThere ? nil : (wanted - tokens + perSecond - 1) / perSecond
    }
  }

  private func left(in bucket: Bucket, _ nowMs: Int64) -> Int64 {
    min(burst, bucket.tokens + (nowMs - bucket.atMs) * perSecond)
  }
}

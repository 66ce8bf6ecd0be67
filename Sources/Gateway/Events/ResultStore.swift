internal import Platform
package import RoomScreen
internal import Synchronization

/// The last results of each user's grabs, so that who was away is told: up to a hundred each, of the lookback, within a
/// bound of bytes in all.
package final class ResultStore: Sendable {
  fileprivate struct State {
    var byUser: [ID: [StreamResult]] = [:]
    /// Results in the order in which they came; one that its user has no more is passed over.
    var order: ArraySlice<(user: ID, number: Int, timestampMs: Int64, bytes: Int)> = []
    var bytes = 0
    var count = 0
    /// The time of the latest.
    var latestMs: Int64 = 0
    var isReadBack = false
  }

  private let state = Mutex(State())
  private let lookbackMs: Int64
  private let limit: Int

  static let mostOfUser = 100
  /// The bytes of a result that are not its own text: the entries here and in `order`, and two names.
  fileprivate static let overhead = 200
  /// Partitions are read one ahead of the other: a client that comes back with a time gets all results newer than this
  /// long before it. It knows the ones that it already has by their ids.
  static let marginMs: Int64 = 10_000

  package init(lookbackMs: Int64, bytes: Int) {
    self.lookbackMs = lookbackMs
    limit = bytes
  }

  /// Whether the results of before the gateway's start are read back.
  package var isReadBack: Bool { state.withLock { $0.isReadBack } }

  package func endReadBack() { state.withLock { $0.isReadBack = true } }

  /// The time of the last one; 0: none.
  package var latestMs: Int64 { state.withLock { $0.latestMs } }

  /// The number of results that are kept, and their bytes.
  package var size: (count: Int, bytes: Int) {
    state.withLock { ($0.byUser.values.reduce(0) { $0 + $1.count }, $0.bytes) }
  }

  /// - Parameter isKept: a grab that came too late gave nothing that anybody must be told later.
  /// - Returns: it with its number.
  package func add(_ result: StreamResult, isKept: Bool, nowMs: Int64 = WallClock.nowMs()) -> StreamResult {
    state.withLock { state in
      var result = result
      state.count += 1
      result.number = state.count
      state.latestMs = max(state.latestMs, result.timestampMs)
      let isOld = result.timestampMs < nowMs - lookbackMs
      if isKept && !isOld { state.keep(result, bytes: Self.bytes(of: result)) }
      state.trim(before: nowMs - lookbackMs, limit: limit)
      return result
    }
  }

  /// - Parameters:
  ///   - sinceMs: how far a client has come; nil: all that is kept.
  /// - Returns: the results that it has not been told, the oldest first; and the number and time of the last result.
  package func results(
    of user: ID, in rooms: [ID], sinceMs: Int64?, nowMs: Int64 = WallClock.nowMs()
  ) -> (results: [StreamResult], number: Int, latestMs: Int64) {
    state.withLock { state in
      let begin = max(nowMs - lookbackMs, sinceMs.map { $0 - Self.marginMs } ?? .min)
      let results = (state.byUser[user] ?? []).filter { $0.timestampMs >= begin && rooms.contains($0.room) }
      return (results, state.count, state.latestMs)
    }
  }

  private static func bytes(of result: StreamResult) -> Int {
    result.json.count + result.room.count + 2 * result.user.count + overhead
  }
}

extension ResultStore.State {
  fileprivate mutating func keep(_ result: StreamResult, bytes size: Int) {
    byUser[result.user, default: []].append(result)
    order.append((result.user, result.number, result.timestampMs, size))
    bytes += size
    if byUser[result.user]!.count > ResultStore.mostOfUser { byUser[result.user]!.removeFirst() }
  }

  /// The oldest go first, whoever's they are. One that its user has no more is counted until its turn has come.
  fileprivate mutating func trim(before beginMs: Int64, limit: Int) {
    while let first = order.first, bytes > limit || first.timestampMs < beginMs {
      order.removeFirst()
      bytes -= first.bytes
      guard byUser[first.user]?.first?.number == first.number else { continue }
      byUser[first.user]!.removeFirst()
      if byUser[first.user]!.isEmpty { byUser[first.user] = nil }
    }
    // A slice keeps what was before it.
    if order.startIndex > 4096, order.startIndex > order.count { order = ArraySlice(Array(order)) }
  }
}

internal import Synchronization

/// Counts of the connections, or the streams, of each address group, in all loops.
package final class AddressCounts: Sendable {
  private let limit: Int
  private let counts = Mutex<[AddressGroup?: Int]>([:])

  package init(limit: Int) { self.limit = limit }

  /// - Parameter group: nil: a peer whose address is none; all of them are one group.
  /// - Returns: false: it has as many as it may.
  package func enter(_ group: AddressGroup?) -> Bool {
    counts.withLock { counts in
      let count = counts[group, default: 0]
      if count >= limit { return false }
      counts[group] = count + 1
      return true
    }
  }

  package func leave(_ group: AddressGroup?) {
    counts.withLock { counts in
      guard let count = counts[group] else { return }
      counts[group] = count > 1 ? count - 1 : nil
    }
  }
}

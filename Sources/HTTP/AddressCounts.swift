import HTTP
import Synchronization

/// Counts of the streams of each address, in all loops. Spellings of one address count together, and so do the IPv6
/// addresses of one client.
final class AddressCounts: Sendable {
  private let limit: Int
  private let counts = Mutex<[AddressGroup?: Int]>([:])

  init(limit: Int) { self.limit = limit }

  /// False: it has as many as it may.
  func enter(_ address: String) -> Bool {
    let address = AddressGroup(address)
    return counts.withLock { counts in
      let count = counts[address, default: 0]
      if count >= limit { return false }
      counts[address] = count + 1
      return true
    }
  }

  func leave(_ address: String) {
    let address = AddressGroup(address)
    counts.withLock { counts in
      guard let count = counts[address] else { return }
      counts[address] = count > 1 ? count - 1 : nil
    }
  }
}

import HTTP
import Synchronization

/// How many streams each address has, in all loops. However it is spelled, and of IPv6 with all that are its client's.
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

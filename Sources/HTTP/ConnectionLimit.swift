internal import Synchronization

/// The connections of all loops of a process, and how many there may be: of all, and of one address.
package final class ConnectionLimit: Sendable {
  let limit: Int
  private let perAddress: Int
  private let isExempt: @Sendable (String) -> Bool
  private let open = Atomic(0)
  private let byAddress = Mutex<[AddressGroup: Int]>([:])

  /// - Parameter isExempt: whether an address, in digits, may have any number: that of a proxy.
  package init(
    _ limit: Int, perAddress: Int = .max, isExempt: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    self.limit = limit
    self.perAddress = perAddress
    self.isExempt = isExempt
  }

  package var count: Int { open.load(ordering: .relaxed) }

  func add(_ difference: Int) { open.add(difference, ordering: .relaxed) }

  var isReached: Bool { count >= limit }
  /// Some room again: not one for one, or the listener would go on and off with each.
  var hasRoom: Bool { count <= limit - step }
  /// The number of idle connections that give way at once.
  var step: Int { max(1, limit / 20) }

  enum Entry {
    case counted(AddressGroup)
    case uncounted
    case refused
  }

  /// - Parameter address: in digits.
  func enter(_ address: String) -> Entry {
    guard perAddress < .max, !isExempt(address), let group = AddressGroup(address) else { return .uncounted }
    let isIn = byAddress.withLock { counts in
      let count = counts[group, default: 0]
      if count < perAddress { counts[group] = count + 1 }
      return count < perAddress
    }
    return isIn ? .counted(group) : .refused
  }

  func leave(_ group: AddressGroup) {
    byAddress.withLock { counts in
      guard let count = counts[group] else { return }
      counts[group] = count > 1 ? count - 1 : nil
    }
  }
}

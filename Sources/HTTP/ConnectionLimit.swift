internal import Synchronization

/// The connections of all loops of a process, and how many there may be: of all, and of one address.
package final class ConnectionLimit: Sendable {
  let limit: Int
  private let isExempt: @Sendable (String) -> Bool
  private let open = Atomic(0)
  private let byAddress: AddressCounts

  /// - Parameter isExempt: whether an address, in digits, may have any number: that of a proxy.
  package init(
    _ limit: Int, perAddress: Int = .max, isExempt: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    self.limit = limit
    byAddress = AddressCounts(limit: perAddress)
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
    guard !isExempt(address), let group = AddressGroup(address) else { return .uncounted }
    return byAddress.enter(group) ? .counted(group) : .refused
  }

  func leave(_ group: AddressGroup) { byAddress.leave(group) }
}

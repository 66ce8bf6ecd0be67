internal import Glibc

/// An address as a number, so that its spelling doesn't matter; of IPv6 the network of 64 bits that one client has, all
/// of whose addresses it may use.
package struct AddressGroup: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// Nil if it is no address in digits.
  package init?(_ text: String) {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self.init(four: four.s_addr)
      return
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    let words = withUnsafeBytes(of: &six) { bytes in
      (0..<4).map { UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
    }
    // An IPv4 client of a socket that takes both.
    if words[0] == 0, words[1] == 0, words[2] == 0xffff {
      self.init(four: words[3].bigEndian)
    } else {
      self.init(high: UInt64(words[0]) << 32 | UInt64(words[1]), low: 0)
    }
  }

  private init(four: UInt32) {
    self.init(high: 0, low: 0xffff_0000_0000 | UInt64(UInt32(bigEndian: four)))
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

extension AddressGroup: CustomStringConvertible {
  package var description: String { String(high, radix: 16) + ":" + String(low, radix: 16) }
}

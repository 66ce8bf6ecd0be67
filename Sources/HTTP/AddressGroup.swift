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

/// The other end of a connection, in digits; nil: it has gone.
func peerAddress(of descriptor: Int32) -> String? {
  var address = sockaddr_in6()
  var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
  let status = withUnsafeMutableBytes(of: &address) { bytes in
    getpeername(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
  }
  guard status == 0 else { return nil }
  var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
  let family = Int32(address.sin6_family)
  let isText = withUnsafeBytes(of: &address) { bytes in
    // Behind family and port, and of IPv6 the flow.
    let place = bytes.baseAddress! + (family == AF_INET ? 4 : 8)
    return inet_ntop(family, place, &text, socklen_t(text.count)) != nil
  }
  return isText ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
}

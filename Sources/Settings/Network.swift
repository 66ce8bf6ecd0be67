internal import Glibc

/// An address, or those that begin with the same bits: `10.0.0.7`, `10.0.0.0/8`, `fd00::/8`.
package struct Network: Equatable, Sendable {
  /// An IPv4 address as IPv6 has it, so that both compare.
  private let bytes: [UInt8]
  private let bits: Int

  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let bytes = Self.bytes(of: String(parts[0])) else { return nil }
    var bits = 128
    if parts.count == 2 {
      let most = parts[0].contains(":") ? 128 : 32
      guard let given: Int = wholeNumber(String(parts[1])), (0...most).contains(given) else { return nil }
      bits = 128 - most + given
    }
    self.bytes = bytes
    self.bits = bits
  }

  /// - Parameter address: in digits; what is none is in no network.
  package func contains(_ address: String) -> Bool {
    guard let other = Self.bytes(of: address) else { return false }
    let whole = bits / 8
    guard bytes[..<whole] == other[..<whole] else { return false }
    let rest = bits % 8
    return rest == 0 || (bytes[whole] ^ other[whole]) >> UInt8(8 - rest) == 0
  }

  package static func isAddress(_ text: String) -> Bool { bytes(of: text) != nil }

  private static func bytes(of text: String) -> [UInt8]? {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      return [UInt8](repeating: 0, count: 10) + [0xff, 0xff] + withUnsafeBytes(of: &four) { Array($0) }
    }
    var six = in6_addr()
    return inet_pton(AF_INET6, text, &six) == 1 ? withUnsafeBytes(of: &six) { Array($0) } : nil
  }
}

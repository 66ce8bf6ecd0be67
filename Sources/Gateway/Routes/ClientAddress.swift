import HTTP
package import Settings

/// Finds the client of a request: the peer, or the one that a trusted proxy speaks for.
package struct ClientAddress: Sendable {
  private let trusted: [Network]

  package init(trusted: [Network]) { self.trusted = trusted }

  /// The address in digits.
  func of(_ request: Request) -> String {
    of(peer: request.peer, forwardedFor: { request.headerList("X-Forwarded-For") })
  }

  /// In `client, proxy, proxy` each hop has added its peer on the right, so what stands left of the first that we
  /// don't trust may be made up.
  package func of(peer: String, forwardedFor: () -> String) -> String {
    guard isTrusted(peer) else { return peer }
    var client = peer
    for hop in forwardedFor().listItems.reversed() {
      guard Network.isAddress(hop) else { break }
      client = hop
      if !isTrusted(hop) { break }
    }
    return client
  }

  func isTrusted(_ address: String) -> Bool { trusted.contains { $0.contains(address) } }
}

extension String {
  /// The items of a header's list, without blanks around them. By bytes: beside some characters a comma is part of
  /// another Character.
  var listItems: [String] { utf8.split(separator: UInt8(ascii: ",")).map { Substring($0).trimmed } }
}

extension Substring {
  var trimmed: String {
    String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}

internal import CLibevent
internal import Glibc
internal import Platform

/// A port that can't be had.
package struct PortError: Error, CustomStringConvertible {
  package let description: String
}

/// A socket that listens on an address of the machine or on all of them, until an `HTTPServer` that takes it is gone.
package struct ListeningSocket: Sendable {
  let descriptor: Int32
  /// The one it listens on, also where any free one was asked for.
  package let port: UInt16

  /// Room for a storm of clients that all come back at once.
  private static let backlog: Int32 = 4096

  /// `count` sockets on one port, among which the kernel shares out the connections. Port 0: any free one.
  ///
  /// - Parameters:
  ///   - address: in digits; empty: all of the machine's.
  ///   - sendBufferBytes: what the kernel keeps of what a connection has not read; nil: as the system has it.
  package static func open(
    port: UInt16, address: String = "", count: Int = 1, sendBufferBytes: Int32? = nil
  ) throws(PortError) -> [ListeningSocket] {
    let place = Place(port: port, address: address)
    // Another program of the same user could share the port as well; one that doesn't share finds out.
    if count > 1, port != 0 { close(try ListeningSocket(place, shares: false, sendBufferBytes).descriptor) }
    var sockets = [try ListeningSocket(place, shares: count > 1, sendBufferBytes)]
    while sockets.count < count {
      do throws(PortError) {
        let next = Place(port: sockets[0].port, address: address)
        sockets.append(try ListeningSocket(next, shares: true, sendBufferBytes))
      } catch {
        for socket in sockets { close(socket.descriptor) }
        throw error
      }
    }
    return sockets
  }

  private struct Place {
    let port: UInt16
    let address: String

    /// All addresses: of both families where there are both.
    var families: [Int32] {
      address.isEmpty ? [AF_INET6, AF_INET] : [address.utf8.contains(UInt8(ascii: ":")) ? AF_INET6 : AF_INET]
    }
  }

  private init(_ place: Place, shares: Bool, _ sendBufferBytes: Int32?) throws(PortError) {
    var reason = SystemError(code: 0)
    for family in place.families {
      if let descriptor = Self.open(family, place, shares: shares, sendBufferBytes) {
        self.descriptor = descriptor
        port = Self.port(of: descriptor)
        return
      }
      reason = .last
      if reason.code == EADDRINUSE || reason.code == EACCES { break }
    }
    let whose = place.address.isEmpty ? "" : " of \(place.address)"
    let advice = reason.code == EADDRNOTAVAIL ? "give an address of this machine" : "give another one, or 0 for any"
    throw PortError(
      description: "can't serve HTTP on port \(place.port)\(whose): \(reason); \(advice)")
  }

  private static func open(_ family: Int32, _ place: Place, shares: Bool, _ sendBufferBytes: Int32?) -> Int32? {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
    if descriptor < 0 { return nil }
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if shares { set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
    // Accepted sockets inherit these two. libevent never turns Nagle's algorithm off, which costs up to 40 ms.
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    if let sendBufferBytes { set(descriptor, SOL_SOCKET, SO_SNDBUF, sendBufferBytes) }
    if bind(descriptor, family, place) == 0, listen(descriptor, backlog) == 0 { return descriptor }
    let reason = errno
    close(descriptor)
    errno = reason
    return nil
  }

  private static func bind(_ descriptor: Int32, _ family: Int32, _ place: Place) -> Int32 {
    if family == AF_INET6 {
      set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0)
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = place.port.bigEndian
      if !place.address.isEmpty { inet_pton(AF_INET6, place.address, &address.sin6_addr) }
      return bind(descriptor, &address)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = place.port.bigEndian
    if !place.address.isEmpty { inet_pton(AF_INET, place.address, &address.sin_addr) }
    return bind(descriptor, &address)
  }

  private static func bind<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
    withUnsafeBytes(of: &address) { bytes in
      Glibc.bind(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    withUnsafeMutableBytes(of: &address) { bytes in
      _ = getsockname(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
    }
    return UInt16(bigEndian: address.sin6_port)  // at the same place in both families
  }
}

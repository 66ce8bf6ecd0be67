import CLibevent
import Glibc

/// Serves `/healthz`, `/readyz` and `/metrics`, in a thread of its own.
///
/// Whoever asks gets one answer a connection, and `patienceSeconds` for all of it: nobody holds one open.
package final class ProbeServer: Sendable {
  /// nil: all is well; else why not, in a few words.
  package typealias Check = @Sendable () -> String?

  /// The one it listens on, also where any free one was asked for.
  package let port: UInt16
  private let loop: ProbeLoop
  private let thread: pthread_t

  /// Port 0: any free one. The checks are called on the server's thread.
  package init(
    port: UInt16, health: @escaping Check = { nil }, readiness: @escaping Check, metrics: Metrics,
    patienceSeconds: Int = 10
  ) throws(ProbeError) {
    let socket = try ListeningSocket(port: port)
    self.port = socket.port
    let loop = ProbeLoop(
      socket, routes: ProbeRoutes(health: health, readiness: readiness, metrics: metrics), patienceSeconds)
    self.loop = loop
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { argument in
        // Signals are the main thread's; a SIGPIPE of a peer that went away stays pending and harms nobody.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        Unmanaged<ProbeLoop>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(loop).toOpaque())
    precondition(status == 0, "no thread for the probes: \(String(cString: strerror(status)))")
    self.thread = thread
  }

  /// Returns once the port is free again. Once only.
  package func stop() {
    loop.stop()
    pthread_join(thread, nil)
  }
}

/// A port that can't be had.
package struct ProbeError: Error, CustomStringConvertible {
  package let description: String
}

/// A socket that listens, on all addresses of the machine.
struct ListeningSocket {
  let descriptor: Int32
  let port: UInt16

  init(port: UInt16) throws(ProbeError) {
    var reason: Int32 = 0
    for family in [AF_INET6, AF_INET] {
      if let descriptor = Self.open(family, port) {
        self.descriptor = descriptor
        self.port = Self.port(of: descriptor)
        return
      }
      reason = errno
      if reason == EADDRINUSE || reason == EACCES { break }
    }
    throw ProbeError(
      description:
        "can't serve HTTP on port \(port): \(String(cString: strerror(reason))); give another one, or 0 for any")
  }

  private static func open(_ family: Int32, _ port: UInt16) -> Int32? {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
    if descriptor < 0 { return nil }
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    let bound: Int32
    if family == AF_INET6 {
      set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0)
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      bound = bind(descriptor, &address)
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      bound = bind(descriptor, &address)
    }
    if bound == 0, listen(descriptor, 128) == 0 { return descriptor }
    let reason = errno
    close(descriptor)
    errno = reason
    return nil
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

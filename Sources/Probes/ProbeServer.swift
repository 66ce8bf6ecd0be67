package import HTTP
internal import Platform

/// Serves `/healthz`, `/readyz` and `/metrics`, in a thread of its own.
///
/// A connection gets one answer, and `patienceSeconds` for all of it: nobody holds one open.
package final class ProbeServer: Sendable {
  /// The one it listens on, also where any free one was asked for.
  package let port: UInt16
  private let loop: EventLoop
  private let thread: SystemThread

  private static let maxConnections = 128

  /// Port 0: any free one. Address, in digits; empty: all of the machine's. The checks are called on the server's
  /// thread.
  package init(
    port: UInt16, address: String = "", health: @escaping ProbeRoutes.Check = { nil },
    readiness: @escaping ProbeRoutes.Check,
    metrics: Metrics, patienceSeconds: Int = 10, log: Log? = nil
  ) throws(PortError) {
    let socket = try ListeningSocket.open(port: port, address: address)[0]
    self.port = socket.port
    let routes = ProbeRoutes(health: health, readiness: readiness, metrics: metrics)
    var limits = ServerLimits()
    limits.bodyBytes = 4096
    limits.requestMs = 1000 * Int64(patienceSeconds)
    limits.answerMs = limits.requestMs
    let loop = EventLoop()
    self.loop = loop
    thread = SystemThread { [limits] in
      let server = HTTPServer(
        loop: loop, socket: socket, limits: limits, connections: ConnectionLimit(Self.maxConnections)
      ) { request in
        var response = routes.response(to: request)
        response.closes = true
        request.respond(response)
      }
      if let log { server.onAcceptFailure = log.ofAccepting }
      loop.run()
      server.close()
    }
  }

  /// Returns once the port is free again. Once only.
  package func stop() {
    loop.stop()
    thread.join()
  }
}

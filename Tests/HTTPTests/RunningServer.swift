import Foundation
import HTTP
import Platform
import Synchronization
import TestSupport
import Testing

/// A server on a loop of its own, on any free port.
final class RunningServer: Sendable {
  let port: UInt16
  let loop: EventLoop
  private let thread: SystemThread

  /// `handler` is called in the loop; `setUp` before it runs.
  init(
    _ limits: ServerLimits = ServerLimits(), connections: ConnectionLimit = ConnectionLimit(1000),
    sendBufferBytes: Int32? = nil, spreadMs: Int64 = 0, tls: TLSCertificate? = nil,
    setUp: @escaping @Sendable (HTTPServer) -> Void = { _ in },
    handler: @escaping @Sendable (Request) -> Void
  ) throws {
    let socket = try ListeningSocket.open(port: 0, sendBufferBytes: sendBufferBytes)[0]
    port = socket.port
    let loop = EventLoop()
    self.loop = loop
    thread = SystemThread {
      let server = HTTPServer(
        loop: loop, socket: socket, limits: limits, connections: connections, tls: tls,
        handler: handler)
      loop.onStop = { server.drain(spreadMs: spreadMs, graceMs: 2000) }
      setUp(server)
      loop.run()
      server.close()
    }
  }

  func stop() {
    loop.stop()
    thread.join()
  }

  func ask(_ request: String) throws -> String {
    let client = try PlainClient(port: port)
    client.send(request)
    return client.readToEnd()
  }
}

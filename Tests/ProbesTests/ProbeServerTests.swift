import Foundation
import HTTP
import Probes
import Synchronization
import Testing

/// Asked by plain sockets, so that nothing of an HTTP library hides what is sent.
struct ProbeServerTests {
  private func withServer(
    health: @escaping ProbeRoutes.Check = { nil }, readiness: @escaping ProbeRoutes.Check = { nil },
    metrics: Metrics = Metrics(), _ body: (UInt16) throws -> Void
  ) throws {
    let server = try ProbeServer(port: 0, health: health, readiness: readiness, metrics: metrics)
    defer { server.stop() }
    try body(server.port)
  }

  @Test func saysThatItIsAliveAndReady() throws {
    try withServer { port in
      for path in ["/healthz", "/readyz", "/readyz?verbose=1"] {
        let answer = try ask(port, "GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.hasSuffix("\r\n\r\nok\n"))
      }
    }
  }

  @Test func saysWhyItIsNot() throws {
    try withServer(health: { "stuck" }, readiness: { "restoring 3 partitions" }) { port in
      let health = try ask(port, "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(health.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
      #expect(health.hasSuffix("\r\n\r\nstuck\n"))
      let readiness = try ask(port, "GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(readiness.hasPrefix("HTTP/1.1 503 "))
      #expect(readiness.hasSuffix("\r\n\r\nrestoring 3 partitions\n"))
    }
  }

  @Test func readinessIsAskedEachTime() throws {
    let trouble = Mutex<String?>("not yet")
    try withServer(readiness: { trouble.withLock { $0 } }) { (port: UInt16) throws in
      #expect(try ask(port, "GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n").hasPrefix("HTTP/1.1 503 "))
      trouble.withLock { $0 = nil }
      #expect(try ask(port, "GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func servesMetricsInPrometheusFormat() throws {
    let metrics = Metrics()
    metrics.counter("flyscreen_records_total", "records").add(3)
    try withServer(metrics: metrics) { port in
      let answer = try ask(port, "GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(answer.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n" + metrics.text()))
    }
  }

  @Test func headIsAnsweredWithTheLengthAndNoBody() throws {
    try withServer { port in
      let answer = try ask(port, "HEAD /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.contains("Content-Length: 3\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n"))
    }
  }

  @Test func otherPathsAndMethodsAreRefused() throws {
    try withServer { port in
      #expect(try ask(port, "GET /other HTTP/1.1\r\nHost: h\r\n\r\n").hasPrefix("HTTP/1.1 404 "))
      for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let answer = try ask(port, "\(method) /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 405 "), "\(method)")
        #expect(answer.contains("Allow: GET, HEAD\r\n"))
      }
    }
  }

  @Test func tooMuchOfARequestIsRefused() throws {
    try withServer { port in
      let long = String(repeating: "x", count: 20_000)
      #expect(try ask(port, "GET /healthz HTTP/1.1\r\nHost: h\r\nX: \(long)\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
      let answer = try ask(port, "POST /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
    }
  }

  @Test func whoAsksNothingKeepsNobodyElseWaiting() throws {
    try withServer { port in
      let silent = try (0..<20).map { _ in try connected(port) }
      defer { for descriptor in silent { close(descriptor) } }
      #expect(try ask(port, "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    }
  }

  /// A byte now and then would hold it for ever: evhttp's timeout begins anew with each.
  @Test func whoAsksTooSlowlyIsCutOff() throws {
    let server = try ProbeServer(port: 0, readiness: { nil }, metrics: Metrics(), patienceSeconds: 1)
    defer { server.stop() }
    let descriptor = try connected(server.port)
    defer { close(descriptor) }
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var bytes = 0
    repeat {
      _ = send(descriptor, "G", 1, Int32(MSG_NOSIGNAL))
      bytes += 1
    } while Foundation.poll(&poll, 1, 50) == 0 && bytes < 2000
    #expect(bytes < 2000)
  }

  @Test func whoeverGoesAwayEarlyHarmsNobody() throws {
    try withServer { port in
      for _ in 0..<20 {
        let descriptor = try connected(port)
        _ = "GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n".withCString {
          send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL))
        }
        close(descriptor)
      }
      #expect(try ask(port, "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func aPortThatIsTakenIsNamed() throws {
    try withServer { port in
      let error = #expect(throws: PortError.self) {
        try ProbeServer(port: port, readiness: { nil }, metrics: Metrics())
      }
      #expect(
        error?.description
          == "can't serve HTTP on port \(port): Address already in use; give another one, or 0 for any")
    }
  }

  @Test func afterStoppingThePortIsFree() throws {
    let first = try ProbeServer(port: 0, readiness: { nil }, metrics: Metrics())
    let lingering = try connected(first.port)
    first.stop()
    let second = try ProbeServer(port: first.port, readiness: { nil }, metrics: Metrics())
    #expect(try ask(second.port, "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    close(lingering)
    second.stop()
  }

  /// All that comes back until the server closes.
  private func ask(_ port: UInt16, _ request: String) throws -> String {
    let descriptor = try connected(port)
    defer { close(descriptor) }
    _ = request.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &part, part.count)
      if count <= 0 { return String(decoding: answer, as: UTF8.self) }
      answer += part[..<count]
    }
  }

  private func connected(_ port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafeBytes(of: &address) { bytes in
      connect(
        descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<sockaddr_in>.size)
      )
    }
    try #require(status == 0)
    return descriptor
  }
}

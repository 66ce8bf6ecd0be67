import Foundation
import HTTP
import Platform
import Synchronization
import TestSupport
import Testing

/// A server that is told to end, and clients that are still there.
struct DrainTests {
  /// `/stream` is a stream of one event, `/long` a long answer; `/wait` is answered once the loop is woken.
  private final class Site: EventStreamOwner, @unchecked Sendable {
    let openCount = Atomic(0)
    let waitingCount = Atomic(0)
    private var streams: [EventStream] = []
    private var waiting: [Request] = []

    static let long = [UInt8](repeating: UInt8(ascii: "x"), count: 4_000_000)

    func handle(_ request: Request) {
      switch request.target.segments.first {
      case "stream":
        let frame = Array("hello".utf8).withUnsafeBytes { EventFrame("snapshot", data: $0) }
        guard let stream = request.openStream([], first: [frame], owner: self) else { return }
        streams.append(stream)
        openCount.add(1, ordering: .releasing)
      case "wait":
        waiting.append(request)
        waitingCount.add(1, ordering: .releasing)
      case "long": request.respond(Response(.ok, body: Self.long))
      default: request.respond(Response(.ok))
      }
    }

    func work() {
      for request in waiting { request.respond(Response(.accepted)) }
      waiting = []
    }

    func eventsInPlaceOfThoseMissed(by stream: EventStream) -> [EventFrame] { [] }

    func closed(_ stream: EventStream) {
      streams.removeAll { $0 === stream }
      openCount.subtract(1, ordering: .releasing)
    }
  }

  private func serve(_ site: Site) throws -> RunningServer {
    try RunningServer(setUp: { $0.loop.onWake = site.work }) { site.handle($0) }
  }

  private func ask(_ path: String, _ client: PlainClient) { client.send("GET /\(path) HTTP/1.1\r\nHost: h\r\n\r\n") }

  /// Serves while a request waits and it is told to end, which it does when `body` has returned.
  ///
  /// - Parameter body: gets a client that has a connection.
  private func whileItDrains(_ site: Site, _ body: (PlainClient) throws -> Void) throws {
    let server = try serve(site)
    let (waits, streams, comes) = (
      try PlainClient(port: server.port), try PlainClient(port: server.port), try PlainClient(port: server.port)
    )
    ask("wait", waits)
    while site.waitingCount.load(ordering: .acquiring) == 0 { usleep(1000) }
    ask("", comes)
    #expect(comes.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    ask("stream", streams)
    #expect(streams.read(until: "data: hello").contains("event: snapshot"))
    server.loop.stop()
    #expect(streams.readToEnd().hasSuffix("0\r\n\r\n"), "now it drains")
    try body(comes)
    server.loop.wake()
    #expect(waits.readToEnd().hasPrefix("HTTP/1.1 202 "))
    server.stop()
  }

  @Test func aStreamThatIsAskedForMeanwhileEndsAsTheOthersDid() throws {
    let site = Site()
    try whileItDrains(site) { client in
      ask("stream", client)
      let text = client.readToEnd()
      #expect(text.contains("event: snapshot"))
      #expect(text.contains(#/retry: \d+\n\n\r\n0\r\n\r\n$/#))
    }
  }

  @Test func ownersHearThatTheirStreamsHaveEnded() throws {
    let site = Site()
    try whileItDrains(site) { _ in #expect(site.openCount.load(ordering: .acquiring) == 0) }
  }

  @Test func anAnswerEndsItsConnection() throws {
    try whileItDrains(Site()) { client in
      ask("", client)
      #expect(client.readToEnd().contains("Connection: close\r\n"))
    }
  }

  @Test func whatIsBeingWrittenIsWrittenToItsEnd() throws {
    let server = try serve(Site())
    let client = try PlainClient(port: server.port, receiveBufferBytes: 4096)
    ask("long", client)
    var count = client.readSome().count
    let stopping = SystemThread { server.stop() }
    count += client.readToEnd().utf8.count
    stopping.join()
    #expect(count > Site.long.count)
  }

  /// So that their clients come back one after the other, too.
  @Test func streamsEndEvenlyEachWithAWaitOfItsOwn() throws {
    let site = Site()
    let server = try RunningServer(spreadMs: 600) { site.handle($0) }
    let clients = try (0..<60).map { _ in try PlainClient(port: server.port) }
    for client in clients {
      ask("stream", client)
      #expect(client.read(until: "data: hello").contains("event: snapshot"))
    }
    let stopping = SystemThread { server.stop() }
    // In whatever order they end, at no time all that are left do at once.
    var counts: [Int] = []
    while site.openCount.load(ordering: .acquiring) > 0 {
      counts.append(site.openCount.load(ordering: .acquiring))
      usleep(1000)
    }
    let texts = clients.map { $0.readToEnd() }
    stopping.join()
    #expect(Set(counts).count > 5, "they end bit by bit: \(Set(counts).sorted())")
    let waits = try texts.map { text in
      Int(try #require(text.firstMatch(of: #/retry: (\d+)\n\n\r\n0\r\n\r\n$/#), "\(text)").1)!
    }
    #expect(waits.allSatisfy { (0...1000).contains($0) })
    #expect(Set(waits).count > 20)
  }

  @Test func beforeItDrainsAllIsServedAndAnswersEndTheirConnections() throws {
    let site = Site()
    let server = try RunningServer(setUp: { server in
      server.loop.onStop = {
        server.announceEnd()
        var isDraining = false
        server.loop.every(ms: 300) {
          if !isDraining { server.drain(graceMs: 2000) }
          isDraining = true
        }
      }
    }) { site.handle($0) }
    let (before, later) = (try PlainClient(port: server.port), try PlainClient(port: server.port))
    ask("", before)
    #expect(!before.read(until: "\r\n\r\n").contains("close"))
    server.loop.stop()
    // Also on connections that come now.
    var answer = ""
    while !answer.contains("Connection: close\r\n") {
      answer = try server.ask("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
    }
    ask("stream", later)
    #expect(later.read(until: "data: hello").contains("event: snapshot"))
    #expect(later.readToEnd().contains("retry: "), "it goes on until the others end")
    server.stop()
  }
}

import Foundation
import HTTP
import Platform
import Synchronization
import TestSupport
import Testing

/// Streams of numbered events keep the laws of a stream, whatever their clients do.
struct EventStreamTests {
  /// Sends event 0, 1, 2 … to all its streams whenever the loop is woken, as many as were ordered.
  private final class Ticker: EventStreamOwner, @unchecked Sendable {
    var streams: [EventStream] = []
    let ordered = Atomic(0)
    let openCount = Atomic(0)
    let replacements = Atomic(0)
    /// Streams start again once all that was ordered is sent.
    let startsAgain = Atomic(false)
    /// The time at which streams end: those that are open, and those that come later.
    let endsAtMs = Atomic(Int64.max)
    private var next = 0
    private let batch = EventBatch()
    private let padding: Int
    /// The number of commands after which a result comes, which is kept.
    private let resultEvery: Int

    init(padding: Int = 0, resultEvery: Int = .max) { (self.padding, self.resultEvery) = (padding, resultEvery) }

    func open(_ request: Request) {
      guard let stream = request.openStream([], first: [frame("snapshot")], owner: self) else { return }
      stream.endsAtMs = endsAtMs.load(ordering: .acquiring)
      streams.append(stream)
      openCount.store(streams.count, ordering: .releasing)
    }

    func work() {
      while next < ordered.load(ordering: .acquiring) {
        batch.append(frame("command"))
        next += 1
        if batch.isFull { sendAll() }
        guard next % resultEvery == 0 else { continue }
        sendAll()
        for stream in streams { stream.send(frame("result", isKept: true)) }
      }
      sendAll()
      guard startsAgain.exchange(false, ordering: .acquiring) else { return }
      for stream in streams { stream.restart(with: [frame("snapshot")]) }
    }

    private func sendAll() {
      for stream in streams {
        stream.send(batch)
        stream.endsAtMs = endsAtMs.load(ordering: .acquiring)
      }
      batch.removeAll()
    }

    private func frame(_ name: StaticString, isKept: Bool = false) -> EventFrame {
      let data = Array("\(next) \(String(repeating: "x", count: padding))".utf8)
      return data.withUnsafeBytes { EventFrame(name, id: Array("\(next)".utf8), data: $0, isKept: isKept) }
    }

    func eventsInPlaceOfThoseMissed(by stream: EventStream) -> [EventFrame] {
      replacements.add(1, ordering: .relaxed)
      return [frame("snapshot")]
    }

    func closed(_ stream: EventStream) {
      streams.removeAll { $0 === stream }
      openCount.store(streams.count, ordering: .releasing)
    }
  }

  private func serve(
    _ ticker: Ticker, _ limits: ServerLimits = ServerLimits(), tls: TLSCertificate? = nil
  ) throws -> RunningServer {
    try RunningServer(limits, sendBufferBytes: 16_384, tls: tls, setUp: { $0.loop.onWake = ticker.work }) {
      ticker.open($0)
    }
  }

  private func order(_ count: Int, of ticker: Ticker, _ server: RunningServer) {
    ticker.ordered.add(count, ordering: .releasing)
    server.loop.wake()
  }

  private func eventually(_ what: String, _ isSo: () -> Bool) throws {
    let limit = Date().addingTimeInterval(120)
    while !isSo() {
      try #require(Date() < limit, "waited in vain until \(what)")
      usleep(2000)
    }
  }

  private func numbers(_ name: String, _ text: String) -> [Int] {
    text.matches(of: #/event: (\w+)\ndata: (\d+) /#).filter { $0.1 == name }.map { Int($0.2)! }
  }

  /// The first stream, whose client takes little at a time.
  private func openSlowly(_ ticker: Ticker, _ server: RunningServer) throws -> PlainClient {
    let client = try PlainClient(port: server.port, receiveBufferBytes: 4096)
    client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    try eventually("it is open") { ticker.openCount.load(ordering: .acquiring) == 1 }
    return client
  }

  @Test func everyStreamGetsEveryEventOnceInOrder() throws {
    let ticker = Ticker()
    // Nobody reads before the end, and nobody is too slow.
    var limits = ServerLimits()
    limits.queuedEvents = 1000
    let server = try serve(ticker, limits)
    let clients = try (0..<5).map { _ in try PlainClient(port: server.port) }
    for client in clients { client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n") }
    try eventually("all are open") { ticker.openCount.load(ordering: .acquiring) == 5 }
    for number in 0..<100 { order(1 + number % 5, of: ticker, server) }
    server.stop()
    let count = ticker.ordered.load(ordering: .relaxed)
    for client in clients {
      let text = client.readToEnd()
      #expect(text.contains("Content-Type: text/event-stream\r\n"))
      #expect(numbers("snapshot", text) == [0])
      #expect(numbers("command", text) == Array(0..<count))
      #expect(text.hasSuffix("\r\n0\r\n\r\n"), "the last chunk says that it is over")
    }
  }

  /// Also while its client stops in the middle of a record, and whether events go one by one or together.
  @Test func aStreamThroughTLSGetsEveryEventOnceInOrder() throws {
    let files = try Certificates()
    try files.make("a")
    let ticker = Ticker(padding: 2000)
    var limits = ServerLimits()
    limits.queuedEvents = 10_000
    limits.lagMs = 600_000
    let server = try serve(
      ticker, limits, tls: TLSCertificate(certificate: files.path("a.pem"), key: files.path("a.key")))
    let client = Process()
    client.executableURL = URL(filePath: "/usr/bin/env")
    client.arguments = [
      "curl", "-sN", "-m", "600", "--cacert", files.path("a.pem"), "-o", files.path("out"),
      "https://localhost:\(server.port)/",
    ]
    try client.run()
    try eventually("it is open") { ticker.openCount.load(ordering: .acquiring) == 1 }
    func received() -> String { (try? String(contentsOfFile: files.path("out"), encoding: .utf8)) ?? "" }
    var count = 0
    for _ in 0..<3 {
      kill(client.processIdentifier, SIGSTOP)
      // Far more than sockets hold.
      for size in (1...30).map({ $0 % 10 + 1 }) + [1000] {
        order(size, of: ticker, server)
        count += size
        usleep(500)
      }
      kill(client.processIdentifier, SIGCONT)
      try eventually("it has them") { received().contains("id: \(count - 1)\n") }
    }
    server.stop()
    client.waitUntilExit()
    #expect(client.terminationStatus == 0)
    #expect(numbers("snapshot", received()) == [0])
    #expect(numbers("command", received()) == Array(0..<count))
  }

  @Test func aClientOfHTTP10GetsTheEventsBare() throws {
    let ticker = Ticker()
    let server = try serve(ticker)
    let client = try PlainClient(port: server.port)
    client.send("GET / HTTP/1.0\r\n\r\n")
    try eventually("it is open") { ticker.openCount.load(ordering: .acquiring) == 1 }
    order(2, of: ticker, server)
    server.stop()
    let text = client.readToEnd()
    #expect(!text.contains("chunked"))
    #expect(
      text.contains(
        "\r\n\r\nid: 0\nevent: snapshot\ndata: 0 \n\nid: 0\nevent: command\ndata: 0 \n\n"
          + "id: 1\nevent: command\ndata: 1 \n\nretry: "))
    #expect(text.hasSuffix("\n\n"))
  }

  /// A slow client's stream has a hole only where a snapshot stands, and has every event that is kept.
  @Test func whoReadsTooSlowlyGetsASnapshotForWhatItMissedAndOthersLoseNothing() throws {
    let ticker = Ticker(padding: 2000, resultEvery: 20)
    var limits = ServerLimits()
    limits.lagMs = 600_000
    let server = try serve(ticker, limits)
    let slow = try PlainClient(port: server.port, receiveBufferBytes: 4096)
    let quick = try PlainClient(port: server.port)
    for client in [slow, quick] { client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n") }
    try eventually("both are open") { ticker.openCount.load(ordering: .acquiring) == 2 }
    var text = ""
    for number in stride(from: 10, through: 1000, by: 10) {
      order(10, of: ticker, server)
      text += quick.read(until: "id: \(number - 1)\n")
    }
    order(1, of: ticker, server)
    // Now it reads, and catches up.
    var slowText = slow.read(until: "event: snapshot")
    while ticker.replacements.load(ordering: .relaxed) == 0 {
      let more = slow.read(until: "event: snapshot")
      try #require(!more.isEmpty, "it is not cut")
      slowText += more
    }
    order(1, of: ticker, server)
    slowText += slow.read(until: "id: 1001\n")
    server.stop()
    text += quick.readToEnd()
    slowText += slow.readToEnd()
    #expect(numbers("command", text) == Array(0..<1002))
    #expect(numbers("snapshot", slowText).count > 1)
    var next = 0
    var results: [Int] = []
    for event in slowText.matches(of: #/event: (\w+)\ndata: (\d+) /#) {
      let number = Int(event.2)!
      if event.1 == "result" {
        results.append(number)
        continue
      }
      #expect(results == Array(stride(from: 20, through: number, by: 20)), "before what comes after them")
      if event.1 == "snapshot" {
        #expect(number >= next)
        next = number
      } else {
        #expect(number == next)
        next += 1
      }
    }
    #expect(next == 1002)
  }

  /// Of what waits only the commands are thrown away.
  @Test func aStreamThatStartsAgainHasEveryEventThatIsKept() throws {
    let ticker = Ticker(padding: 2000, resultEvery: 20)
    var limits = ServerLimits()
    limits.queuedEvents = 10_000
    let server = try serve(ticker, limits)
    let client = try openSlowly(ticker, server)
    ticker.startsAgain.store(true, ordering: .releasing)
    order(1000, of: ticker, server)
    // The number of the snapshot, too.
    var text = client.read(until: "id: 1000\n")
    server.stop()
    text += client.readToEnd()
    #expect(numbers("snapshot", text) == [0, 1000])
    #expect(numbers("result", text) == Array(stride(from: 20, through: 1000, by: 20)))
    #expect(numbers("command", text).count < 1000)
  }

  /// A client that reads nothing until its stream is cut.
  private func whoIsCut(by ticker: Ticker, _ server: RunningServer) throws -> PlainClient {
    let client = try openSlowly(ticker, server)
    order(1000, of: ticker, server)
    try eventually("it is cut") { ticker.openCount.load(ordering: .acquiring) == 0 }
    return client
  }

  @Test func whoStaysTooSlowIsCut() throws {
    var limits = ServerLimits()
    limits.lagMs = 500
    let ticker = Ticker(padding: 2000)
    let server = try serve(ticker, limits)
    defer { server.stop() }
    _ = try whoIsCut(by: ticker, server)
  }

  @Test func aStreamForWhichTooMuchIsKeptIsCut() throws {
    let ticker = Ticker(padding: 2000, resultEvery: 1)
    let server = try serve(ticker)
    defer { server.stop() }
    let client = try whoIsCut(by: ticker, server)
    // The events that it got have no hole, so it may come back with its last id.
    let results = numbers("result", client.readToEnd())
    #expect(results == Array(1..<results.count + 1))
  }

  @Test func aStreamWhoseTimeIsOverEndsWithItsLastChunkAndItsConnection() throws {
    let ticker = Ticker()
    ticker.endsAtMs.store(0, ordering: .releasing)
    let server = try serve(ticker)
    defer { server.stop() }
    let text = try server.ask("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(numbers("snapshot", text) == [0])
    #expect(text.hasSuffix("\r\n0\r\n\r\n"))
  }

  /// Its client reads only when the stream is over for its owner.
  @Test func whatWaitsWhereAStreamEndsIsSentAllTheSame() throws {
    var limits = ServerLimits()
    limits.queuedEvents = 10_000
    let ticker = Ticker(padding: 2000)
    let server = try serve(ticker, limits)
    defer { server.stop() }
    let client = try openSlowly(ticker, server)
    ticker.endsAtMs.store(MonotonicClock.nowMs(), ordering: .releasing)
    order(1000, of: ticker, server)
    try eventually("it is over") { ticker.openCount.load(ordering: .acquiring) == 0 }
    let text = client.readToEnd()
    #expect(numbers("command", text) == Array(0..<1000))
    #expect(text.hasSuffix("\r\n0\r\n\r\n"))
  }

  /// Nobody could be kept waiting for ever by a client that doesn't read the end.
  @Test func anEndThatIsNotReadEndsToo() throws {
    var limits = ServerLimits()
    limits.answerMs = 500
    let ticker = Ticker(padding: 2000)
    let server = try serve(ticker, limits)
    defer { server.stop() }
    let client = try openSlowly(ticker, server)
    ticker.endsAtMs.store(MonotonicClock.nowMs() + 500, ordering: .releasing)
    order(1000, of: ticker, server)
    try eventually("it is over") { ticker.openCount.load(ordering: .acquiring) == 0 }
    try eventually("nobody holds its connection") { establishedConnections(of: server.port) == 0 }
    // Its end of the connection stays open until then.
    withExtendedLifetime(client) {}
  }

  /// The number of established connections at the server's side.
  private func establishedConnections(of port: UInt16) -> Int {
    let ending = ":" + String(format: "%04X", port)
    return ["tcp", "tcp6"].flatMap { name in
      ((try? String(contentsOfFile: "/proc/self/net/\(name)", encoding: .utf8)) ?? "").split(separator: "\n")
    }.filter { line in
      let words = line.split(separator: " ")
      return words.count > 3 && words[1].hasSuffix(ending) && words[3] == "01"
    }.count
  }

  @Test func whoGoesAwayIsForgottenAndWhoTalksOnIsNotHeard() throws {
    let ticker = Ticker()
    let server = try serve(ticker)
    defer { server.stop() }
    let chatty = try PlainClient(port: server.port)
    chatty.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    do {
      let brief = try (0..<20).map { _ in try PlainClient(port: server.port) }
      for client in brief { client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n") }
      try eventually("all are open") { ticker.openCount.load(ordering: .acquiring) == 21 }
      order(3, of: ticker, server)
    }
    try eventually("the others are gone") { ticker.openCount.load(ordering: .acquiring) == 1 }
    chatty.send(String(repeating: "x", count: 100_000))
    order(1, of: ticker, server)
    #expect(numbers("command", chatty.read(until: "data: 3 ")) == [0, 1, 2, 3])
  }
}

import Foundation
import Gateway
import Kafka
import Probes
import RoomScreen
import Settings
import TestSupport
import Testing
import Wire

/// The commands topic on an embedded broker, and gateways on it.
final class CommandTopic {
  let broker: EmbeddedBroker
  private let producer: Producer
  private let output: OutputTopic
  private let partitions: Int
  private var counts: [ID: Int] = [:]
  private var isFlushing = true

  init(partitions: Int = 2, inputs: [String] = []) throws {
    self.partitions = partitions
    broker = try EmbeddedBroker()
    try broker.createTopic("render.commands", partitions: partitions)
    for input in inputs { try broker.createTopic(input, partitions: partitions) }
    producer = try Producer(
      properties: KafkaProperties(["bootstrap.servers": broker.bootstrapServers]), clientId: "tests"
    ) { _ in }
    output = try producer.topic("render.commands", timeoutMs: 60_000)
  }

  func partition(of room: ID) -> Int32 {
    room.withBytes { Murmur2.partition(key: $0, partitions: Int32(partitions)) }
  }

  /// A wish that flies for a minute; each has the next number of its room. Its id.
  @discardableResult
  func fly(_ room: ID, atMs: Int64 = 1_000_000) throws -> String {
    let number = counts[room, default: 0]
    counts[room] = number + 1
    let id = "im.wishes/0/\(number)/0"
    try publish(
      room,
      #"{"roomId":"\#(room)","id":"\#(id)","atMs":\#(atMs),"wishFly":{"wishId":"w\#(number)","track":0,"#
        + #""sender":{"userId":"7","name":"阿花","avatarUrl":""},"text":"hi","style":"","width":100,"#
        + #""durationMs":60000,"likes":0}}"#)
    return id
  }

  /// Wishes that come all at once.
  func flyAtOnce(_ room: ID, count: Int) throws {
    isFlushing = false
    for _ in 0..<count { try fly(room) }
    isFlushing = true
    try producer.flush(timeoutMs: 60_000)
  }

  func publish(_ room: ID, _ value: String, partition: Int32? = nil) throws {
    var value = value
    let place = partition ?? self.partition(of: room)
    try room.withBytes { room in
      try value.withUTF8 { try output.produce(place, key: room, value: UnsafeRawBufferPointer($0)) }
    }
    if isFlushing { try producer.flush(timeoutMs: 60_000) }
  }

  /// To another topic, whatever its partition.
  func send(_ value: String, to topic: String) throws {
    var value = value
    let output = try producer.topic(topic, timeoutMs: 60_000)
    try value.withUTF8 { try output.produce(0, key: nil, value: UnsafeRawBufferPointer($0)) }
    try producer.flush(timeoutMs: 60_000)
  }

  /// A room in that partition.
  func room(in partition: Int32) -> ID {
    (0...).lazy.map { ID("r\($0)") }.first { self.partition(of: $0) == partition }!
  }

  /// Serves, ready, while `body` runs. `body` gets its port.
  func withGateway(
    authorizer: any Authorizer = AllowAll(), gifts: GiftCatalogue = .empty,
    _ change: (inout Configuration) -> Void = { _ in }, _ body: (RunningGateway) throws -> Void
  ) throws {
    let gateway = try RunningGateway(broker, authorizer: authorizer, gifts: gifts, change)
    do {
      try body(gateway)
    } catch {
      try gateway.stop()
      throw error
    }
    try gateway.stop()
  }
}

final class RunningGateway: @unchecked Sendable {
  let port: UInt16
  let probesPort: UInt16
  private let run: Gateway.Run
  private var isStopped = false

  init(
    _ broker: EmbeddedBroker, authorizer: any Authorizer = AllowAll(), gifts: GiftCatalogue = .empty,
    _ change: (inout Configuration) -> Void = { _ in }
  ) throws {
    var configuration = Configuration()
    configuration.kafka = ["bootstrap.servers": broker.bootstrapServers]
    configuration.gateway.httpPort = 0
    configuration.gateway.drainMs = 0
    configuration.gateway.drainSpreadMs = 0
    change(&configuration)
    let gateway = try Gateway(configuration, authorizer: authorizer, gifts: gifts, log: Log(level: .error))
    port = gateway.port
    probesPort = gateway.probesPort ?? gateway.port
    run = gateway.start {}
    let limit = Date().addingTimeInterval(120)
    while try !ask("GET /readyz", of: probesPort).hasPrefix("HTTP/1.1 200") {
      try #require(Date() < limit, "it is ready")
      usleep(10_000)
    }
  }

  func stop() throws {
    if isStopped { return }
    isStopped = true
    try run.stop()
  }

  /// - Parameter request: `GET /rooms`.
  func ask(
    _ request: String, _ headers: [String] = [], body: String? = nil, of other: UInt16? = nil
  ) throws -> String {
    let client = try PlainClient(port: other ?? port)
    var lines = ["\(request) HTTP/1.1", "Host: h", "Connection: close"] + headers
    if let body { lines.append("Content-Length: \(body.utf8.count)") }
    client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    return client.readToEnd()
  }

  func stream(_ path: String, lastEventId: String? = nil) throws -> StreamReader {
    try StreamReader(port: port, path, lastEventId: lastEventId)
  }
}

struct StreamEvent: Equatable {
  var name = ""
  var id = ""
  var data = ""

  /// The id of a command, or those of a snapshot's commands.
  var commandIds: [String] { data.matches(of: #/"id":"([^"]+)"/#).map { String($0.1) } }
  var room: ID { ID(data.firstMatch(of: #/"roomId":"([^"]+)"/#).map { String($0.1) } ?? "") }
}

/// A client of a stream, of HTTP/1.0, so that events come bare.
final class StreamReader {
  private let client: PlainClient
  private var text = ""
  private(set) var head = ""
  /// All that came so far.
  private(set) var retries: [Int] = []

  init(port: UInt16, _ path: String, lastEventId: String? = nil) throws {
    client = try PlainClient(port: port)
    let resume = lastEventId.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    client.send("GET \(path) HTTP/1.0\r\n\(resume)\r\n")
    text = client.read(until: "\r\n\r\n")
    let end = try #require(text.range(of: "\r\n\r\n"))
    head = String(text[..<end.lowerBound])
    text = String(text[end.upperBound...])
  }

  /// The next event that is no pace. Nil: it has ended, or only says for two minutes that it is there.
  func next() -> StreamEvent? {
    let limit = Date().addingTimeInterval(120)
    while Date() < limit {
      while let end = text.range(of: "\n\n") {
        let block = text[..<end.lowerBound]
        text = String(text[end.upperBound...])
        var event = StreamEvent()
        for line in block.split(separator: "\n") {
          if line.hasPrefix("retry: ") { retries.append(Int(line.dropFirst(7))!) }
          if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
          if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
          if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
        }
        if !event.name.isEmpty, event.name != "pace" { return event }
      }
      let more = client.readSome()
      if more.isEmpty { return nil }
      text += String(decoding: more, as: UTF8.self)
    }
    return nil
  }

  /// Whether something comes.
  func hasMore(withinMs ms: Int32) -> Bool {
    var poller = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
    return !text.isEmpty || poll(&poller, 1, ms) > 0
  }

  func next(_ count: Int) -> [StreamEvent] { (0..<count).compactMap { _ in next() } }

  func rest() -> [StreamEvent] {
    var events: [StreamEvent] = []
    while let event = next() { events.append(event) }
    return events
  }
}

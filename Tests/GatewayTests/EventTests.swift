import Foundation
import Gateway
import Kafka
import RoomModel
import RoomScreen
import Settings
import TestSupport
import Testing
import Wire

struct EventTests {
  private let gift = #"{"eventId":"e1","gift":{"sender":{"userId":"7","name":"阿花"},"giftId":"rose"}}"#

  private func withGateway(
    burst: Int = 100, _ body: (RunningGateway, CommandTopic) throws -> Void
  ) throws {
    let topic = try CommandTopic(inputs: ["im.gifts", "im.wishes"])
    try topic.withGateway({ configuration in
      configuration.gateway.events = .on
      configuration.gateway.eventKinds = EventKind.allCases
      configuration.gateway.limits.events = 1
      configuration.gateway.limits.eventBurst = burst
    }) { try body($0, topic) }
  }

  private func post(_ gateway: RunningGateway, _ room: String, _ body: String) throws -> String {
    try gateway.ask("POST /rooms/\(room)/events", ["Content-Type: application/json; charset=utf-8"], body: body)
  }

  @Test func anEventIsOnItsTopicWhenItIsAccepted() throws {
    try withGateway { (gateway: RunningGateway, topic: CommandTopic) throws in
      let wish = #"{"roomId":"r1","wish":{"sender":{"userId":"7"},"text":"hi","wishId":"w"}}"#
      for (body, input) in [(gift, "im.gifts"), (wish, "im.wishes")] {
        let answer = try post(gateway, "r1", body)
        #expect(answer.hasPrefix("HTTP/1.1 202 Accepted\r\n"))
        let partition = topic.partition(of: "r1")
        #expect(answer.hasSuffix(#"{"topic":"\#(input)","partition":\#(partition),"offset":0}"#))
        var reader = try Reader(
          properties: KafkaProperties(["bootstrap.servers": topic.broker.bootstrapServers]), clientId: "tests"
        ) { _ in }
        try reader.start(TopicPartition(input, partition), at: .earliest)
        var batch = RecordBatch()
        var events: [ConsumerEvent] = []
        while batch.isEmpty { reader.receive(into: &batch, events: &events, waitMs: 10_000) }
        #expect(String(decoding: try #require(batch[0].key), as: UTF8.self) == "r1")
        var decoder = EventDecoder()
        let event = try decoder.decode(
          key: batch[0].key, value: batch[0].value, contentType: nil, keyRule: .roomId)
        #expect(event.roomId.description == "r1")
      }
    }
  }

  /// As in every event: null and an empty text are as absent.
  @Test(arguments: [#""roomId":null,"#, #""roomId":"","#, #""roomId":"","roomId":null,"#, ""])
  func `an event that names no room is of the address's room`(named: String) throws {
    try withGateway { (gateway: RunningGateway, topic: CommandTopic) throws in
      let answer = try post(gateway, "r1", #"{\#(named)"tap":{"userId":"7","x":1,"y":2}}"#)
      #expect(answer.hasPrefix("HTTP/1.1 202 Accepted\r\n"), "\(answer)")
      var reader = try Reader(
        properties: KafkaProperties(["bootstrap.servers": topic.broker.bootstrapServers]), clientId: "tests"
      ) { _ in }
      try reader.start(TopicPartition("im.gifts", topic.partition(of: "r1")), at: .earliest)
      var batch = RecordBatch()
      var events: [ConsumerEvent] = []
      while batch.isEmpty { reader.receive(into: &batch, events: &events, waitMs: 10_000) }
      let json = String(decoding: try #require(batch[0].value), as: UTF8.self)
      #expect(json == #"{"roomId":"r1","tap":{"userId":"7","x":1,"y":2}}"#)
    }
  }

  @Test func whatIsNoEventOfTheRoomIsRefusedWithWhatIsWrong() throws {
    try withGateway { (gateway: RunningGateway, _: CommandTopic) throws in
      for (body, word) in [
        ("nope", "not JSON"), ("{}", "body"), (#"{"gift":{"sender":{"userId":"7"}}}"#, "gift.giftId"),
        (#"{"roomId":"r2","tap":{"userId":"7","x":1,"y":2}}"#, "roomId"),
        (#"{"tap":{"userId":"7","x":1000,"y":2}}"#, "tap.x"),
      ] {
        let answer = try post(gateway, "r1", body)
        #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(body)")
        #expect(answer.contains(word), "\(body): \(answer)")
      }
      let plain = try gateway.ask("POST /rooms/r1/events", body: gift)
      #expect(plain.hasPrefix("HTTP/1.1 415 ") && plain.contains(#"{"error":"unsupported_media_type","#))
    }
  }

  @Test func aUsersResultsComeOnItsStreamsOfTheirRoom() throws {
    let topic = try CommandTopic(inputs: ["rain.results"])
    func result(_ user: String, _ room: String) -> String {
      #"{"id":"im.gifts/0/9","roomId":"\#(room)","eventId":"","rainId":"a","packet":3,"userId":"\#(user)","#
        + #""outcome":"won","coins":4}"#
    }
    try topic.withGateway { (gateway: RunningGateway) throws in
      let stream = try gateway.stream("/commands?rooms=r1,r2&user=7")
      #expect(stream.next(2).map(\.name) == ["snapshot", "snapshot"])
      // Results are read from where the topic ends, so the first ones may come too early.
      let sent = try Sent(stream) {
        for (user, room) in [("8", "r1"), ("7", "elsewhere"), ("7", "r2")] {
          try topic.send(result(user, room), to: "rain.results")
        }
      }
      #expect(sent.event == StreamEvent(name: "result", id: "", data: result("7", "r2")))
    }
  }

  /// Also with a gateway that has just started: what there was it reads back.
  @Test func whoComesBackIsToldWhatItsGrabsGaveMeanwhile() throws {
    let topic = try CommandTopic(inputs: ["rain.results"])
    func result(_ number: Int, _ outcome: String = "won", room: String = "r1", user: String = "7") -> String {
      #"{"id":"im.gifts/0/\#(number)","roomId":"\#(room)","eventId":"","rainId":"a","packet":\#(number),"#
        + #""userId":"\#(user)","outcome":"\#(outcome)","coins":4}"#
    }
    for sent in [
      result(1), result(2, "missed"), result(3, room: "elsewhere"), result(4, user: "8"), result(5, "empty"),
    ] { try topic.send(sent, to: "rain.results") }
    for _ in 0..<2 {
      try topic.withGateway { (gateway: RunningGateway) throws in
        let first = try gateway.stream("/rooms/r1/commands?user=7")
        #expect(first.next()?.name == "snapshot", "a new client has missed nothing")
        // The answer of gateways that didn't know of results.
        let back = try gateway.stream("/rooms/r1/commands?user=7", lastEventId: "0")
        var told: [StreamEvent] = []
        while told.count < 3, let event = back.next() { told.append(event) }
        #expect(told.filter { $0.name == "result" }.map(\.data) == [result(1), result(5, "empty")])
        #expect(told.map(\.name).contains("snapshot"))
        let answer = try gateway.ask("GET /rooms/r1/results?user=7")
        #expect(answer.hasSuffix(#"{"results":[\#(result(1)),\#(result(5, "empty"))]}"#), "\(answer)")
        #expect(try gateway.ask("GET /rooms/r2/results?user=7").hasSuffix(#"{"results":[]}"#))
        #expect(try gateway.ask("GET /rooms/r2/results").hasPrefix("HTTP/1.1 400 "))
      }
    }
    try topic.withGateway({ $0.gateway.results = .off }) { (gateway: RunningGateway) throws in
      #expect(try gateway.ask("GET /rooms/r1/results?user=7").hasPrefix("HTTP/1.1 404 "))
    }
  }

  @Test func howFarResultsWereToldIsInTheIdsThatFollow() throws {
    let topic = try CommandTopic(inputs: ["rain.results"])
    func result(_ number: Int) -> String {
      #"{"id":"im.gifts/0/\#(number)","roomId":"r1","eventId":"","rainId":"a","packet":\#(number),"userId":"7","#
        + #""outcome":"won","coins":4}"#
    }
    try topic.withGateway { (gateway: RunningGateway) throws in
      let stream = try gateway.stream("/rooms/r1/commands?user=7")
      #expect(stream.next()?.name == "snapshot")
      try topic.send(result(1), to: "rain.results")
      #expect(stream.next()?.data == result(1))
      try topic.fly("r1")
      let command = try #require(stream.next())
      #expect(command.name == "command" && command.id.contains("~"))
      try topic.send(result(2), to: "rain.results")
      #expect(stream.next()?.data == result(2))
      let back = try gateway.stream("/rooms/r1/commands?user=7", lastEventId: command.id)
      let told = back.next(2).map(\.data)
      // A result that was told a moment before may be told again.
      #expect(told.contains(result(2)))
      #expect(Set(told).isSubset(of: [result(1), result(2)]))
    }
  }

  /// Does something again and again until a stream has an event.
  private struct Sent {
    let event: StreamEvent?

    init(_ stream: StreamReader, _ act: () throws -> Void) throws {
      let limit = Date().addingTimeInterval(120)
      while !stream.hasMore(withinMs: 100) {
        try #require(Date() < limit, "an event comes")
        try act()
      }
      event = stream.next()
    }
  }

  @Test func whoSendsTooManyIsToldToWait() throws {
    try withGateway(burst: 2) { (gateway: RunningGateway, _: CommandTopic) throws in
      for _ in 0..<2 { #expect(try post(gateway, "r1", gift).hasPrefix("HTTP/1.1 202 ")) }
      // One more each second is welcome.
      var answer = ""
      for _ in 0..<100 where !answer.hasPrefix("HTTP/1.1 429 ") { answer = try post(gateway, "r1", gift) }
      #expect(answer.hasPrefix("HTTP/1.1 429 ") && answer.contains("Retry-After: 1\r\n"))
    }
  }
}

import Foundation
import Gateway
import Kafka
import RoomModel
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

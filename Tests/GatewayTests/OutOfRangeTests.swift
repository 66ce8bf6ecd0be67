import Kafka
import RoomScreen
import Settings
import Testing

/// A broker says that the log doesn't have what a gateway asks for. Each screen goes on.
@Suite(.timeLimit(.minutes(5))) struct OutOfRangeTests {
  @Test func whatABrokerWronglySaysIsNotThereIsReadOn() throws {
    let topic = try CommandTopic(partitions: 1)
    let sent = try (0..<5).map { _ in try topic.fly("r") }
    try topic.withGateway {
      $0.gateway.results = .off
    } _: { gateway in
      let stream = try gateway.stream("/rooms/r/commands")
      var told = try [#require(stream.next())]
      #expect(told[0].name == "snapshot")
      for _ in 0..<3 {
        // Also the client that looks whether the last command is there may be refused.
        topic.broker.refuseOffsets(2)
        let next = try topic.fly("r")
        try told.append(#require(stream.next()))
        #expect(told.last!.name == "command" && told.last!.commandIds == [next])
      }
      #expect(told[0].commandIds == sent)
    }
  }

  @Test func aPartitionOfWhichNothingWasReadIsReadOnToo() throws {
    let topic = try CommandTopic(partitions: 1)
    try topic.withGateway { gateway in
      let stream = try gateway.stream("/rooms/r/commands")
      #expect(stream.next()?.name == "snapshot")
      topic.broker.refuseOffsets(2)
      let first = try topic.fly("r")
      let next = try #require(stream.next())
      #expect(next.name == "command" && next.commandIds == [first])
    }
  }

  @Test func resultsOfGrabsAreReadOnToo() throws {
    let topic = try CommandTopic(partitions: 1, inputs: ["rain.results"])
    func send(_ number: Int) throws -> String {
      let result =
        #"{"id":"im.gifts/0/\#(number)","roomId":"r","eventId":"","rainId":"a","packet":\#(number),"userId":"7","#
        + #""outcome":"won","coins":4}"#
      try topic.send(result, to: "rain.results")
      return result
    }
    try topic.fly("r")
    try topic.withGateway { (gateway: RunningGateway) throws in
      let stream = try gateway.stream("/rooms/r/commands?user=7")
      #expect(stream.next()?.name == "snapshot")
      // The first of them may come before results are read.
      repeat { _ = try send(0) } while !stream.hasMore(withinMs: 100)
      let last = try send(99)
      while let event = stream.next(), event.data != last { #expect(event.name == "result") }
      for round in 0..<3 {
        // The reader of commands is refused as well.
        topic.broker.refuseOffsets(4)
        let sent = try (1...3).map { try send(3 * round + $0) }
        for result in sent { #expect(try #require(stream.next()).data == result) }
      }
    }
  }
}

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
}

import Foundation
import Gateway
import RoomScreen
import Settings
import TestSupport
import Testing

struct StreamTests {
  @Test func aStreamBeginsWithTheScreenAndGoesOnWithCommandsInOrder() throws {
    let topic = try CommandTopic()
    let before = try (0..<3).map { _ in try topic.fly("r1") }
    try topic.withGateway { gateway in
      let stream = try gateway.stream("/rooms/r1/commands")
      #expect(stream.head.contains("Content-Type: text/event-stream"))
      let snapshot = try #require(stream.next())
      #expect(snapshot.name == "snapshot")
      #expect(snapshot.commandIds == before)
      var sent: [String] = []
      for _ in 0..<20 {
        sent.append(try topic.fly("r1"))
        try topic.fly("another")
      }
      let events = stream.next(20)
      #expect(events.map(\.name) == Array(repeating: "command", count: 20))
      #expect(events.flatMap(\.commandIds) == sent)
      #expect(Set((events + [snapshot]).map(\.id)).count == 21, "each has an id of its own")
    }
  }

  /// At any place, at the same gateway or another, of one room or several: all that was missed, once.
  @Test func whoComesBackGetsWhatItMissedOnceAndNothingElse() throws {
    let topic = try CommandTopic()
    let rooms = [topic.room(in: 0), topic.room(in: 1)]
    for room in rooms { try topic.fly(room) }
    try topic.withGateway { first in
      try topic.withGateway { second in
        for path in ["/rooms/\(rooms[0])/commands", "/commands?rooms=\(rooms.map(\.string).joined(separator: ","))"] {
          let stream = try first.stream(path)
          while try #require(stream.next()).id == "0" {}
          let wanted = path.contains("?") ? rooms : [rooms[0]]
          for number in 0..<12 { try topic.fly(rooms[number % 2]) }
          let events = stream.next(path.contains("?") ? 12 : 6)
          #expect(events.allSatisfy { $0.name == "command" && wanted.contains($0.room) })
          for (index, event) in events.enumerated() {
            for gateway in [first, second] {
              let again = try gateway.stream(path, lastEventId: event.id)
              let missed = again.next(events.count - index - 1)
              // By partition each in its order; between rooms there is none.
              for room in wanted {
                let later = events[(index + 1)...].filter { $0.room == room }
                #expect(missed.filter { $0.room == room }.map(\.data) == later.map(\.data))
              }
            }
          }
        }
      }
    }
  }

  @Test func whoComesBackGoesOnWithWhatIsNew() throws {
    let topic = try CommandTopic()
    try topic.fly("r1")
    try topic.withGateway { gateway in
      let snapshot = try #require(gateway.stream("/rooms/r1/commands").next())
      let missed = try topic.fly("r1")
      let stream = try gateway.stream("/rooms/r1/commands?lastEventId=\(snapshot.id)")
      #expect(stream.next()?.commandIds == [missed])
      let new = try topic.fly("r1")
      #expect(stream.next()?.commandIds == [new])
    }
  }

  /// It asks a gateway that has not read as far as the one that it comes from.
  @Test func whoIsAheadOfAGatewayWaitsUntilItIsThere() throws {
    let topic = try CommandTopic(partitions: 1)
    try topic.fly("r1")
    try topic.withGateway { gateway in
      let snapshot = try #require(gateway.stream("/rooms/r1/commands").next())
      // A position that is told before the gateway can know it: as of a command that is still to come.
      let id = "im.wishes/0/1/0"
      let check = try #require(StreamPosition(snapshot.id))
      let ahead = StreamPosition(
        list: check.list,
        positions: [
          PartitionPosition(offset: check.positions[0].offset + 1, check: PartitionPosition.check(of: id.utf8))
        ])
      let stream = try gateway.stream("/rooms/r1/commands", lastEventId: String(decoding: ahead.text, as: UTF8.self))
      #expect(try topic.fly("r1") == id)
      let next = try topic.fly("r1")
      #expect(stream.next()?.commandIds == [next])
    }
  }

  /// The gateway keeps three commands or so of each partition, and many more come at once.
  @Test func whatALoopCameTooLateForIsMadeUpForBySnapshots() throws {
    let topic = try CommandTopic()
    try topic.withGateway({ $0.gateway.historyBytes = 2500 }) { gateway in
      let (busy, quiet) = (topic.room(in: 0), topic.room(in: 1))
      let streams = try ["/rooms/\(busy)/commands", "/commands?rooms=\(busy),\(quiet)"].map { try gateway.stream($0) }
      let other = try gateway.stream("/rooms/\(quiet)/commands")
      #expect(other.next()?.name == "snapshot")
      for _ in 0..<5 { try topic.flyAtOnce(busy, count: 100) }
      // These come one by one.
      let last = try #require(try (0..<20).map { _ in try topic.fly(busy) }.last)
      for stream in streams {
        var known: [String] = []
        var snapshotCount = 0
        while known.last != last {
          let event = try #require(stream.next())
          guard event.room == busy else { continue }
          if event.name == "snapshot" {
            known = event.commandIds
            snapshotCount += 1
          } else {
            known += event.commandIds
          }
          try #require(known == (0..<known.count).map { "im.wishes/0/\($0)/0" }, "nothing is missing")
        }
        #expect(snapshotCount > 1)
      }
      let id = try topic.fly(quiet)
      #expect(other.next()?.commandIds == [id], "nothing of its partition was missing")
    }
  }

  @Test func whatIsNotKnownIsAnsweredWithASnapshot() throws {
    let topic = try CommandTopic()
    try topic.fly("r1")
    try topic.withGateway { gateway in
      let one = try #require(gateway.stream("/rooms/r1/commands").next())
      #expect(one.name == "snapshot")
      for (path, id) in [
        ("/rooms/r1/commands", "nonsense"), ("/rooms/r1/commands", ""), ("/rooms/r1/commands", "0"),
        ("/rooms/other/commands", one.id), ("/commands?rooms=r1,other", one.id),
        ("/rooms/r1/commands", one.id.replacing(#/\.[0-9a-f]+/#, with: ".1")),
      ] {
        let event = try #require(gateway.stream(path, lastEventId: id).next())
        #expect(event.name == "snapshot", "\(path) after \(id)")
      }
    }
  }

  @Test func severalRoomsHaveASnapshotEachAndOnlyTheLastSaysHowFarTheyGo() throws {
    let topic = try CommandTopic()
    try topic.withGateway { gateway in
      let stream = try gateway.stream("/commands?rooms=c,a,b,a")
      let events = stream.next(3)
      #expect(events.map(\.name) == Array(repeating: "snapshot", count: 3))
      #expect(Set(events.map(\.room)) == ["a", "b", "c"])
      #expect(events.map { $0.id == "0" } == [true, true, false])
    }
  }

  /// A late client draws what everybody else draws.
  @Test func aLateJoinersPictureIsThatOfAnEarlyOne() throws {
    let topic = try CommandTopic()
    try topic.withGateway { gateway in
      let early = try gateway.stream("/rooms/r1/commands")
      var screen = Screen("r1")
      let decoder = JSONDecoder()
      func snapshot(_ event: StreamEvent?) throws -> Snapshot {
        try decoder.decode(Snapshot.self, from: Data(try #require(event).data.utf8))
      }
      screen.reset(to: try snapshot(early.next()))
      var random = SplitMix64(seed: 3)
      for number in 0..<40 {
        let atMs = 1_000_000 + Int64(number) * 250
        let body =
          switch random.next() % 4 {
          case 0:
            #""giftShow":{"comboId":"im.gifts/0/\#(number)","lane":0,"sender":{"userId":"7","name":"","avatarUrl":""},"#
              + #""receiverId":"","giftId":"rose","giftName":"","value":1,"from":0,"total":3,"enterMs":250,"tier":0,"extra":""}"#
          case 1: #""giftHide":{"comboId":"im.gifts/0/\#(number - 1)","lane":0,"count":3,"exitMs":250}"#
          default:
            #""wishFly":{"wishId":"w\#(number)","track":0,"sender":{"userId":"7","name":"","avatarUrl":""},"#
              + #""text":"hi","style":"","width":100,"durationMs":2000,"likes":0}"#
          }
        try topic.publish("r1", #"{"roomId":"r1","id":"im.gifts/0/\#(number)/0","atMs":\#(atMs),\#(body)}"#)
        let command = try decoder.decode(Command.self, from: Data(try #require(early.next()).data.utf8))
        screen.apply(command)
        var late = Screen("r1")
        late.reset(to: try snapshot(gateway.stream("/rooms/r1/commands").next()))
        let nowMs = max(late.nowMs, screen.nowMs)
        var now = screen
        now.advance(to: nowMs)
        late.advance(to: nowMs)
        #expect(late.snapshot.commands == now.snapshot.commands)
      }
    }
  }

  @Test func whatIsNoCommandForAStreamIsLeftOut() throws {
    let topic = try CommandTopic()
    try topic.withGateway { gateway in
      let room = topic.room(in: 0)
      let stream = try gateway.stream("/rooms/\(room)/commands")
      #expect(stream.next()?.name == "snapshot")
      try topic.publish(room, "not JSON")
      try topic.publish(room, #"{"roomId":"\#(room)","id":"x/0/1/0","atMs":1,"aKindOfTomorrow":{}}"#)
      try topic.publish(room, #"{"roomId":"\#(room)","id":"x/0/1/0","atMs":1,"rainEnd":{"rainId":"a"}}"#, partition: 1)
      let spread = #"{"roomId":"\#(room)","id":"im.gifts/0/5/0","atMs":2,\#n "rainEnd":{"rainId":"a"}}"#
      try topic.publish(room, spread)
      // Either of two partitions may come first.
      let events = stream.next(2).map(\.data)
      #expect(events.contains(#"{"roomId":"\#(room)","id":"im.gifts/0/5/0","atMs":2,"rainEnd":{"rainId":"a"}}"#))
      #expect(events.contains(#"{"roomId":"\#(room)","id":"x/0/1/0","atMs":1,"rainEnd":{"rainId":"a"}}"#))
      let metrics = try gateway.ask("GET /metrics")
      for reason in ["not_understood", "unknown_kind"] {
        #expect(metrics.contains(#"flyscreen_gateway_records_skipped_total{reason="\#(reason)"} 1"#))
      }
    }
  }

  /// It would be the time of all rooms of its partition for good.
  @Test func aCommandOfATimeThatNoLogHasIsLeftOut() throws {
    let topic = try CommandTopic()
    try topic.withGateway { gateway in
      let room = topic.room(in: 0)
      let stream = try gateway.stream("/rooms/\(room)/commands")
      #expect(stream.next()?.name == "snapshot")
      for atMs in [253_433_923_200_000, 1_700_000_000_000_000, .max] as [Int64] { try topic.fly(room, atMs: atMs) }
      // The latest that can be, and the earliest.
      for atMs in [.min, 253_433_923_199_999] as [Int64] {
        try topic.fly(room, atMs: atMs)
        #expect(stream.next()?.data.contains(#""atMs":\#(atMs),"#) == true)
      }
      #expect(
        try gateway.ask("GET /metrics")
          .contains(#"flyscreen_gateway_records_skipped_total{reason="not_understood"} 3"#))
      #expect(try gateway.ask("GET /rooms/\(room)").contains(#""nowMs":2534339"#))
    }
  }

  @Test func whenItEndsStreamsEndAndTheirClientsGoOnAtAnother() throws {
    let topic = try CommandTopic()
    let gateway = try RunningGateway(topic.broker)
    let stream = try gateway.stream("/rooms/r1/commands")
    _ = stream.next()
    try topic.fly("r1")
    let last = try #require(stream.next())
    try gateway.stop()
    #expect(stream.next() == nil)
    let missed = try topic.fly("r1")
    try topic.withGateway { (other: RunningGateway) throws in
      #expect(try other.stream("/rooms/r1/commands", lastEventId: last.id).next()?.commandIds == [missed])
    }
  }

  /// A proxy sees that it wants no more clients, and it serves them until then.
  @Test func whenItIsToldToEndItServesOnForAWhile() throws {
    let topic = try CommandTopic()
    let gateway = try RunningGateway(topic.broker) { configuration in
      configuration.gateway.drainMs = 3000
      configuration.gateway.drainSpreadMs = 100
    }
    let before = try gateway.stream("/rooms/r1/commands")
    _ = before.next()
    let stopping = Thread { try? gateway.stop() }
    stopping.start()
    var readiness = ""
    while !readiness.hasPrefix("HTTP/1.1 503 ") { readiness = try gateway.ask("GET /readyz") }
    #expect(readiness.contains("shutting down"))
    #expect(try gateway.ask("GET /rooms/r1").contains("Connection: close\r\n"))
    let later = try gateway.stream("/rooms/r1/commands")
    #expect(later.next()?.name == "snapshot")
    let id = try topic.fly("r1")
    #expect(before.next()?.commandIds == [id])
    #expect(later.next()?.commandIds == [id])
    #expect(before.next() == nil && later.next() == nil)
    for stream in [before, later] { #expect(stream.retries.count == 2 && stream.retries[0] == 1000) }
    while !stopping.isFinished { usleep(1000) }
  }
}

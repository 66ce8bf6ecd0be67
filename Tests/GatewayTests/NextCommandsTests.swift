import Gateway
import RoomScreen
import Settings
import TestSupport
import Testing

/// Rooms whose next commands are asked for, rather than streams.
struct NextCommandsTests {
  private let topic = SimulatedTopic()
  private let clock = SimulatedClock()
  private let gateway: SimulatedGateway
  private let room = SimulatedTopic.rooms[0]
  private var list: RoomList { gateway.store.list([room]) }

  private static var holdMs: Int64 { GatewaySettings().holdMs }

  init() { gateway = Self.gateway(topic, clock) }

  private static func gateway(_ topic: SimulatedTopic, _ clock: SimulatedClock) -> SimulatedGateway {
    SimulatedGateway(topic, SimulatedResults(), clock, historyBytes: 1_000_000, hubs: 1, GatewaySettings())
  }

  /// Answers as they come.
  private final class Answers {
    var all: [NextAnswer] = []
    var last: Answer? { all.last.map(Answer.init) }
  }

  /// An answer, read.
  private struct Answer {
    var id: String?
    /// The numbers of its commands; nil: it is none of that kind.
    var commands: [Int]?
    var isSnapshot = false
    var isUnknown = false
    var text = ""

    init(_ answer: NextAnswer) {
      switch answer.kind {
      case .commands(let json):
        text = String(decoding: json, as: UTF8.self)
        commands = text.firstMatch(of: #/"commands":\[([0-9,]*)\]\}/#)!.1.split(separator: ",").map { Int($0)! }
      case .snapshot(let json):
        text = String(decoding: json, as: UTF8.self)
        isSnapshot = true
      case .none: break
      case .unknown: isUnknown = true
      }
      id = text.firstMatch(of: #/^\{"id":"([^"]+)",/#).map { String($0.1) }
    }
  }

  private func ask(after id: String?, of gateway: SimulatedGateway? = nil) -> Answers {
    let answers = Answers()
    (gateway ?? self.gateway).hubs[0].next(of: list, after: id) { answers.all.append($0) }
    return answers
  }

  private func publish(in room: ID? = nil, _ random: inout SplitMix64) {
    topic.publish(&random, in: room ?? self.room, atMs: clock.ms)
    for partition in 0..<SimulatedTopic.partitions { gateway.read(partition, most: .max) }
    gateway.hubs[0].deliver()
  }

  private func pass(ms: Int64) {
    clock.advance(ms: ms)
    gateway.ring()
  }

  @Test func allWhoAskGetTheSameOnceItWasHeld() throws {
    var random = SplitMix64(seed: 1)
    let begin = try #require(ask(after: nil).last)
    #expect(begin.isSnapshot && begin.text.contains(#""lagMs":2160"#))
    let both = [ask(after: begin.id), ask(after: begin.id)]
    publish(&random)
    pass(ms: Self.holdMs - 1)
    publish(&random)
    #expect(both.allSatisfy { $0.all.isEmpty }, "the first has not waited for long enough")
    pass(ms: 1)
    #expect(both.map { $0.last?.commands } == [[0, 1], [0, 1]])
    #expect(both[0].all[0] === both[1].all[0], "it is packed once")
    let straggler = try #require(ask(after: begin.id).last)
    #expect(straggler.commands == [0, 1] && straggler.id == both[0].last?.id, "at once")
    let next = ask(after: straggler.id)
    publish(&random)
    pass(ms: Self.holdMs)
    #expect(next.last?.commands == [2])
    #expect(try #require(next.last?.text).contains(#""lagMs":2160"#))
  }

  @Test func whereNothingComesThereIsAnAnswerToo() throws {
    var random = SplitMix64(seed: 1)
    let begin = try #require(ask(after: nil).last)
    let first = ask(after: begin.id)
    pass(ms: NextRequests.patienceMs - 1)
    #expect(first.all.isEmpty)
    pass(ms: 1)
    #expect(first.all.count == 1 && first.last?.id == nil && first.last?.isUnknown == false)
    let second = ask(after: begin.id)
    let neighbour = try #require(
      SimulatedTopic.rooms.dropFirst().first {
        SimulatedTopic.partition(of: $0) == SimulatedTopic.partition(of: room)
      })
    publish(in: neighbour, &random)
    pass(ms: NextRequests.patienceMs)
    #expect(second.last?.commands == [] && second.last?.id != begin.id, "a newer id lasts for longer")
    let third = ask(after: second.last?.id)
    gateway.hubs[0].endNextRequests()
    #expect(third.all.count == 1, "a gateway that ends lets nobody wait")
  }

  @Test func anIdThatIsNotKnownIsSaidToBe() throws {
    var random = SplitMix64(seed: 1)
    publish(&random)
    let id = try #require(ask(after: nil).last?.id)
    let other = gateway.store.list([SimulatedTopic.rooms[1]])
    for wrong in [
      "nonsense", "", "0", id.replacing(#/\.[0-9a-f]+/#, with: ".1"), SimulatedClient.idOfNoEvent(in: other),
    ] {
      #expect(ask(after: wrong).last?.isUnknown == true, "\(wrong)")
    }
    let early = ask(after: SimulatedClient.idOfNoEvent(in: list))
    gateway.hubs[0].deliver()
    #expect(early.all.isEmpty, "it may come")
    clock.advance(ms: StreamHub<SimulatedStream>.patienceMs)
    gateway.hubs[0].deliver()
    #expect(early.last?.isUnknown == true)
  }

  /// Of two gateways, each of which has read as far as it has.
  @Test func whoAsksAgainAndAgainHasEachCommandOnce() throws {
    let seeds = Seeds(count: 20)
    for seed in seeds.first..<seeds.first + seeds.count {
      var random = SplitMix64(seed: seed)
      let (topic, clock) = (SimulatedTopic(), SimulatedClock())
      let gateways = (0..<2).map { _ in Self.gateway(topic, clock) }
      var clients = (0..<4).map { _ in (id: String?.none, told: [Int](), answers: Answers(), isAsking: false) }
      func ours() -> [Int] { topic.commands.indices.filter { topic.commands[$0].roomId == room } }
      for step in 0..<3000 {
        clock.advance(ms: random.number(1...100))
        if step < 2500, random.once(in: 3) { topic.publish(&random, atMs: clock.ms) }
        for gateway in gateways where random.once(in: 2) || step > 2500 {
          for partition in 0..<SimulatedTopic.partitions { gateway.read(partition, most: step > 2500 ? .max : 3) }
          gateway.hubs[0].deliver()
          gateway.ring()
        }
        for index in clients.indices where random.once(in: 3) {
          if let answer = clients[index].answers.all.popLast().map(Answer.init) {
            clients[index].isAsking = false
            try #require(clients[index].answers.all.isEmpty && !answer.isUnknown, "seed \(seed)")
            clients[index].id = answer.id ?? clients[index].id
            try #require(!answer.isSnapshot || clients[index].told.isEmpty, "seed \(seed)")
            clients[index].told += answer.commands ?? []
          } else if !clients[index].isAsking {
            clients[index].isAsking = true
            let hub = random.one(of: gateways).hubs[0]
            let list = gateways[0].store.list([room])
            let answers = clients[index].answers
            hub.next(of: list, after: clients[index].id) { answers.all.append($0) }
          }
        }
      }
      for client in clients {
        let begin = try #require(client.told.first, "seed \(seed)")
        #expect(client.told == ours().filter { $0 >= begin }, "seed \(seed)")
      }
    }
  }
}

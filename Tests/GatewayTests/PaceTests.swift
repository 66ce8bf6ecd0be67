import Gateway
import HTTP
import RoomScreen
import Settings
import TestSupport
import Testing

struct PaceTests {
  @Test func gatheringGrowsAsSlowlyAsClocksGlide() {
    var pace = Pace(0)
    let told = [(300, 1000), (300, 5000)].map { pace.follow($0, nowMs: $1) }
    #expect(told == [true, false] && pace.toldMs == 300)
    #expect([1000, 1100, 4000, 9000].map { pace.gatherMs(nowMs: $0) } == [0, 10, 300, 300])
    let isTold = pace.follow(800, nowMs: 5000)
    #expect(isTold)
    #expect([5000, 6000, 10_000].map { pace.gatherMs(nowMs: $0) } == [300, 400, 800])
  }

  @Test func itShrinksOnlyAfterAWhile() {
    var pace = Pace(300)
    let (calmMs, later) = (Pace.calmMs, 2 * Pace.calmMs)
    let before = [(0, 0), (0, calmMs - 1)].map { pace.follow($0, nowMs: $1) }
    #expect(before == [false, false] && !pace.isAtRest && pace.gatherMs(nowMs: calmMs) == 300)
    let needed = pace.follow(300, nowMs: calmMs - 1)
    #expect(!needed && pace.isAtRest, "it is needed again")
    let after = [(120, later), (0, later + calmMs)].map { pace.follow($0, nowMs: $1) }
    #expect(after == [false, true])
    #expect(pace.toldMs == 0 && pace.gatherMs(nowMs: later + calmMs) == 0, "at once: nothing comes too late by that")
  }

  /// Streams of one room, and those of another.
  @Test func aRoomWithManyStreamsGathersAndSaysSo() throws {
    var random = SplitMix64(seed: 1)
    var settings = GatewaySettings()
    settings.pace.crowds = [GatherStep(streams: 4, ms: 300), GatherStep(streams: 8, ms: 800)]
    settings.threads = 2
    let (topic, clock) = (SimulatedTopic(), SimulatedClock())
    let gateway = SimulatedGateway(topic, SimulatedResults(), clock, historyBytes: 1_000_000, hubs: 1, settings)
    let (crowded, quiet) = (SimulatedTopic.rooms[0], SimulatedTopic.rooms[1])
    func open(_ room: ID, lastEventId: String? = nil) throws -> SimulatedStream {
      try #require(
        gateway.hubs[0].open(gateway.store.list([room]), address: nil, user: nil, lastEventId: lastEventId) {
          SimulatedStream($0, owner: $1, limit: 1000)
        })
    }
    func pass(ms: Int64) {
      for _ in 0..<ms / 100 {
        clock.advance(ms: 100)
        gateway.hubs[0].deliver()
        gateway.ring()
      }
    }
    let alone = try open(quiet)
    var streams = [try open(crowded)]
    #expect(streams[0].said().contains(#""lagMs":160"#))
    // Each loop has half of them.
    streams.append(try open(crowded))
    pass(ms: 1000)
    #expect(streams[0].said().contains("event: pace\ndata: {\"lagMs\":460}\n"))
    #expect(streams[1].said().contains(#"{"lagMs":460}"#))
    let late = try open(crowded)
    #expect(late.said().contains(#""lagMs":460"#), "who comes later is told at once")
    pass(ms: 3000)
    topic.publish(&random, in: crowded, atMs: clock.ms)
    topic.publish(&random, in: quiet, atMs: clock.ms)
    for partition in 0..<SimulatedTopic.partitions { gateway.read(partition, most: .max) }
    gateway.hubs[0].deliver()
    let id = try #require(alone.said().split(separator: "\n").first { $0.hasPrefix("id: ") }).dropFirst(4)
    #expect(!streams[0].said().contains("event: command"), "a crowd's command waits")
    clock.advance(ms: 300)
    gateway.ring()
    #expect((streams[0].said() + late.said()).contains("event: command"))
    #expect(try open(quiet, lastEventId: String(id)).said().contains("event: pace\ndata: {\"lagMs\":160}"))
    // They leave, and the room is as quiet as the other, after a while.
    late.end()
    streams[1].end()
    pass(ms: Pace.calmMs - 1000)
    #expect(!streams[0].said().contains("event: pace"))
    pass(ms: 2000)
    #expect(streams[0].said().contains(#"{"lagMs":160}"#))
  }
}

extension SimulatedStream {
  /// All that it was sent since this was asked last.
  fileprivate func said() -> String {
    var text = ""
    while let frame = take() { text += String(decoding: frame.bytes(chunked: false), as: UTF8.self) }
    return text
  }
}

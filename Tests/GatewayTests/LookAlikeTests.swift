import Foundation
import Gateway
import RoomScreen
import TestSupport
import Testing

/// Rooms and users of different bytes are two to a gateway, however alike they look.
struct LookAlikeTests {
  private static let pairs = LookAlikes.pairs(seed: 4, count: 200).map { (ID($0.0), ID($0.1)) }
  private let store = CommandStore(
    topic: "t", RoomRouting(partitions: 1), begins: [0: 0], lookbackMs: 600_000, historyBytes: 1_000_000)

  private func apply(_ room: ID, offset: Int64) {
    let command = Command(
      roomId: room, id: "t/0/\(offset)/0", atMs: 1000,
      body: .rainCountdown(.init(rainId: room, left: 3, startMs: 4000, durationMs: 1_000_000)))
    let entry = HistoryEntry(
      position: PartitionPosition(offset: offset, check: 1), room: room, json: [1], readMs: offset)
    store.change(0) { $0.apply(ReceivedCommand(command: command, entry: entry, home: 0)) }
  }

  @Test func aRoomsCommandsAreOnNoOtherScreenAndInNoOtherStream() {
    for (number, (one, other)) in Self.pairs.enumerated() {
      let offset = Int64(2 * number)
      apply(one, offset: offset)
      apply(other, offset: offset + 1)
      let news = store.read(0) { $0.news(from: 0, snapshotsOf: [one, other], monotonicMs: 0, wallMs: 0) }
      #expect(news.snapshots.map(\.roomId) == [one, other])
      for (snapshot, room) in zip(news.snapshots, [one, other]) {
        #expect(snapshot.commands.count == 1 && snapshot.commands.allSatisfy { $0.roomId == room })
        let rains = snapshot.commands.map { if case .rainCountdown(let rain) = $0.body { rain.rainId } else { ID("") } }
        #expect(rains == [room])
        let before = PartitionPosition(offset: offset - 1, check: 0)
        let missed = store.read(0) { $0.history.missed(since: before, before: $0.history.end, of: [room], limit: 9) }
        guard case .events(let entries) = missed else {
          Issue.record("\(missed)")
          continue
        }
        #expect(entries.map(\.room) == [room])
      }
      store.change(0) { $0.reset(begin: offset + 2) }
      #expect(store.list([one]) != store.list([other]) && store.list([one, other]).rooms.count == 2)
      #expect(store.list([one]).hash != store.list([other]).hash)
    }
  }

  @Test func aUserIsToldItsOwnResultsAlone() {
    for (one, other) in Self.pairs {
      let results = ResultStore(lookbackMs: 1000, bytes: 1000)
      _ = results.add(StreamResult(user: one, room: one, timestampMs: 5, json: [1]), isKept: true, nowMs: 5)
      #expect(results.results(of: one, in: [one], sinceMs: nil, nowMs: 5).results.count == 1)
      #expect(results.results(of: other, in: [one], sinceMs: nil, nowMs: 5).results.isEmpty)
      #expect(results.results(of: one, in: [other], sinceMs: nil, nowMs: 5).results.isEmpty)
    }
  }
}

import Gateway
import RoomScreen
import TestSupport
import Testing

struct CommandHistoryTests {
  private func entry(_ offset: Int64, readMs: Int64 = 0) -> HistoryEntry {
    HistoryEntry(
      position: PartitionPosition(offset: offset, check: UInt32(offset + 1)), room: "r", json: Array("{}".utf8),
      readMs: readMs)
  }

  private func offsets(_ history: CommandHistory, after position: PartitionPosition) -> [Int64]? {
    guard case .number(let number) = history.place(after: position) else { return nil }
    return history.entries(from: number)?.map(\.position.offset)
  }

  /// A client gets all that came after its position, whatever that is, or is told that this can't be had.
  @Test func whoComesBackGetsAllThatCameAfterOrIsToldThatItCannotBeHad() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<50 {
      var history = CommandHistory(begin: 5, lookbackMs: 1000, byteLimit: 3000)
      var all: [HistoryEntry] = []
      var offset: Int64 = 5
      var nowMs: Int64 = 0
      for _ in 0..<200 {
        // Offsets have holes, where transactions end.
        offset += Int64(random.next() % 3)
        nowMs += Int64(random.next() % 100)
        all.append(entry(offset, readMs: nowMs))
        history.append(all.last!)
        offset += 1
      }
      #expect(history.end == 200)
      for (index, one) in all.enumerated() {
        let missed = offsets(history, after: one.position)
        if let missed { #expect(missed == all[(index + 1)...].map(\.position.offset)) }
        // Only those that are gone are not known, with the last of them.
        #expect((missed == nil) == (index < history.first))
      }
      #expect(history.position == all.last!.position)
    }
  }

  @Test func ofAnotherTopicNothingIsKnown() {
    var history = CommandHistory(begin: 0, lookbackMs: 1000, byteLimit: 10_000)
    for offset in 0..<10 { history.append(entry(Int64(offset))) }
    #expect(history.place(after: PartitionPosition(offset: 5, check: 999)) == .unknown)
    #expect(offsets(history, after: PartitionPosition(offset: 5, check: 6)) == [6, 7, 8, 9])
  }

  @Test func whoIsAheadIsNotForgotten() {
    var history = CommandHistory(begin: 0, lookbackMs: 1000, byteLimit: 10_000)
    history.append(entry(0))
    #expect(history.place(after: PartitionPosition(offset: 4, check: 5)) == .ahead)
    history.advance(to: 10)
    #expect(history.place(after: PartitionPosition(offset: 4, check: 5)) == .unknown, "it is not there")
  }

  @Test func whereNothingWasYetEverythingIsMissed() {
    var history = CommandHistory(begin: 3, lookbackMs: 1000, byteLimit: 10_000)
    history.advance(to: 8)
    let position = history.position
    #expect(position == PartitionPosition(offset: 7, check: 0))
    history.append(entry(8))
    history.append(entry(9))
    #expect(offsets(history, after: position) == [8, 9])
    #expect(history.place(after: PartitionPosition(offset: 1, check: 0)) == .unknown)
  }

  /// A stray command has no offset of its own, so where none was before it nobody can tell whether a client has it.
  @Test func behindAStrayThatCameFirstNothingIsKnown() {
    var history = CommandHistory(begin: 5, lookbackMs: 1000, byteLimit: 10_000)
    history.advance(to: 9)
    let position = history.position
    #expect(offsets(history, after: position) == [])
    history.appendStray(entry(7))
    #expect(history.place(after: position) == .unknown)
    history.append(entry(9))
    #expect(history.place(after: position) == .unknown)
  }

  /// Each gateway reads strays among other commands in an order of its own.
  @Test func whoComesFromAGatewayWithAnotherOrderIsToldThatNothingIsKnown() {
    func history(_ offsets: [Int64], strayAfter place: Int) -> CommandHistory {
      var history = CommandHistory(begin: 0, lookbackMs: 1000, byteLimit: 10_000)
      for (i, offset) in offsets.enumerated() {
        history.append(entry(offset))
        if i == place { history.appendStray(entry(70)) }
      }
      return history
    }
    let one = history([0, 1, 2], strayAfter: 0)
    #expect(offsets(history([0, 1, 2, 3], strayAfter: 0), after: one.position) == [3])
    #expect(history([0, 1, 2, 3], strayAfter: 1).place(after: one.position) == .unknown)
    #expect(history([0, 1, 2, 3], strayAfter: 3).place(after: one.position) == .unknown)
    // Once it is gone, positions are those of all gateways again.
    var old = one
    old.append(entry(3, readMs: 5000))
    old.append(entry(4, readMs: 5000))
    #expect(offsets(history([0, 1, 2, 3, 4, 5], strayAfter: 9), after: old.position) == [5])
  }

  /// All commands that have strayed behind one have its offset. A client with that offset doesn't make a gateway look
  /// through all of them.
  @Test func behindVeryManyStraysNobodyIsLookedFor() {
    var history = CommandHistory(begin: 0, lookbackMs: 1000, byteLimit: 10_000_000)
    history.append(entry(0))
    let first = history.position
    history.appendStray(entry(7))
    #expect(offsets(history, after: first)?.count == 1)
    for offset in 0..<6000 { history.appendStray(entry(Int64(offset))) }
    #expect(history.place(after: first) == .unknown)
    let late = history.position
    history.appendStray(entry(8))
    #expect(offsets(history, after: late)?.count == 1)
  }

  @Test func whatIsReadAnewIsLostToWhoFollowedIt() {
    var history = CommandHistory(begin: 0, lookbackMs: 1000, byteLimit: 10_000)
    for offset in 0..<5 { history.append(entry(Int64(offset))) }
    let number = history.end
    history.reset(begin: 0)
    #expect(history.entries(from: number) == nil)
    history.append(entry(0))
    #expect(history.entries(from: number) == nil)
    #expect(history.entries(from: history.end - 1)?.count == 1)
  }

  @Test func itIsBoundedByBytesAndTime() {
    var history = CommandHistory(begin: 0, lookbackMs: 1000, byteLimit: 1300)
    for offset in 0..<100 { history.append(entry(Int64(offset))) }
    #expect(history.end - history.first == 10)
    history.append(entry(100, readMs: 5000))
    #expect(history.end - history.first == 1)
  }

  /// Histories of some rooms among many, also while the oldest go.
  @Test func whatRoomsHaveMissedIsWhatCameOfThem() {
    var random = SplitMix64(seed: 5)
    var history = CommandHistory(begin: 0, lookbackMs: 1000, byteLimit: 6000)
    var all: [HistoryEntry] = []
    for offset in 0..<400 as Range<Int64> {
      all.append(
        HistoryEntry(
          position: PartitionPosition(offset: offset, check: 1), room: "r\(random.next() % 5)", json: [1],
          readMs: offset))
      history.append(all.last!)
      if random.next() % 100 == 0 { history.reset(begin: offset + 1) }
      let rooms: [ID] = ["r1", "r3", "nobody"]
      for since in max(0, offset - 60)...offset {
        let end = history.end - Int(random.next() % 3)
        let missed: Missed<[Int64]> =
          switch history.missed(
            since: PartitionPosition(offset: since, check: 1), before: end, of: rooms, limit: 20)
          {
          case .events(let entries): .events(entries.map(\.position.offset))
          case .ahead: .ahead
          case .unknown: .unknown
          }
        guard case .number(let number) = history.place(after: PartitionPosition(offset: since, check: 1)) else {
          #expect(missed == .unknown)
          continue
        }
        if number > end {
          #expect(missed == .ahead)
          continue
        }
        let expected = (history.entries(from: number) ?? []).prefix(end - number).filter { rooms.contains($0.room) }
        #expect(missed == (expected.count > 20 ? .unknown : .events(expected.map(\.position.offset))))
      }
    }
  }
}

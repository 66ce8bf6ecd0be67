import RoomEngine
import RoomModel
import TestSupport
import Testing

/// Laws of every rain: its results, checked against its start and the drawn commands, by other means than those of the
/// engine.
struct RainLaws {
  /// A rain is told by when it began, since ids may come again.
  private struct Ledger {
    var budget: Int64
    /// The coins that each opening paid.
    var opened: [String: Int64] = [:]
    var winners: Int64 = 0
    var coins: Int64 = 0
    var told: (opened: Int64, winners: Int64, coins: Int64) = (0, 0, 0)
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func everyGrabHasOneResultAUserOpensAPacketOnceAndNoBudgetIsExceeded(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 400)
    var partition = PartitionLog(settings: log.settings, hashSeed: seed, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var running: [String: Ledger] = [:]
    for input in log.inputs {
      var grabs = 0
      var budget: Int64?
      if case .record(_, _, var event?) = input {
        event.eventId = .empty
        if case .rainGrab = event.body { grabs = 1 }
        if case .rainStart(let start) = event.body { budget = start.budget }
        guard case .record(let offset, let timestampMs, _) = input else { return }
        partition.take(.record(offset: offset, timestampMs: timestampMs, event: event), into: &batch)
      } else {
        partition.take(input, into: &batch)
      }
      #expect(batch.results.count == grabs)

      // Timers fire before the event is applied, so an end in this step is of a rain that was there before.
      for command in batch.commands {
        switch command.body {
        case .rainCountdown(let countdown):
          let name = "\(command.roomId) \(countdown.rainId)"
          if running[name] == nil, let budget { running[name] = Ledger(budget: budget) }
        case .rainTally(let tally):
          running["\(command.roomId) \(tally.rainId)"]?.told = (tally.opened, tally.winners, tally.coins)
        case .rainEnd(let end):
          let ledger = running.removeValue(forKey: "\(command.roomId) \(end.rainId)")
          #expect(ledger.map { $0.told == (Int64($0.opened.count), $0.winners, $0.coins) } ?? false)
        default: break
        }
      }
      for result in batch.results { check(result, in: &running) }
      batch.removeAll()
    }
    #expect(running.isEmpty)
  }

  private func check(_ result: GrabResult, in running: inout [String: Ledger]) {
    let name = "\(result.roomId) \(result.rainId)"
    let opened = "\(result.packet) \(result.userId)"
    switch result.outcome {
    case .missed: #expect(result.coins == 0)
    case .again: #expect(running[name]?.opened[opened] == result.coins, "the coins that it paid then")
    case .won, .empty:
      #expect((result.coins > 0) == (result.outcome == .won))
      #expect(running[name].map { $0.opened[opened] == nil } ?? false)
      running[name]?.opened[opened] = result.coins
      running[name]?.coins += result.coins
      if result.outcome == .won { running[name]?.winners += 1 }
      #expect(running[name].map { $0.coins <= $0.budget } ?? false)
    }
  }
}

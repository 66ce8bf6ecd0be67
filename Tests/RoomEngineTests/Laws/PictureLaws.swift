import RoomEngine
import RoomModel
import Testing
import TestSupport

/// A room that is watched draws the same.
struct PictureLaws {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func aRoomWhoseTimersFireOneAtATimeDrawsTheSame(seed: UInt64) {
    let random = RandomLog(seed: seed, count: 300, floods: seed % 2 == 1)
    func commands(watching room: Text?) -> [Substring: [String]] {
      var log = PartitionLog(settings: random.settings, hashSeed: seed, keepsChanges: false, log: "in/0")
      var batch = CommandBatch()
      for input in random.inputs {
        if let room { watch(room, until: input, in: &log, into: &batch) }
        log.take(input, into: &batch)
      }
      // Between rooms there is no order.
      return Dictionary(grouping: batch.commands.map(\.everything)) { $0.prefix { $0 != " " } }
    }
    #expect(commands(watching: Text("r1")) == commands(watching: nil))
  }

  private func watch(_ room: Text, until input: LogInput, in log: inout PartitionLog, into batch: inout CommandBatch) {
    let time: LogTime
    switch input {
    case .record(_, let timestampMs, _): time = log.time(ofRecordAt: timestampMs)
    case .idle(let through): time = through
    case .settings: return
    }
    var last: LogTime?
    while let timer = log.nextTimer(of: room, through: time) {
      #expect(timer.deadline >= last ?? timer.deadline)
      #expect(isRight(log.picture(of: room), log.queueLengths(of: room)))
      log.fireNextTimer(of: room, into: &batch)
      last = timer.deadline
    }
    if case .idle = input, let last { log.advanceClock(to: last) }
  }

  private func isRight(_ picture: RoomPicture, _ queued: (combos: Int, wishes: Int)) -> Bool {
    picture.queue.count == queued.combos && picture.wishQueue.count == queued.wishes
      && picture.lanes.allSatisfy { $0?.isOnLane ?? true }
      && picture.queue.allSatisfy { if case .queued = $0.place { $0.gap > 0 } else { false } }
      && picture.resting.allSatisfy { if case .resting = $0.place { $0.gap == 0 } else { false } }
      && (picture.nextBannerAt == nil) == picture.wishQueue.isEmpty
  }
}

extension ComboPicture {
  fileprivate var isOnLane: Bool {
    switch place {
    case .onLane, .leaving: true
    case .queued, .resting: false
    }
  }
}

import RoomModel

/// Counts of items that were skipped and not yet told, by stage and reason (STAGES.md, section 9).
struct SkipTallies: ~Copyable {
  struct Tally {
    var pace = Pace()
    var items: Int64 = 0
    var units: Int64 = 0
    var isUntouched: Bool { items == 0 && units == 0 && !pace.isPending && pace.closedUntil == .min }
  }

  /// The tally of each stage and reason.
  struct Tallies: ~Copyable, RareRoomPart {
    /// The tallies, in a block: a look at one element of a row within a struct would copy them all.
    private var all = Block<Tally>(repeating: Tally(), count: SkipTallies.kindCount)
    nonisolated(unsafe) static let nothing = emptyPart(Tallies())

    subscript(index: Int) -> Tally {
      @inline(__always) unsafeAddress { UnsafePointer(all.elements + index) }
      @inline(__always) unsafeMutableAddress { all.elements + index }
    }

    var byteCount: Int { all.byteCount }

    var isUntouched: Bool { (0..<all.count).allSatisfy { all[$0].isUntouched } }
  }

  private var talliesPart = RarePart<Tallies>()
  var tallies: Tallies {
    @inline(__always) unsafeAddress { talliesPart.address }
    @inline(__always) unsafeMutableAddress { talliesPart.mutableAddress() }
  }
  /// The least deadline of those that wait for their pace; known because it is asked for with every timer.
  private(set) var nextTimer = RoomTimer.never

  private static var span: Milliseconds { 1000 }

  static var kindCount: Int { 12 }

  /// Tallies in the order of their timers.
  static var kinds: InlineArray<12, (stage: Skipped.Stage, reason: Skipped.Reason)> {
    [
      (.gift, .overflow), (.gift, .expired), (.gift, .retracted),
      (.wish, .overflow), (.wish, .expired), (.wish, .retracted),
      (.spot, .overflow), (.spot, .expired), (.spot, .retracted),
      (.pin, .overflow), (.pin, .expired), (.pin, .retracted),
    ]
  }

  /// The index of a stage and a reason that is paced.
  private static func index(_ stage: Skipped.Stage, _ reason: Skipped.Reason) -> Int {
    Int(stage.rawValue) * 3 + Int(reason.rawValue)
  }

  mutating func add(
    _ stage: Skipped.Stage, _ reason: Skipped.Reason, items: Int64 = 1, units: Int64, at now: LogTime,
    out: inout CommandOutlet
  ) {
    let index = Self.index(stage, reason)
    tallies[index].items += items
    tallies[index].units = tallies[index].units.adding(units)
    if tallies[index].pace.claim(at: now, every: Self.span) { send(index, at: now, out: &out) }
    setNextTimer()
  }

  mutating func setNextTimer() {
    var next = RoomTimer.never
    for i in 0..<Self.kindCount where tallies[i].pace.deadline < next.deadline {
      let kind = RoomTimer.Kind(rawValue: RoomTimer.Kind.giftOverflowSkips.rawValue + UInt8(i))!
      next = RoomTimer(deadline: tallies[i].pace.deadline, kind: kind)
    }
    nextTimer = next
  }

  mutating func fire(_ timer: RoomTimer, out: inout CommandOutlet) {
    let index = Int(timer.kind.rawValue - RoomTimer.Kind.giftOverflowSkips.rawValue)
    tallies[index].pace.sent(at: timer.deadline, every: Self.span)
    send(index, at: timer.deadline, out: &out)
    setNextTimer()
  }

  /// Tells all pending skips, whatever their pace, and the items that the room's end skips.
  mutating func end(gifts: Unshown, wishes: Unshown, spots: Unshown, at now: LogTime, out: inout CommandOutlet) {
    for (stage, ended) in [(Skipped.Stage.gift, gifts), (.wish, wishes), (.spot, spots), (.pin, Unshown())] {
      for reason in [Skipped.Reason.overflow, .expired, .retracted] {
        let index = Self.index(stage, reason)
        if tallies[index].pace.isPending { send(index, at: now, out: &out) }
      }
      if ended.items > 0 {
        out.send(
          .skipped(Skipped(stage: stage, reason: .ended, items: ended.items, units: ended.units)), at: now)
      }
    }
  }

  private mutating func send(_ index: Int, at now: LogTime, out: inout CommandOutlet) {
    let (stage, reason) = Self.kinds[index]
    out.send(
      .skipped(Skipped(stage: stage, reason: reason, items: tallies[index].items, units: tallies[index].units)),
      at: now)
    tallies[index].items = 0
    tallies[index].units = 0
  }

  /// Gives the memory back where nothing was put in.
  mutating func discardIfUntouched() { talliesPart.discardIfUntouched() }

  var byteCount: Int { talliesPart.isMade ? talliesPart.byteCount + tallies.byteCount : 0 }

  func isForgotten(at now: LogTime) -> Bool { forgottenFrom <= now }

  /// The time from which on nothing is remembered unless more comes; `.max` while something is still to be sent.
  var forgottenFrom: LogTime {
    guard talliesPart.isMade else { return .min }
    var latest = LogTime.min
    for i in 0..<Self.kindCount { latest = max(latest, tallies[i].pace.isPending ? .max : tallies[i].pace.closedUntil) }
    return latest
  }
}

/// Items that had not been shown when they were taken back, or ended.
struct Unshown {
  /// Combos, wishes or items of the spot.
  var items: Int64 = 0
  /// Gifts, or 1 a wish or item of the spot.
  var units: Int64 = 0

  mutating func add(units more: Int64) {
    items += 1
    units = units.adding(more)
  }

  mutating func add(_ other: Unshown) {
    items += other.items
    units = units.adding(other.units)
  }
}

import RoomModel

/// "Paced at *p* ms" (STAGES.md, section 1): sent at once if the last was *p* ms ago or more, or else when those are
/// over. A pace that has begun keeps its length when settings change.
struct Pace {
  /// The end of the pace: until then none is sent at once.
  private(set) var closedUntil: LogTime = .min
  /// Something waits for the pace to open.
  private(set) var isPending = false

  init() {}

  init(closedUntil: LogTime, isPending: Bool) {
    self.closedUntil = closedUntil
    self.isPending = isPending
  }

  /// The time when what is pending is due.
  var deadline: LogTime { isPending ? closedUntil : .max }

  /// There is something to send. True if now is the time: it counts as sent. Else it is pending.
  mutating func claim(at now: LogTime, every span: Milliseconds) -> Bool {
    // A pending one may be due now: its timer sends it then, with all that comes before that.
    guard !isPending, now >= closedUntil else {
      isPending = true
      return false
    }
    sent(at: now, every: span)
    return true
  }

  mutating func sent(at now: LogTime, every span: Milliseconds) {
    isPending = false
    closedUntil = now + span
  }
}

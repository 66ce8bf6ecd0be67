import RoomModel

/// The places for gift views, 0 at the top (STAGES.md, section 3).
struct Lanes: ~Copyable {
  enum Lane {
    /// Can become: showing.
    case free
    /// Can become: leaving.
    case showing(View)
    /// Can become: free.
    case leaving(combo: Int32, freeAt: LogTime)
  }

  struct View {
    var combo: Int32
    var ticksAt: LogTime
    /// The first tick from then on sends its `giftShow` again; `.max`: none does.
    var refreshesAt: LogTime
    /// `.max`: never, others don't get their turn.
    var turnEndsAt: LogTime
    /// The time from which on it makes room for a higher tier; `.max`: never.
    var leastEndsAt: LogTime
    /// The tier that its last `giftShow` told.
    var tier: Int64
    /// The step of its last tick that counted up; 0: since then all was shown, or there was none.
    var step: Int64 = 0
    /// `.max`: no hold is running.
    var holdEndsAt: LogTime = .max

    /// Whether it has had its turn, or the least time that a higher tier leaves it.
    @inline(__always) func mayMakeRoom(at now: LogTime) -> Bool { now >= turnEndsAt || now >= leastEndsAt }
  }

  /// The lanes: more than the setting says, if it was greater before and views are still there.
  private var lanes = Block<Lane>()
  /// The next timer of each, set with it: all lanes are asked for theirs whenever one of them changes.
  private var timers = Block<RoomTimer>()
  /// A bit each.
  private var taken: UInt64 = 0

  var count: Int32 { Int32(lanes.count) }
  var takenCount: Int { taken.nonzeroBitCount }
  var byteCount: Int { lanes.byteCount + timers.byteCount }

  /// A bit for each lane that is there now and free.
  @inline(__always) func free(of count: Int64) -> UInt64 { ~taken & .max >> UInt64(64 - count) }

  /// The number of lanes below `count` whose view has hidden and that are not free yet.
  func leavingCount(below count: Int64) -> Int {
    var leaving = 0
    for lane in 0..<min(Int(count), lanes.count) {
      if case .leaving = lanes[lane] { leaving += 1 }
    }
    return leaving
  }

  subscript(_ lane: Int32) -> Lane {
    get { lane < lanes.count ? lanes[Int(lane)] : .free }
    set {
      while lane >= lanes.count {
        lanes.append(.free)
        timers.append(.never)
      }
      lanes[Int(lane)] = newValue
      timers[Int(lane)] = timer(of: newValue, lane)
      if case .free = newValue { taken &= ~(1 << UInt64(lane)) } else { taken |= 1 << UInt64(lane) }
      if taken == 0, lanes.count > 8 { self = Lanes() }
    }
  }

  /// There must be one.
  func view(on lane: Int32) -> View {
    guard case .showing(let view) = lanes[Int(lane)] else { preconditionFailure("a lane that shows a combo") }
    return view
  }

  /// The lane must show that combo.
  @inline(__always) mutating func change(_ view: View, on lane: Int32) {
    lanes[Int(lane)] = .showing(view)
    timers[Int(lane)] = timer(of: .showing(view), lane)
  }

  /// The ticks go on as they were.
  ///
  /// - Returns: Whether the lane has another timer now: it had been the end of the hold.
  mutating func endHold(on lane: Int32) -> Bool {
    guard case .showing(var view) = lanes[Int(lane)] else { preconditionFailure("a lane that shows a combo") }
    if view.holdEndsAt == .max { return false }
    let wasNext = view.ticksAt >= view.holdEndsAt
    view.holdEndsAt = .max
    change(view, on: lane)
    return wasNext
  }

  @inline(__always) var nextTimer: RoomTimer {
    var next = RoomTimer.never
    var rest = taken
    while rest != 0 {
      let lane = rest.trailingZeroBitCount
      rest &= rest &- 1
      // Those that are taken are there.
      next = next.or(timers.elements[lane])
    }
    return next
  }

  @inline(__always) private func timer(of state: Lane, _ lane: Int32) -> RoomTimer {
    switch state {
    case .free: .never
    case .leaving(_, let freeAt): RoomTimer(deadline: freeAt, kind: .laneBecomesFree, item: lane)
    case .showing(let view) where view.holdEndsAt <= view.ticksAt:
      RoomTimer(deadline: view.holdEndsAt, kind: .holdRunsOut, item: lane)
    case .showing(let view): RoomTimer(deadline: view.ticksAt, kind: .tick, item: lane)
    }
  }
}

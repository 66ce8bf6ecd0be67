import RoomModel

/// The pins of a room (STAGES.md, section 12). They are few, so each change looks at all.
struct PinStage: ~Copyable {
  /// Pins in the order in which they began.
  private(set) var pins = Block<RoomPin>()
  /// The next timer, as of the last change. Its item is the pin's place.
  private(set) var nextTimer = RoomTimer.never

  var isEmpty: Bool { pins.isEmpty }

  // MARK: Events

  /// - Parameter isTakenBack: It was before it came, or its user is muted: it is skipped.
  /// - Returns: whether anything came of it.
  mutating func arrive(
    _ pin: Lent<Pin>, isTakenBack: Bool, at now: LogTime, _ rules: borrowing Rules, skips: inout SkipTallies,
    out: inout CommandOutlet
  ) -> Bool {
    if isTakenBack {
      skip(pin, .retracted, at: now, rules, skips: &skips, out: &out)
      return true
    }
    if contains(pin.pinId) {
      out.tell(.pin(.init(pin.pinId, .isThere)))
      return false
    }
    defer { setNextTimer() }
    let new = RoomPin(pin, at: now, rules)
    while Int64(pins.count) >= rules.pin.limit {
      guard let least = placeOfLeast(), pins[least].goesBefore(new) else {
        let other = placeOfLeast().map { pins[$0].pinId } ?? .empty
        out.tell(.pin(.init(pin.pinId, .least(limit: rules.pin.limit), other: other)))
        skip(pin, .overflow, at: now, rules, skips: &skips, out: &out)
        return true
      }
      out.tell(.pin(.init(pins[least].pinId, .pushedOut(limit: rules.pin.limit), other: pin.pinId)))
      remove(at: least, .limit, at: now, out: &out)
    }
    let ms = new.endMs - now
    append(new)
    out.tell(.pin(.init(pin.pinId, .shown(ms: ms, isOwn: pin.durationMs > 0))))
    pins[pins.count - 1].show(at: now, rules, out: &out)
    return true
  }

  private func contains(_ pinId: Text) -> Bool {
    for place in 0..<pins.count where pins[place].pinId == pinId { return true }
    return false
  }

  private func placeOfLeast() -> Int? {
    guard !pins.isEmpty else { return nil }
    var least = 0
    // Of equals the oldest goes, which comes first.
    for place in 1..<max(1, pins.count) where !pins[least].goesBefore(pins[place]) { least = place }
    return least
  }

  private func skip(
    _ pin: Lent<Pin>, _ reason: Skipped.Reason, at now: LogTime, _ rules: borrowing Rules, skips: inout SkipTallies,
    out: inout CommandOutlet
  ) {
    out.note(SkippedItem(pin, reason, limit: rules.pin.limit))
    skips.add(.pin, reason, units: 1, at: now, out: &out)
  }

  /// Appends the youngest, also one that was read from a written state.
  mutating func append(_ pin: consuming RoomPin) { pins.append(pin) }

  private mutating func remove(at place: Int, _ reason: PinGone.Reason, at now: LogTime, out: inout CommandOutlet) {
    out.send(.pinGone(PinGone(pinId: out.keep(pins[place].pinId), reason: reason)), at: now)
    pins.remove(at: place)
  }

  // MARK: Taken back, and over

  /// Returns whether it was shown.
  mutating func takeBack(pin pinId: Text, at now: LogTime, out: inout CommandOutlet) -> Bool {
    removeAll(.retracted, .retracted, at: now, out: &out) { $0.pinId == pinId }
  }

  mutating func takeBack(user userId: Text, at now: LogTime, out: inout CommandOutlet) {
    _ = removeAll(.retracted, .retracted, at: now, out: &out) { $0.userId == userId }
  }

  mutating func end(at now: LogTime, out: inout CommandOutlet) {
    _ = removeAll(.ended, .ended, at: now, out: &out) { _ in true }
  }

  private mutating func removeAll(
    _ reason: PinGone.Reason, _ decision: Skipped.Reason, at now: LogTime, out: inout CommandOutlet,
    where isOne: (borrowing RoomPin) -> Bool
  ) -> Bool {
    let count = pins.count
    var place = 0
    while place < pins.count {
      if isOne(pins[place]) {
        out.tell(.removed(.init(.pin, pins[place].pinId), decision))
        remove(at: place, reason, at: now, out: &out)
      } else {
        place += 1
      }
    }
    setNextTimer()
    return pins.count < count
  }

  // MARK: Timers

  mutating func setNextTimer() {
    var next = RoomTimer.never
    for place in 0..<pins.count {
      next = next.or(RoomTimer(deadline: pins[place].endMs, kind: .pinEnds, item: Int32(place)))
      next = next.or(RoomTimer(deadline: pins[place].toldAgainAt, kind: .pinIsToldAgain, item: Int32(place)))
    }
    nextTimer = next
  }

  mutating func fire(_ timer: RoomTimer, _ rules: borrowing Rules, out: inout CommandOutlet) {
    let place = Int(timer.item)
    switch timer.kind {
    case .pinEnds:
      out.tell(.pin(.init(pins[place].pinId, .over)))
      pins.remove(at: place)
    case .pinIsToldAgain: pins[place].show(at: timer.deadline, rules, out: &out)
    default: preconditionFailure("a timer of the pin stage")
    }
    setNextTimer()
  }

  var byteCount: Int {
    var bytes = pins.byteCount
    for place in 0..<pins.count { bytes += pins[place].texts.byteCount }
    return bytes
  }
}

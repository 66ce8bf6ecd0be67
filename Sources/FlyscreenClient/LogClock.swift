import RoomScreen

/// Log time, as a client knows it: what the server said, and the time that has passed since.
///
/// Everything on a screen moves by log time: draw at `nowMs`, each frame.
///
/// ```swift
/// banner.left(atMs: clock.nowMs, width: banner.width, stageWidth: 375)
/// ```
///
/// Words take their time to come, some longer than others. Whichever came fastest tells best how far the log is, so the
/// clock goes by the fastest of the last half minute or so.
///
/// A room is shown some time behind the log. When that lag changes, or the clock is known better, the time that is shown
/// glides there and never jumps.
public struct LogClock: Sendable {
  private static let span: Duration = .seconds(30)
  /// On its way to where it should be, the time that is shown goes by one in so many parts slower or faster.
  private static let glide: Int64 = 10
  /// From farther off it is set at once: the device has slept, say.
  private static let farMs: UInt64 = 2000

  private let time: Timekeeper
  /// Log time less local time, of the fastest word in this span and in the one before; nil before the first.
  private var offsetMs: Int64?
  private var offsetBeforeMs: Int64?
  private var spanEnd = Duration.zero
  /// How far behind the log it should be; nil: none was told.
  private var lagMs: Int64?
  /// Shown time less local time: where it glides to, where it was before, and since when; nil before the first word.
  private var shift: (aimMs: Int64, beforeMs: Int64, since: Duration)?

  /// A clock that shows `nowMs` now, as `Screen.nowMs` of one that just came from `GatewayClient.screens(of:)`.
  public init(nowMs: Int64) {
    self.init(time: .continuous)
    anchor(nowMs)
  }

  package init(time: Timekeeper) { self.time = time }

  /// Milliseconds since 1970 by the server's clock, no earlier than any command that has come; nil before anything was
  /// said.
  public var currentMs: Int64? {
    [offsetMs, offsetBeforeMs].compactMap(\.self).max().map { time.now().milliseconds.plus($0) }
  }

  /// The time to draw at: so far behind the log as it should be, or on its way there; 0 before anything was said.
  public var nowMs: Int64 {
    let local = time.now()
    return shift == nil ? 0 : local.milliseconds.plus(shiftMs(at: local))
  }

  private func shiftMs(at local: Duration) -> Int64 {
    guard let shift else { return 0 }
    let gone = (local - shift.since).milliseconds / Self.glide
    return shift.aimMs > shift.beforeMs
      ? min(shift.aimMs, shift.beforeMs.plus(gone)) : max(shift.aimMs, shift.beforeMs.minus(gone))
  }

  /// From now on the time that is shown goes to where it should be. Without a lag there is no time to glide: commands are
  /// due as they come.
  private mutating func glide(at local: Duration, isAtOnce: Bool) {
    guard let offset = [offsetMs, offsetBeforeMs].compactMap(\.self).max() else { return }
    let aimMs = offset.minus(lagMs ?? 0)
    if shift?.aimMs == aimMs { return }
    let beforeMs = shiftMs(at: local)
    let glides = shift != nil && !isAtOnce && aimMs.minus(beforeMs).magnitude <= Self.farMs
    shift = (aimMs, glides ? beforeMs : aimMs, local)
  }

  /// Another lag from now on. The first counts at once.
  package mutating func setLag(_ ms: Int64) {
    let isFirst = lagMs == nil
    lagMs = ms
    glide(at: time.now(), isAtOnce: isFirst)
  }

  /// A snapshot says what time it is.
  package mutating func anchor(_ nowMs: Int64) {
    let local = time.now()
    offsetMs = nowMs.minus(local.milliseconds)
    offsetBeforeMs = nil
    spanEnd = local + Self.span
    glide(at: local, isAtOnce: lagMs ?? 0 == 0)
  }

  /// A command of `atMs` has come, so it is no earlier.
  package mutating func observe(_ atMs: Int64) {
    let local = time.now()
    if local >= spanEnd {
      offsetBeforeMs = offsetMs
      offsetMs = nil
      spanEnd = local + Self.span
    }
    offsetMs = max(offsetMs ?? .min, atMs.minus(local.milliseconds))
    glide(at: local, isAtOnce: lagMs ?? 0 == 0)
  }
}

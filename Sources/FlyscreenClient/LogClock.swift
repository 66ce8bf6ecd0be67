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
/// clock goes by the fastest of the last half minute or so; and it never runs behind a command that has come.
///
/// A room is shown some time behind the log. When that lag changes, the time that is shown glides there and never jumps.
public struct LogClock: Sendable {
  private static let span: Duration = .seconds(30)

  private let time: Timekeeper
  /// Log time less local time, of the fastest word in this span and in the one before; nil before the first.
  private var offsetMs: Int64?
  private var offsetBeforeMs: Int64?
  private var spanEnd = Duration.zero
  /// The lag to which it glides, the one before, and since when; nil: none was told.
  private var lag: (ms: Int64, beforeMs: Int64, since: Duration)?

  /// While the lag changes, the time that is shown goes by one in so many parts slower or faster.
  private static let glide: Int64 = 10

  /// A clock that shows `nowMs` now, as `Screen.nowMs` of one that just came from `GatewayClient.screens(of:)`.
  public init(nowMs: Int64) {
    self.init(time: .continuous)
    anchor(nowMs)
  }

  package init(time: Timekeeper) { self.time = time }

  /// Milliseconds since 1970 by the server's clock; nil before anything was said.
  public var currentMs: Int64? {
    [offsetMs, offsetBeforeMs].compactMap(\.self).max().map { time.now().milliseconds.plus($0) }
  }

  /// The same time; 0 before anything was said.
  public var nowMs: Int64 { currentMs ?? 0 }

  /// How far behind the log the room is shown, in milliseconds.
  package var lagMs: Int64 {
    guard let lag else { return 0 }
    let gone = (time.now() - lag.since).milliseconds / Self.glide
    return lag.ms > lag.beforeMs ? min(lag.ms, lag.beforeMs.plus(gone)) : max(lag.ms, lag.beforeMs.minus(gone))
  }

  /// Another lag from now on. The first counts at once.
  package mutating func setLag(_ ms: Int64) {
    lag = (ms, lag == nil ? ms : lagMs, time.now())
  }

  /// A snapshot says what time it is.
  package mutating func anchor(_ nowMs: Int64) {
    let local = time.now()
    offsetMs = nowMs.minus(local.milliseconds)
    offsetBeforeMs = nil
    spanEnd = local + Self.span
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
  }
}

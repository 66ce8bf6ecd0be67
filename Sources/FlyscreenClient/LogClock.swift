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
public struct LogClock: Sendable {
  private static let span: Duration = .seconds(30)

  private let time: Timekeeper
  /// Log time less local time, of the fastest word in this span and in the one before; nil before the first.
  private var offsetMs: Int64?
  private var offsetBeforeMs: Int64?
  private var spanEnd = Duration.zero

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

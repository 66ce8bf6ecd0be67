package import HTTP
internal import Platform

/// A stream of events to one client: an ``EventStream``, or one of the simulation. It belongs to one loop.
package protocol CommandStream: AnyObject {
  /// Its place among the streams of its channel.
  var place: Int { get set }
  func send(_ frame: EventFrame)
  static func send(_ batch: EventBatch, to streams: [Self])
  /// Throws away what still waits; these come in its place.
  func restart(with frames: [EventFrame])
  /// Its client comes back, here or elsewhere.
  func end()
}

extension EventStream: CommandStream {
  package static func send(_ batch: EventBatch, to streams: [EventStream]) { batch.send(to: streams) }
  package func end() { end(saying: nil) }
}

/// The clocks of a gateway.
package struct GatewayClocks: Sendable {
  /// Milliseconds of a clock that only moves forward.
  var monotonicMs: @Sendable () -> Int64
  /// Milliseconds since 1970.
  var wallMs: @Sendable () -> Int64

  package static let machine = GatewayClocks(
    monotonicMs: { MonotonicClock.nowMs() }, wallMs: { WallClock.nowMs() })

  package init(monotonicMs: @escaping @Sendable () -> Int64, wallMs: @escaping @Sendable () -> Int64) {
    self.monotonicMs = monotonicMs
    self.wallMs = wallMs
  }
}

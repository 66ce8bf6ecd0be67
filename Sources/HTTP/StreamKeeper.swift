internal import CLibevent
internal import Platform

/// Counts of a loop's streams and their events, since it began.
package struct StreamCounts: Equatable, Sendable {
  /// Streams that are open now.
  package var streams = 0
  /// Events handed to sockets.
  package var sent = 0
  /// Thrown away, since their stream was too slow.
  package var skipped = 0
  /// Times that a stream got something in place of those.
  package var replaced = 0
  /// Streams that were cut, since they stayed too slow.
  package var cut = 0

  package init() {}
}

/// Looks after the streams of one loop: lets those go on that have room again, keeps idle ones alive, cuts and ends
/// those whose time has come.
final class StreamKeeper {
  /// Proxies and phones take a connection that is silent for half a minute for dead.
  private static let keepAliveTicks = 15
  private static let keepAlive = EventFrame(line: ":")

  let limits: ServerLimits
  var counts = StreamCounts()
  /// Called when a stream ends, with its connection, which nobody else looks after any more, and its address group.
  var onEnding: (OpaquePointer, AddressGroup?) -> Void = { _, _ in }
  /// Told of a connection that has gone with its stream.
  var onClosed: (AddressGroup?) -> Void = { _ in }
  /// Seconds.
  private(set) var tick = 0
  private var streams: [EventStream] = []
  private var noted: [EventStream] = []
  private var roomEvent: OpaquePointer!

  init(_ loop: EventLoop, _ limits: ServerLimits) {
    self.limits = limits
    roomEvent = event_new(
      loop.base, -1, 0, { _, _, me in Unmanaged<StreamKeeper>.fromOpaque(me!).takeUnretainedValue().flush() },
      Unmanaged.passUnretained(self).toOpaque())
    loop.every(ms: 1000) { [unowned self] in proceed() }
  }

  deinit { event_free(roomEvent) }

  var count: Int { streams.count }

  /// The tick at which a new stream begins: streams that began together, and stay silent, are not all kept alive in the
  /// same second.
  var firstTick: Int { tick - streams.count % Self.keepAliveTicks }

  func add(_ stream: EventStream) {
    stream.placeAtKeeper = streams.count
    streams.append(stream)
    counts.streams += 1
  }

  func remove(_ stream: EventStream) {
    let place = stream.placeAtKeeper
    stream.placeAtKeeper = -1
    counts.streams -= 1
    let last = streams.removeLast()
    guard last !== stream else { return }
    streams[place] = last
    last.placeAtKeeper = place
  }

  /// Notes a stream for the loop's next round, since nothing may be done in libevent's write.
  func note(_ stream: EventStream) {
    guard !stream.isNoted else { return }
    stream.isNoted = true
    if noted.isEmpty { event_active(roomEvent, 0, 0) }
    noted.append(stream)
  }

  /// A wait for one client, so that those who go at the same time don't come back at the same time.
  static var farewell: EventFrame { EventFrame(line: "retry: \(Int.random(in: 0...1000))") }

  /// The plan by which streams end, one after the other.
  private struct Ending {
    let beganMs: Int64
    let overMs: Int64
    let count: Int
    var endedCount = 0
  }

  private var ending: Ending?

  /// All that there are now, evenly; each says how long its client is to wait.
  func endAll(overMs: Int64) {
    ending = Ending(beganMs: MonotonicClock.nowMs(), overMs: overMs, count: streams.count)
    endThoseDue()
  }

  /// Called again and again.
  func endThoseDue() {
    guard var ending else { return }
    let passedMs = MonotonicClock.nowMs() - ending.beganMs
    let isOver = passedMs >= ending.overMs
    let due = isOver ? ending.count : ending.count * Int(passedMs) / Int(ending.overMs)
    while ending.endedCount < due, let stream = streams.last {
      stream.end(saying: Self.farewell)
      ending.endedCount += 1
    }
    // Streams that left by themselves gave their turn to others.
    while isOver, let stream = streams.last { stream.end(saying: Self.farewell) }
    self.ending = ending
  }

  private func flush() {
    let now = noted
    noted = []
    for stream in now { stream.flush() }
  }

  private func proceed() {
    tick += 1
    let nowMs = MonotonicClock.nowMs()
    for stream in streams {
      if stream.isLate(nowMs: nowMs) {
        stream.cut()
      } else if nowMs >= stream.endsAtMs {
        stream.end()
      } else if tick - stream.lastTick >= Self.keepAliveTicks {
        stream.keepAlive(Self.keepAlive)
      }
    }
  }
}

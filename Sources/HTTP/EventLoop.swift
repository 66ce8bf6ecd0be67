internal import CLibevent
internal import Glibc
internal import Synchronization

/// One thread's loop of libevent.
///
/// It is set up by whoever makes it and then belongs to the thread that runs it: all that is attached to it happens
/// there, so nothing of that is locked. Other threads may `wake` and `stop` it, nothing else.
package final class EventLoop: @unchecked Sendable {
  let base: OpaquePointer
  private let descriptor: Int32
  private let isWoken = Atomic(false)
  private let isStopping = Atomic(false)
  private var events: [OpaquePointer] = []
  private var bodies: [TimerBody] = []
  /// Called in the loop after `wake`, once for any number of calls that came meanwhile.
  package var onWake: () -> Void = {}
  /// Called in the loop after `stop`; whoever takes it ends the loop with `end`.
  package var onStop: (() -> Void)?

  package init() {
    let config = event_config_new()
    // No other thread touches the base, and `epoll_ctl` calls that cancel out are left out.
    event_config_set_flag(
      config, Int32(EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST.rawValue))
    base = event_base_new_with_config(config)
    event_config_free(config)
    descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
    precondition(descriptor >= 0, "no eventfd for an event loop")
    let woken = event_new(
      base, descriptor, Int16(EV_READ | EV_PERSIST), { _, _, me in EventLoop.from(me).woken() },
      Unmanaged.passUnretained(self).toOpaque())!
    event_add(woken, nil)
    events.append(woken)
  }

  deinit {
    for event in events { event_free(event) }
    event_base_free(base)
    close(descriptor)
  }

  /// Returns when it has ended.
  package func run() {
    event_base_dispatch(base)
    // They may hold what holds the loop.
    onWake = {}
    onStop = nil
  }

  /// Any thread.
  package func wake() {
    if !isWoken.exchange(true, ordering: .acquiringAndReleasing) { eventfd_write(descriptor, 1) }
  }

  /// Any thread. The loop ends, or its `onStop` sees to that.
  package func stop() {
    isStopping.store(true, ordering: .releasing)
    eventfd_write(descriptor, 1)
  }

  /// Ends the loop; to be called in it.
  package func end() { event_base_loopbreak(base) }

  /// Calls `body` in the loop again and again. Before the loop runs, or in it.
  package func every(ms: Int64, _ body: @escaping () -> Void) {
    var interval = timeval(ms: ms)
    event_add(timer(Int16(EV_PERSIST), body), &interval)
  }

  /// Something that is called in the loop some time after it was asked for. Before the loop runs, or in it.
  package func alarm(_ body: @escaping () -> Void) -> Alarm { Alarm(event: timer(0, body)) }

  /// It ends with its loop.
  package struct Alarm {
    fileprivate let event: OpaquePointer

    /// Sets the alarm; to be called in the loop. A time that was set before, and has not come, is replaced.
    package func ring(afterMs ms: Int64) {
      var interval = timeval(ms: ms)
      event_add(event, &interval)
    }
  }

  private func timer(_ flags: Int16, _ body: @escaping () -> Void) -> OpaquePointer {
    let timer = TimerBody(body)
    bodies.append(timer)
    let event = event_new(
      base, -1, flags, { _, _, timer in Unmanaged<TimerBody>.fromOpaque(timer!).takeUnretainedValue().run() },
      Unmanaged.passUnretained(timer).toOpaque())!
    events.append(event)
    return event
  }

  private func woken() {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    // First, so that a wake that comes while `onWake` works is not lost.
    isWoken.store(false, ordering: .releasing)
    onWake()
    if isStopping.exchange(false, ordering: .acquiringAndReleasing) { (onStop ?? end)() }
  }

  private static func from(_ me: UnsafeMutableRawPointer?) -> EventLoop {
    Unmanaged<EventLoop>.fromOpaque(me!).takeUnretainedValue()
  }

  private final class TimerBody {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }
}

extension timeval {
  init(ms: Int64) { self.init(tv_sec: Int(ms / 1000), tv_usec: Int(ms % 1000) * 1000) }
}

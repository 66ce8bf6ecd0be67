internal import CLibevent
internal import Glibc

/// The connections that we wait for: for a request, or that an answer is taken. Each has a deadline that no byte of
/// its moves; evhttp's own timeouts begin anew with every byte, so one a second would hold a connection for ever.
struct ConnectionGuard: ~Copyable {
  /// By bufferevent, of which we hold a reference.
  private var deadlines: [OpaquePointer: Int64] = [:]

  var count: Int { deadlines.count }

  mutating func watch(_ buffer: OpaquePointer, untilMs deadlineMs: Int64) {
    if deadlines.updateValue(deadlineMs, forKey: buffer) == nil { bufferevent_incref(buffer) }
  }

  mutating func release(_ buffer: OpaquePointer) {
    if deadlines.removeValue(forKey: buffer) != nil { bufferevent_decref(buffer) }
  }

  /// Cuts off who is late, and lets go of those that evhttp has freed. The number of the former.
  mutating func sweep(nowMs: Int64) -> Int {
    var late: [OpaquePointer] = []
    var gone: [OpaquePointer] = []
    for (buffer, deadlineMs) in deadlines {
      if Self.isGone(buffer) {
        gone.append(buffer)
      } else if nowMs >= deadlineMs {
        shutdown(bufferevent_getfd(buffer), Int32(SHUT_RDWR))
        // That alone is not noticed where the buffer is full and reading is suspended.
        bufferevent_trigger_event(
          buffer, Int16(BEV_EVENT_TIMEOUT | BEV_EVENT_READING), Int32(BEV_OPT_DEFER_CALLBACKS.rawValue))
        late.append(buffer)
      }
    }
    for buffer in gone { release(buffer) }
    for buffer in late { deadlines[buffer] = .max }
    return late.count
  }

  /// evhttp has let go of it; ours is the last reference, and keeps the descriptor open.
  private static func isGone(_ buffer: OpaquePointer) -> Bool {
    var onEvent: bufferevent_event_cb?
    bufferevent_getcb(buffer, nil, nil, &onEvent, nil)
    return onEvent == nil
  }

  /// On one of them something is still to be written.
  var isWriting: Bool {
    deadlines.keys.contains { !Self.isGone($0) && evbuffer_get_length(bufferevent_get_output($0)) > 0 }
  }

  mutating func releaseAll() {
    for buffer in deadlines.keys { bufferevent_decref(buffer) }
    deadlines = [:]
  }
}

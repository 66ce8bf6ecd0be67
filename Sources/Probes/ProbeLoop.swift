import CLibevent
import Glibc

/// libevent's loop of one `ProbeServer`. All but `stop` belongs to its thread.
final class ProbeLoop: @unchecked Sendable {
  private static var maxConnections: Int { 128 }

  private let socket: ListeningSocket
  private let routes: ProbeRoutes
  private let patienceSeconds: Int
  /// Written to by `stop`, from any thread.
  private let wake = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
  private var base: OpaquePointer!
  private var listener: OpaquePointer!
  /// Connections and when they must be done. evhttp's own timeout begins anew with every byte.
  private var guarded: [(buffer: OpaquePointer, deadline: Int)] = []

  init(_ socket: ListeningSocket, routes: ProbeRoutes, _ patienceSeconds: Int) {
    self.socket = socket
    self.routes = routes
    self.patienceSeconds = patienceSeconds
    precondition(wake >= 0, "no eventfd for the probes")
  }

  func stop() {
    eventfd_write(wake, 1)
  }

  func run() {
    let config = event_config_new()
    event_config_set_flag(config, Int32(EVENT_BASE_FLAG_NOLOCK.rawValue))
    base = event_base_new_with_config(config)
    event_config_free(config)
    let http = evhttp_new(base)!
    let me = Unmanaged.passUnretained(self).toOpaque()
    evhttp_set_gencb(http, { request, me in ProbeLoop.from(me).answer(request!) }, me)
    evhttp_set_bevcb(http, { base, me in ProbeLoop.from(me).accepted(base!) }, me)
    // All of them, so that the refusal is ours: evhttp's is 501.
    evhttp_set_allowed_methods(http, UInt16(0x1FF))
    evhttp_set_max_headers_size(http, 16_384)
    evhttp_set_max_body_size(http, 4096)
    evhttp_set_timeout(http, Int32(patienceSeconds))
    listener = evconnlistener_new(
      base, nil, nil, UInt32(LEV_OPT_CLOSE_ON_FREE) | UInt32(LEV_OPT_CLOSE_ON_EXEC), 0, socket.descriptor)
    evhttp_bind_listener(http, listener)

    let stopping = event_new(
      base, wake, Int16(EV_READ), { _, _, base in event_base_loopbreak(OpaquePointer(base)) },
      UnsafeMutableRawPointer(base))
    event_add(stopping, nil)
    let sweeping = event_new(base, -1, Int16(EV_PERSIST), { _, _, me in ProbeLoop.from(me).sweep() }, me)
    var second = timeval(tv_sec: 1, tv_usec: 0)
    event_add(sweeping, &second)

    event_base_dispatch(base)

    for one in guarded { bufferevent_decref(one.buffer) }
    event_free(stopping)
    event_free(sweeping)
    evhttp_free(http)
    event_base_free(base)
    close(wake)
  }

  private static func from(_ me: UnsafeMutableRawPointer?) -> ProbeLoop {
    Unmanaged<ProbeLoop>.fromOpaque(me!).takeUnretainedValue()
  }

  private func answer(_ request: UnsafeMutablePointer<evhttp_request>) {
    let command = evhttp_request_get_command(request)
    let isHead = command == EVHTTP_REQ_HEAD
    var answer = ProbeRoutes.notAllowed
    if command == EVHTTP_REQ_GET || isHead {
      let path = evhttp_request_get_evhttp_uri(request).flatMap { evhttp_uri_get_path($0) }
      answer = routes.answer(path: path.map { String(cString: $0) } ?? "")
    }
    let headers = evhttp_request_get_output_headers(request)
    if answer.status == 405 { evhttp_add_header(headers, "Allow", "GET, HEAD") }
    evhttp_add_header(headers, "Content-Type", answer.contentType.cString)
    evhttp_add_header(headers, "Content-Length", String(answer.body.utf8.count))
    evhttp_add_header(headers, "Connection", "close")
    if !isHead {
      var body = answer.body
      body.withUTF8 { _ = evbuffer_add(evhttp_request_get_output_buffer(request), $0.baseAddress, $0.count) }
    }
    evhttp_send_reply(request, answer.status, answer.reason.cString, nil)
  }

  private func accepted(_ base: OpaquePointer) -> OpaquePointer? {
    guard let buffer = bufferevent_socket_new(base, -1, Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)) else { return nil }
    bufferevent_incref(buffer)
    guarded.append((buffer, Self.seconds() + patienceSeconds))
    if guarded.count >= Self.maxConnections { evconnlistener_disable(listener) }
    return buffer
  }

  private func sweep() {
    let now = Self.seconds()
    guarded.removeAll { one in
      var onEvent: bufferevent_event_cb?
      bufferevent_getcb(one.buffer, nil, nil, &onEvent, nil)
      if onEvent == nil {
        // evhttp has let go of it; ours is the last reference.
        bufferevent_decref(one.buffer)
        return true
      }
      if now >= one.deadline { shutdown(bufferevent_getfd(one.buffer), Int32(SHUT_RDWR)) }
      return false
    }
    if guarded.count < Self.maxConnections { evconnlistener_enable(listener) }
  }

  private static func seconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }
}

extension StaticString {
  /// Ends with a NUL, as all literals do.
  var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}

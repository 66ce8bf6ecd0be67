internal import CLibevent
internal import Glibc
internal import Platform

/// HTTP/1.1 on one loop: accepts, checks and hands over requests, and cuts off who takes too long. All of it belongs to
/// the loop's thread from `EventLoop.run` on.
package final class HTTPServer {
  package let loop: EventLoop
  package let limits: ServerLimits
  /// Connections that were cut since they took too long, and requests that were refused before a handler saw them.
  package private(set) var lateCount = 0
  package private(set) var malformedCount = 0

  let streams: StreamKeeper
  /// Requests that a handler has and has not answered.
  var pendingCount = 0
  private let http: OpaquePointer
  private let listener: OpaquePointer
  private let connections: ConnectionLimit
  private let tls: TLSCertificate?
  private var guarded = ConnectionGuard()
  private var isPaused = false
  /// It accepts no more, and every answer, and every stream, ends its connection.
  private(set) var isDraining = false
  /// What `connections` has counted of them.
  private var reportedCount = 0
  private let handler: (Request) -> Void

  /// Listens at once, and answers when the loop runs. The socket is closed with the server.
  package init(
    loop: EventLoop, socket: ListeningSocket, limits: ServerLimits = ServerLimits(), connections: ConnectionLimit,
    tls: TLSCertificate? = nil, handler: @escaping (Request) -> Void
  ) {
    self.loop = loop
    self.limits = limits
    self.connections = connections
    self.tls = tls
    self.handler = handler
    streams = StreamKeeper(loop, limits)
    http = evhttp_new(loop.base)
    listener = evconnlistener_new(
      loop.base, nil, nil, UInt32(LEV_OPT_CLOSE_ON_FREE) | UInt32(LEV_OPT_CLOSE_ON_EXEC), 0, socket.descriptor)
    let me = Unmanaged.passUnretained(self).toOpaque()
    evhttp_set_gencb(http, { handle, me in HTTPServer.from(me).received(handle!) }, me)
    evhttp_set_bevcb(http, { base, me in HTTPServer.from(me).accepted(base) }, me)
    // All of them, so that the refusal is ours: evhttp's is a page of HTML. For the same reason twice the body.
    evhttp_set_allowed_methods(http, UInt16(0x1FF))
    evhttp_set_max_headers_size(http, limits.headerBytes)
    evhttp_set_max_body_size(http, 2 * limits.bodyBytes)
    evhttp_set_timeout(http, Int32(max(limits.requestMs, limits.answerMs, limits.idleMs) / 1000 + 1))
    evhttp_bind_listener(http, listener)
    loop.every(ms: 1000) { [unowned self] in sweep() }
    streams.onEnding = { [unowned self] in guarded.watch($0, untilMs: MonotonicClock.nowMs() + limits.answerMs) }
  }

  /// Closes every connection. Must be called, once, when the loop has ended.
  package func close() {
    guarded.releaseAll()
    evhttp_free(http)
    connections.add(-reportedCount)
  }

  /// Connections that are open now, streams among them.
  package var connectionCount: Int { guarded.count + pendingCount + streams.count }
  package var streamCounts: StreamCounts { streams.counts }

  /// Ends every stream with its last chunk, answers what is asked on the connections that there are, and ends the loop
  /// when all of that is written, or after `graceMs`.
  package func drain(graceMs: Int64) {
    isDraining = true
    evconnlistener_disable(listener)
    shutdown(evconnlistener_get_fd(listener), Int32(SHUT_RDWR))
    streams.endAll()
    var grace = timeval(tv_sec: Int(graceMs / 1000), tv_usec: Int(graceMs % 1000) * 1000)
    event_base_loopexit(loop.base, &grace)
    loop.every(ms: 20) { [unowned self] in
      if pendingCount == 0, !guarded.isWriting { loop.end() }
    }
  }

  private static func from(_ me: UnsafeMutableRawPointer?) -> HTTPServer {
    Unmanaged<HTTPServer>.fromOpaque(me!).takeUnretainedValue()
  }

  // MARK: Connections

  private func accepted(_ base: OpaquePointer?) -> OpaquePointer? {
    let options = Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)
    let buffer: OpaquePointer?
    if let tls {
      buffer = bufferevent_openssl_socket_new(base, -1, tls.session(), BUFFEREVENT_SSL_ACCEPTING, options)
      bufferevent_openssl_set_allow_dirty_shutdown(buffer, 1)
    } else {
      buffer = bufferevent_socket_new(base, -1, options)
    }
    guard let buffer else { return nil }
    // What evhttp has not made a request of stays in the buffer: a whole body, or the size of a chunk that has no end.
    bufferevent_setwatermark(buffer, Int16(EV_READ), 0, limits.headerBytes + 2 * limits.bodyBytes + 1024)
    // Not once it is guarded: evhttp gives it its callbacks later, so it would look as if it were gone.
    if connections.count + 1 >= connections.limit { sweep() }
    guarded.watch(buffer, untilMs: MonotonicClock.nowMs() + limits.requestMs)
    reportCount()
    if connections.isReached, !isPaused {
      isPaused = true
      evconnlistener_disable(listener)
    }
    return buffer
  }

  private func reportCount() {
    let count = connectionCount
    connections.add(count - reportedCount)
    reportedCount = count
  }

  private func sweep() {
    lateCount += guarded.sweep(nowMs: MonotonicClock.nowMs())
    reportCount()
    if isPaused, !isDraining, connections.hasRoom {
      isPaused = false
      evconnlistener_enable(listener)
    }
  }

  // MARK: Requests

  private func received(_ handle: OpaquePointer) {
    guard let connection = evhttp_request_get_connection(handle),
      let buffer = evhttp_connection_get_bufferevent(connection)
    else { return }
    guarded.release(buffer)
    pendingCount += 1
    let exchange = Exchange(handle, on: connection, self)
    if let complaint = exchange.framingComplaint {
      refuse(exchange, .badRequest, "bad_request", complaint)
    } else if exchange.bodyCount > limits.bodyBytes {
      refuse(exchange, .contentTooLarge, "too_large", "the body has more than \(limits.bodyBytes) bytes")
    } else if let target = exchange.target {
      handler(Request(exchange.method, target, exchange))
    } else {
      refuse(exchange, .badRequest, "bad_request", "the address can't be read; encode it as URLs are encoded")
    }
  }

  private func refuse(_ exchange: Exchange, _ status: Status, _ error: String, _ message: String) {
    malformedCount += 1
    var response = Response.refusal(status, error, message)
    response.closes = true
    exchange.respond(response)
  }

  /// The answer is written under a deadline, and then the next request is waited for under another.
  func startResponse(_ handle: OpaquePointer, on connection: OpaquePointer) {
    guard let buffer = evhttp_connection_get_bufferevent(connection) else { return }
    guarded.watch(buffer, untilMs: MonotonicClock.nowMs() + limits.answerMs)
    evhttp_request_set_on_complete_cb(
      handle,
      { handle, me in
        guard let connection = evhttp_request_get_connection(handle),
          let buffer = evhttp_connection_get_bufferevent(connection)
        else { return }
        HTTPServer.from(me).finishResponse(buffer)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func finishResponse(_ buffer: OpaquePointer) {
    guarded.watch(buffer, untilMs: MonotonicClock.nowMs() + limits.idleMs)
  }
}

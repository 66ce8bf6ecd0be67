internal import CLibevent
internal import Glibc
internal import Platform
internal import Synchronization

/// HTTP/1.1 on one loop: accepts, checks and hands over requests, and cuts off who takes too long. All of it belongs to
/// the loop's thread from `EventLoop.run` on.
package final class HTTPServer {
  package let loop: EventLoop
  package let limits: ServerLimits
  /// Connections that were cut since they took too long, and requests that were refused before a handler saw them.
  package private(set) var lateCount = 0
  package private(set) var malformedCount = 0
  /// Connections that were one too many of their address, and idle ones that were closed for others.
  package private(set) var crowdedCount = 0
  package private(set) var gaveWayCount = 0

  let streams: StreamKeeper
  /// Requests that a handler has and has not answered.
  var pendingCount = 0
  private let http: OpaquePointer
  private let listener: OpaquePointer
  private let limit: ConnectionLimit
  private let tls: TLSCertificate?
  /// Headers of every answer. With TLS of its own, browsers come by TLS alone from then on, for a year (RFC 6797).
  let everyHeader: [Response.Header]
  private var connections = Connections()
  /// Connections accepted in this round, before evhttp gave them their sockets.
  private var fresh: Set<OpaquePointer> = []
  private var freshEvent: OpaquePointer!
  private var isPaused = false
  /// The last accept failed, and no other is tried before the next sweep.
  private var isResting = false
  /// The servers, as addresses, by those of their listeners.
  private static let byListener = Mutex<[UInt: UInt]>([:])
  /// When an accept failed last; nil: none did in the last seconds.
  private var lastFailureMs: Int64?
  /// Failures so far apart are told as one.
  private static let failureMs: Int64 = 10_000
  /// Called with the reason when connections can't be accepted, once, and with nil when they have been again for a while.
  package var onAcceptFailure: (String?) -> Void = { _ in }
  /// Every answer ends its connection.
  private(set) var isEnding = false
  /// It accepts no more, and streams end too.
  private(set) var isDraining = false
  /// The number of its connections that `limit` knows of.
  private var reportedCount = 0
  private let handler: (Request) -> Void

  /// Listens at once, and answers when the loop runs. The socket is closed with the server.
  package init(
    loop: EventLoop, socket: ListeningSocket, limits: ServerLimits = ServerLimits(), connections limit: ConnectionLimit,
    tls: TLSCertificate? = nil, handler: @escaping (Request) -> Void
  ) {
    self.loop = loop
    self.limits = limits
    self.limit = limit
    self.tls = tls
    everyHeader = tls == nil ? [] : [.init("Strict-Transport-Security", "max-age=31536000")]
    self.handler = handler
    streams = StreamKeeper(loop, limits)
    http = evhttp_new(loop.base)
    listener = evconnlistener_new(
      loop.base, nil, nil, UInt32(LEV_OPT_CLOSE_ON_FREE) | UInt32(LEV_OPT_CLOSE_ON_EXEC), 0, socket.descriptor)
    let me = Unmanaged.passUnretained(self).toOpaque()
    freshEvent = event_new(loop.base, -1, 0, { _, _, me in HTTPServer.from(me).countFresh() }, me)
    evhttp_set_gencb(http, { handle, me in HTTPServer.from(me).received(handle!) }, me)
    evhttp_set_bevcb(http, { base, me in HTTPServer.from(me).accepted(base) }, me)
    // All that it knows, and no less than the gate lets through: its own refusals are pages of HTML.
    evhttp_set_allowed_methods(http, UInt16(0x1FF))
    evhttp_set_max_headers_size(http, 2 * limits.headerBytes)
    evhttp_set_max_body_size(http, 2 * limits.bodyBytes)
    evhttp_set_timeout(http, Int32(max(limits.requestMs, limits.answerMs, limits.idleMs) / 1000 + 1))
    evhttp_bind_listener(http, listener)
    // It is called with what evhttp gave the listener.
    Self.byListener.withLock { $0[UInt(bitPattern: listener)] = UInt(bitPattern: me) }
    evconnlistener_set_error_cb(listener) { listener, _ in
      let reason = SystemError.last
      let me = HTTPServer.byListener.withLock { $0[UInt(bitPattern: listener)] }
      if let me { HTTPServer.from(UnsafeMutableRawPointer(bitPattern: me)).acceptFailed(reason) }
    }
    loop.every(ms: 1000) { [unowned self] in sweep() }
    streams.onEnding = { [unowned self] buffer, address in
      let deadlineMs = MonotonicClock.nowMs() + limits.answerMs
      connections.add(
        buffer, .init(gate: nil, phase: .answering, deadlineMs: deadlineMs, address: address))
    }
    streams.onClosed = { [unowned self] in uncount($0) }
  }

  /// Closes every connection. Must be called, once, when the loop has ended.
  package func close() {
    connections.removeAll()
    Self.byListener.withLock { $0[UInt(bitPattern: listener)] = nil }
    evhttp_free(http)
    event_free(freshEvent)
    limit.add(-reportedCount)
  }

  /// Connections that are open now, streams among them.
  package var connectionCount: Int { connections.count + streams.count }
  package var streamCounts: StreamCounts { streams.counts }

  /// Makes every answer from now on end its connection, so that clients go on elsewhere with their next request; all
  /// else is served as before.
  package func announceEnd() { isEnding = true }

  /// Ends every stream with its last chunk, answers what is asked on the connections that there are, and ends the loop
  /// when all of that is written, or `graceMs` after the last stream was to end.
  ///
  /// - Parameter spreadMs: over which streams end, one after the other; each says how long its client is to wait.
  package func drain(spreadMs: Int64 = 0, graceMs: Int64) {
    isEnding = true
    isDraining = true
    evconnlistener_disable(listener)
    shutdown(evconnlistener_get_fd(listener), Int32(SHUT_RDWR))
    streams.endAll(overMs: spreadMs)
    var most = timeval(ms: spreadMs + graceMs)
    event_base_loopexit(loop.base, &most)
    loop.every(ms: 20) { [unowned self] in
      streams.endThoseDue()
      if streams.count == 0, pendingCount == 0, !connections.isWriting { loop.end() }
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
    // Bytes of which evhttp has not made a request stay in the buffer, up to that. With none in it it need not look.
    bufferevent_setwatermark(buffer, Int16(EV_READ), 1, limits.headerBytes + 2 * limits.bodyBytes + 1024)
    // Before this one is among them: evhttp gives it its callbacks later, so it would look as if it were gone.
    if limit.count + 1 >= limit.limit {
      removeGone()
      if limit.count + 1 >= limit.limit { makeRoom() }
    }
    let nowMs = MonotonicClock.nowMs()
    let gate = RequestGate(buffer, limits) { [unowned self] in
      connections.begin(buffer, untilMs: MonotonicClock.nowMs() + limits.requestMs)
    }
    connections.add(
      buffer, .init(gate: gate, phase: .idle(sinceMs: nowMs), deadlineMs: nowMs + limits.requestMs, address: nil))
    if fresh.isEmpty { event_active(freshEvent, 0, 0) }
    fresh.insert(buffer)
    reportCount()
    if limit.isReached, !isPaused {
      isPaused = true
      evconnlistener_disable(listener)
    }
    return buffer
  }

  /// libevent would try again at once, and write a line each time. The socket rests until the next sweep; connections
  /// wait in it.
  private func acceptFailed(_ reason: SystemError) {
    isResting = true
    evconnlistener_disable(listener)
    makeRoom()
    if lastFailureMs == nil { onAcceptFailure(OpenFiles.words(for: reason)) }
    lastFailureMs = MonotonicClock.nowMs()
  }

  private func endRest() {
    if isResting, !isPaused, !isDraining { evconnlistener_enable(listener) }
    isResting = false
    if let last = lastFailureMs, MonotonicClock.nowMs() - last >= Self.failureMs {
      lastFailureMs = nil
      onAcceptFailure(nil)
    }
  }

  /// Now they have their sockets, and nothing of theirs has been read.
  private func countFresh() {
    for buffer in fresh where connections[buffer] != nil && !Connections.isGone(buffer) {
      guard let address = peerAddress(of: bufferevent_getfd(buffer)) else { continue }
      switch limit.enter(address) {
      case .counted(let group): connections.count(buffer, as: group)
      case .uncounted: break
      case .refused:
        crowdedCount += 1
        end(buffer)
      }
    }
    fresh = []
    reportCount()
  }

  /// Ends a connection at once, whatever it has sent.
  private func end(_ buffer: OpaquePointer) {
    bufferevent_disable(buffer, Int16(EV_READ))
    Connections.cut(buffer)
    uncount(connections.remove(buffer)?.address)
  }

  private func uncount(_ address: AddressGroup?) {
    if let address { limit.leave(address) }
  }

  /// Idle connections give way to those that come.
  private func makeRoom() {
    let idle = connections.idle(upTo: limit.step)
    for buffer in idle { end(buffer) }
    gaveWayCount += idle.count
    reportCount()
  }

  private func reportCount() {
    let count = connectionCount
    limit.add(count - reportedCount)
    reportedCount = count
  }

  private func removeGone() {
    let (late, gone) = connections.sweep(nowMs: MonotonicClock.nowMs())
    lateCount += late
    for buffer in gone { uncount(connections.remove(buffer)?.address) }
    reportCount()
  }

  private func sweep() {
    removeGone()
    // Another loop may have none that is idle.
    if limit.isReached { makeRoom() }
    if isPaused, !isDraining, limit.hasRoom {
      isPaused = false
      evconnlistener_enable(listener)
    }
    endRest()
  }

  // MARK: Requests

  private func received(_ handle: OpaquePointer) {
    guard let connection = evhttp_request_get_connection(handle),
      let buffer = evhttp_connection_get_bufferevent(connection)
    else { return }
    connections.move(buffer, to: .asking, untilMs: .max)
    pendingCount += 1
    let exchange = Exchange(handle, on: connection, self)
    if let refusal = connections[buffer]?.gate?.receive() {
      refuse(exchange, refusal)
    } else if let target = exchange.target {
      handler(Request(exchange.method, target, exchange))
    } else {
      refuse(exchange, .malformed("the address can't be read; encode it as URLs are encoded"))
    }
  }

  private func refuse(_ exchange: Exchange, _ refusal: RequestHead.Refusal) {
    malformedCount += 1
    var response = Response.refusal(
      refusal.status, refusal.error, refusal.message,
      headers: [.init("Cache-Control", "no-store"), .init("X-Content-Type-Options", "nosniff")])
    response.closes = true
    exchange.respond(response)
  }

  /// The answer is written under a deadline, and then the next request is waited for under another.
  func startResponse(_ handle: OpaquePointer, on connection: OpaquePointer) {
    guard let buffer = evhttp_connection_get_bufferevent(connection) else { return }
    connections.move(buffer, to: .answering, untilMs: MonotonicClock.nowMs() + limits.answerMs)
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
    let nowMs = MonotonicClock.nowMs()
    if connections[buffer]?.gate?.isAtRest == true {
      connections.move(buffer, to: .idle(sinceMs: nowMs), untilMs: nowMs + limits.idleMs)
    } else {
      connections.move(buffer, to: .receiving, untilMs: nowMs + limits.requestMs)
    }
  }

  /// It is a stream from now on.
  ///
  /// - Returns: with whose others it is counted.
  func startStream(on connection: OpaquePointer) -> AddressGroup? {
    evhttp_connection_get_bufferevent(connection).flatMap { connections.remove($0)?.address }
  }

  /// Its client has gone while a handler had its request.
  func connectionClosed(_ connection: OpaquePointer) {
    guard let buffer = evhttp_connection_get_bufferevent(connection) else { return }
    uncount(connections.remove(buffer)?.address)
  }
}

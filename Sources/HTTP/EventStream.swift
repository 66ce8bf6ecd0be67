internal import CLibevent
internal import Glibc
internal import Platform

/// The owner of a stream, which knows what is on it. Called in the stream's loop.
package protocol EventStreamOwner: AnyObject {
  /// It was too slow, its events were thrown away, and now it has room again: what it gets in their place, before
  /// everything that is sent to it from here on.
  func eventsInPlaceOfThoseMissed(by stream: EventStream) -> [EventFrame]
  /// It is over: the client has gone, or was cut, or the stream has ended.
  func closed(_ stream: EventStream)
}

/// Server-sent events to one client, in its loop's thread.
///
/// An event goes straight to the socket; through libevent's buffers it would cost four more system calls. If the socket
/// doesn't take all, the rest of one event goes to libevent, which sends it when it can; the others wait here, by
/// reference, up to a limit. Past it they are thrown away, but for those that are kept, and the owner is asked for
/// something in their place. If too many are kept, the stream is cut: its client comes back for them.
package final class EventStream {
  private enum State {
    case open
    /// Events are thrown away, but for those that are kept, until libevent has sent the bytes that it has.
    case lagging(sinceMs: Int64)
    case ended
  }

  // Properties that each event asks for come first, so that they lie in one line or two of a cache. The compiler can't see
  // that nobody reads one while it is changed, and would look that up for each event, which took a third of our own part
  // of a delivery; one thread reads and changes them, and calls nobody meanwhile.
  /// It outlives all its streams. Looked at for each event, so without a count of references.
  unowned(unsafe) let keeper: StreamKeeper
  private let descriptor: Int32
  private let isChunked: Bool
  /// Nothing is in libevent's hands. It knows, but asking it costs each event a look at memory of its own.
  private var isOutputEmpty = false
  private var state = State.open
  @exclusivity(unchecked) private var queue: [EventFrame] = []
  /// Nil: no TLS.
  private let tls: OpaquePointer?
  /// The time of the last write, in the keeper's ticks.
  private(set) var lastTick: Int

  package let owner: any EventStreamOwner
  /// The stream ends by itself at this time of the monotonic clock.
  package var endsAtMs = Int64.max
  /// The owner's, to find the stream among others.
  package var place = 0
  /// Its place in the keeper's list; -1: none any more.
  var placeAtKeeper = -1
  /// Already noted for `flush`.
  var isNoted = false
  private let request: OpaquePointer
  private let connection: OpaquePointer
  private let output: OpaquePointer
  /// The address group that its connection is counted in.
  private let address: AddressGroup?

  init(
    _ request: OpaquePointer, on connection: OpaquePointer, _ keeper: StreamKeeper, first: [EventFrame],
    owner: any EventStreamOwner, address: AddressGroup?
  ) {
    self.request = request
    self.address = address
    self.connection = connection
    self.keeper = keeper
    self.owner = owner
    let buffer = evhttp_connection_get_bufferevent(connection)!
    output = bufferevent_get_output(buffer)
    descriptor = bufferevent_getfd(buffer)
    tls = bufferevent_openssl_get_ssl(buffer)
    let headers = evhttp_request_get_output_headers(request)
    isChunked = evhttp_find_header(headers, "Transfer-Encoding") != nil
    lastTick = keeper.firstTick
    // Nothing is read on a stream: evhttp's timeout would cut it. And who talks all the same is not listened to.
    bufferevent_set_timeouts(buffer, nil, nil)
    bufferevent_setwatermark(buffer, Int16(EV_READ), 0, 4096)
    evhttp_clear_headers(evhttp_request_get_input_headers(request))
    evhttp_clear_headers(headers)
    // The head goes with it, in one write.
    for frame in first { copyToOutput(frame) }
    isOutputEmpty = evbuffer_get_length(output) == 0
    evbuffer_add_cb(output, Self.drained, Unmanaged.passUnretained(self).toOpaque())
    evhttp_connection_set_closecb(
      connection, { _, me in Unmanaged<EventStream>.fromOpaque(me!).takeRetainedValue().closed() },
      Unmanaged.passRetained(self).toOpaque())
    keeper.add(self)
  }

  // MARK: Sending

  package func send(_ frame: EventFrame) {
    guard isOpen else { return skip(frame) }
    lastTick = keeper.tick
    if hasRoom { put(frame) } else { wait(frame) }
  }

  /// Sends the frame, unless others wait to be sent: they, too, tell the client that the server is there.
  func keepAlive(_ frame: EventFrame) {
    if isOpen, queue.isEmpty { send(frame) }
  }

  /// All of them, in one system call if the socket takes them.
  package func send(_ batch: EventBatch) {
    if takesAtOnce(batch, tick: keeper.tick) { keeper.counts.sent += batch.count }
  }

  /// - Parameter tick: the keeper's, which is asked once for all streams of a batch.
  /// - Returns: whether they have gone, and are to be counted; what becomes of them otherwise is counted here.
  func takesAtOnce(_ batch: EventBatch, tick: Int) -> Bool {
    guard isOpen else {
      keeper.counts.skipped += batch.count
      return false
    }
    // Most events come in the tick of the one before, and then the stream's memory need not be written.
    if lastTick != tick { lastTick = tick }
    guard hasRoom, tls == nil else {
      if hasRoom, isChunked, let joined = batch.joined {
        put(joined, events: batch.count)
      } else {
        for frame in batch.frames { send(frame) }
      }
      return false
    }
    let sent = batch.send(to: descriptor, chunked: isChunked)
    if sent == batch.byteCount(chunked: isChunked) { return true }
    keep(batch, from: sent)
    return false
  }

  /// The bytes that the socket has not taken.
  private func keep(_ batch: EventBatch, from sent: Int) {
    var sent = sent
    for frame in batch.frames {
      let bytes = frame.bytes(chunked: isChunked)
      if sent >= bytes.count {
        sent -= bytes.count
        keeper.counts.sent += 1
      } else if hasRoom {
        reference(frame, bytes, from: sent)
        sent = 0
      } else {
        wait(frame)
      }
    }
  }

  /// The owner starts again: what still waits is thrown away, and these come in its place.
  package func restart(with frames: [EventFrame]) {
    guard isOpen else { return }
    let kept = queue.filter(\.isKept)
    keeper.counts.skipped += queue.count - kept.count
    queue = []
    for frame in kept + frames { if hasRoom { put(frame) } else { queue.append(frame) } }
  }

  private var isOpen: Bool { if case .open = state { true } else { false } }

  /// Nothing waits, so that what is sent now comes next.
  private var hasRoom: Bool { queue.isEmpty && isOutputEmpty }

  /// - Parameter events: the number of events in the frame.
  private func put(_ frame: EventFrame, events: Int = 1) {
    let bytes = frame.bytes(chunked: isChunked)
    let sent = write(bytes)
    if sent < bytes.count { reference(frame, bytes, from: sent, events: events) } else { keeper.counts.sent += events }
  }

  /// The number of its bytes that the socket took. An error shows again when libevent writes the rest, and closes the
  /// connection.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let tls else {
      return max(0, Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)))
    }
    // OpenSSL wants to be given again what it could not send whole, from its first byte and no less of it: libevent will
    // do so, as it gets nothing else meanwhile.
    let sent = SSL_write(tls, bytes.baseAddress, Int32(bytes.count))
    if sent <= 0 { ERR_clear_error() }
    return max(0, Int(sent))
  }

  /// Each takes libevent half a kilobyte of its own, so there is never more than one.
  private func reference(_ frame: EventFrame, _ bytes: UnsafeRawBufferPointer, from sent: Int, events: Int = 1) {
    keeper.counts.sent += events
    isOutputEmpty = false
    evbuffer_add_reference(
      output, bytes.baseAddress! + sent, bytes.count - sent,
      { _, _, frame in Unmanaged<EventFrame>.fromOpaque(frame!).release() },
      Unmanaged.passRetained(frame).toOpaque())
  }

  private func wait(_ frame: EventFrame) {
    guard isOpen else { return skip(frame) }
    if queue.count < keeper.limits.queuedEvents { return queue.append(frame) }
    let kept = queue.filter(\.isKept)
    keeper.counts.skipped += queue.count - kept.count
    queue = kept
    state = .lagging(sinceMs: MonotonicClock.nowMs())
    skip(frame)
  }

  /// Keeps a frame of a stream that lags, if it must not be lost; else the frame is skipped and counted.
  private func skip(_ frame: EventFrame) {
    if frame.isKept, case .lagging = state {
      if queue.count < keeper.limits.queuedEvents { return queue.append(frame) }
      cut()
    }
    keeper.counts.skipped += 1
  }

  private func copyToOutput(_ frame: EventFrame) {
    let bytes = frame.bytes(chunked: isChunked)
    isOutputEmpty = false
    evbuffer_add(output, bytes.baseAddress, bytes.count)
    keeper.counts.sent += 1
  }

  // MARK: Catching up

  /// Called inside libevent's write, where nothing may be sent.
  private static let drained: evbuffer_cb_func = { buffer, info, me in
    guard info!.pointee.n_deleted > 0, evbuffer_get_length(buffer) == 0 else { return }
    Unmanaged<EventStream>.fromOpaque(me!).takeUnretainedValue().outputDrained()
  }

  private func outputDrained() {
    isOutputEmpty = true
    if case .open = state, queue.isEmpty { return }
    keeper.note(self)
  }

  /// libevent has sent what it had: the next ones go.
  func flush() {
    isNoted = false
    // A stream that has ended has nothing left.
    guard placeAtKeeper >= 0, isOutputEmpty else { return }
    switch state {
    case .open, .ended: break
    case .lagging:
      let frames = owner.eventsInPlaceOfThoseMissed(by: self)
      keeper.counts.replaced += 1
      state = .open
      queue += frames
    }
    var next = 0
    let waiting = queue
    queue = []
    while next < waiting.count, hasRoom {
      put(waiting[next])
      next += 1
    }
    queue = Array(waiting[next...])
  }

  func isLate(nowMs: Int64) -> Bool {
    if case .lagging(let sinceMs) = state { nowMs - sinceMs > keeper.limits.lagMs } else { false }
  }

  /// libevent meets the end of it, and `closed` follows.
  func cut() {
    keeper.counts.cut += 1
    keeper.counts.skipped += queue.count
    queue = []
    state = .ended
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  // MARK: The end

  /// Ends the stream with the frames that wait and the last chunk, so that a client knows that nothing is amiss and
  /// comes back. The connection ends with it, also if the client doesn't take the bytes.
  ///
  /// - Parameter farewell: the last frame before the end.
  package func end(saying farewell: EventFrame? = nil) {
    guard placeAtKeeper >= 0 else { return }
    owner.closed(self)
    finish(saying: farewell)
  }

  /// The same, for one that its owner never had.
  func finish(saying farewell: EventFrame?) {
    leave()
    for frame in queue { copyToOutput(frame) }
    if let farewell { copyToOutput(farewell) }
    queue = []
    evhttp_connection_set_closecb(connection, nil, nil)
    // Its head has gone out long ago; this is for evhttp itself.
    evhttp_add_header(evhttp_request_get_output_headers(request), "Connection", "close")
    keeper.onEnding(evhttp_connection_get_bufferevent(connection)!, address)
    evhttp_send_reply_end(request)
    Unmanaged.passUnretained(self).release()
  }

  private func closed() {
    if placeAtKeeper >= 0 {
      leave()
      owner.closed(self)
      keeper.onClosed(address)
    }
    // evhttp has let go of the request if the peer went first; otherwise it frees it itself.
    if evhttp_request_get_connection(request) == nil { evhttp_request_free(request) }
  }

  private func leave() {
    state = .ended
    evbuffer_remove_cb(output, Self.drained, Unmanaged.passUnretained(self).toOpaque())
    keeper.remove(self)
  }
}

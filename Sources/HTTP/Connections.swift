internal import CLibevent
internal import Glibc

/// The connections of one loop that are no streams: whose request is waited for or answered, and those that end. Of each
/// bufferevent we hold a reference.
///
/// Each has a deadline that no byte of its moves but the first of a request; evhttp's own timeouts begin anew with every
/// byte, so one a second would hold a connection for ever.
struct Connections: ~Copyable {
  enum Phase {
    /// It waits for its first or next request, of which nothing has come, since then.
    case idle(sinceMs: Int64)
    /// A request has begun to come.
    case receiving
    /// A handler has its request.
    case asking
    case answering
  }

  struct Connection {
    /// Nil: nothing more is read of it.
    let gate: RequestGate?
    var phase: Phase
    var deadlineMs: Int64
    /// The address group it is counted in; nil: none.
    var address: AddressGroup?
  }

  private var byBuffer: [OpaquePointer: Connection] = [:]

  var count: Int { byBuffer.count }

  subscript(_ buffer: OpaquePointer) -> Connection? { byBuffer[buffer] }

  mutating func add(_ buffer: OpaquePointer, _ connection: Connection) {
    bufferevent_incref(buffer)
    byBuffer[buffer] = connection
  }

  mutating func move(_ buffer: OpaquePointer, to phase: Phase, untilMs deadlineMs: Int64) {
    byBuffer[buffer]?.phase = phase
    byBuffer[buffer]?.deadlineMs = deadlineMs
  }

  /// Something of a request has come. Its deadline is set once, whatever comes of it later.
  mutating func begin(_ buffer: OpaquePointer, untilMs deadlineMs: Int64) {
    if case .idle? = byBuffer[buffer]?.phase { move(buffer, to: .receiving, untilMs: deadlineMs) }
  }

  mutating func count(_ buffer: OpaquePointer, as address: AddressGroup) { byBuffer[buffer]?.address = address }

  /// Removes a connection that becomes something else, or is over.
  ///
  /// - Returns: the connection; nil: it was not here.
  @discardableResult
  mutating func remove(_ buffer: OpaquePointer) -> Connection? {
    guard let connection = byBuffer.removeValue(forKey: buffer) else { return nil }
    connection.gate?.close()
    bufferevent_decref(buffer)
    return connection
  }

  /// Cuts off connections that are late and counts them, and finds those that evhttp has let go of, for its caller to
  /// remove.
  mutating func sweep(nowMs: Int64) -> (lateCount: Int, gone: [OpaquePointer]) {
    var late: [OpaquePointer] = []
    var gone: [OpaquePointer] = []
    for (buffer, connection) in byBuffer {
      if Self.isGone(buffer) {
        gone.append(buffer)
      } else if nowMs >= connection.deadlineMs {
        Self.cut(buffer)
        late.append(buffer)
      }
    }
    for buffer in late { byBuffer[buffer]!.deadlineMs = .max }
    return (late.count, gone)
  }

  /// evhttp hears of it in the loop's next round, and frees it.
  static func cut(_ buffer: OpaquePointer) {
    shutdown(bufferevent_getfd(buffer), Int32(SHUT_RDWR))
    // libevent doesn't notice a shutdown alone where the buffer is full and reading is suspended.
    bufferevent_trigger_event(
      buffer, Int16(BEV_EVENT_TIMEOUT | BEV_EVENT_READING), Int32(BEV_OPT_DEFER_CALLBACKS.rawValue))
  }

  /// The connections on which nothing happens, the longest idle first.
  func idle(upTo count: Int) -> [OpaquePointer] {
    var idle: [(sinceMs: Int64, buffer: OpaquePointer)] = []
    for (buffer, connection) in byBuffer {
      if case .idle(let sinceMs) = connection.phase, !Self.isGone(buffer) {
        idle.append((sinceMs, buffer))
      }
    }
    return idle.sorted { $0.sinceMs < $1.sinceMs }.prefix(count).map(\.buffer)
  }

  /// evhttp has let go of it; ours is the last reference, and keeps the descriptor open.
  static func isGone(_ buffer: OpaquePointer) -> Bool {
    var onEvent: bufferevent_event_cb?
    bufferevent_getcb(buffer, nil, nil, &onEvent, nil)
    return onEvent == nil
  }

  /// On one of them something is still to be written.
  var isWriting: Bool {
    byBuffer.keys.contains { !Self.isGone($0) && evbuffer_get_length(bufferevent_get_output($0)) > 0 }
  }

  mutating func removeAll() {
    for buffer in Array(byBuffer.keys) { remove(buffer) }
  }
}

/// The other end of a connection, in digits; nil: it has gone.
func peerAddress(of descriptor: Int32) -> String? {
  var address = sockaddr_in6()
  var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
  let status = withUnsafeMutableBytes(of: &address) { bytes in
    getpeername(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
  }
  guard status == 0 else { return nil }
  var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
  let family = Int32(address.sin6_family)
  let isText = withUnsafeBytes(of: &address) { bytes in
    // Behind family and port, and of IPv6 the flow.
    let place = bytes.baseAddress! + (family == AF_INET ? 4 : 8)
    return inet_ntop(family, place, &text, socklen_t(text.count)) != nil
  }
  return isText ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
}

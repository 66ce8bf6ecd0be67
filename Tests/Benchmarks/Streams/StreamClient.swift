import COpenSSL
import Glibc

/// One client of server-sent events that does as little as it can, so that ten thousand of them fit beside a server.
///
/// It goes by lines: those that HTTP's chunks put between are none of an event's, and neither server cuts one in two.
final class StreamClient {
  /// The outcome of reading.
  enum Outcome { case more, ended }

  let room: Int
  private(set) var descriptor: Int32 = -1
  /// It has its answer's head, with 200.
  private(set) var isServed = false
  private var session: OpaquePointer?
  /// The ticket that the server gave for its next visit; nil: none, or not yet.
  private var ticket: OpaquePointer?
  /// Its handshake went by a ticket.
  private(set) var isResumed = false
  private var isConnected = false
  private var handshakeIsOver = false
  /// The beginning of a line whose end has not come.
  private var rest: [UInt8] = []
  private var isSnapshot = false
  private var lastPlace = -1
  private var lastId: [UInt8] = []

  init(room: Int) { self.room = room }

  /// Begins to connect.
  ///
  /// - Parameter showsTicket: if it has one.
  func open(to name: sockaddr_in, _ tls: OpaquePointer?, showsTicket: Bool = false) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return }
    var name = name
    _ = withUnsafeBytes(of: &name) {
      connect(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
    if let tls {
      session = SSL_new(tls)
      SSL_set_fd(session, descriptor)
      SSL_set_connect_state(session)
      if showsTicket, let ticket { SSL_set_session(session, ticket) }
    }
    isResumed = false
    isConnected = false
    handshakeIsOver = session == nil
    isServed = false
    isSnapshot = false
    rest = []
  }

  func close() {
    if let session {
      if handshakeIsOver {
        if let ticket { SSL_SESSION_free(ticket) }
        ticket = SSL_get1_session(session)
        // Without it OpenSSL takes the session for a broken one.
        SSL_set_shutdown(session, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
      }
      SSL_free(session)
    }
    session = nil
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
    isServed = false
  }

  /// Called when the socket can be read or written, or has come to its end. Events go to `load`.
  func ready(_ load: StreamLoad, _ buffer: UnsafeMutableRawBufferPointer, isAtEnd: Bool) -> Outcome {
    if !handshakeIsOver {
      let status = SSL_do_handshake(session)
      if status != 1 { return SSL_get_error(session, status) == SSL_ERROR_WANT_READ ? .more : .ended }
      handshakeIsOver = true
      isResumed = SSL_session_reused(session) == 1
    }
    if !isConnected {
      isConnected = true
      let request = load.request(for: room, after: lastId)
      guard write(request) == request.count else { return .ended }
    }
    while true {
      let count = read(into: buffer)
      if count == 0 { return .ended }
      if count < 0 { return .more }
      take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), load)
      if count < buffer.count, session == nil, !isAtEnd { return .more }
    }
  }

  private func write(_ bytes: [UInt8]) -> Int {
    session == nil
      ? send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) : Int(SSL_write(session, bytes, Int32(bytes.count)))
  }

  /// 0: the end; below: nothing now.
  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if let session {
      let count = SSL_read(session, buffer.baseAddress, Int32(buffer.count))
      if count > 0 { return Int(count) }
      return SSL_get_error(session, count) == SSL_ERROR_WANT_READ ? -1 : 0
    }
    let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
    return count < 0 && errno != EAGAIN ? 0 : count
  }

  private func take(_ bytes: UnsafeRawBufferPointer, _ load: StreamLoad) {
    var at = 0
    while at < bytes.count, let end = memchr(bytes.baseAddress! + at, 10, bytes.count - at) {
      let next = UnsafeRawPointer(end) - bytes.baseAddress! + 1
      let line = UnsafeRawBufferPointer(rebasing: bytes[at..<(next - 1)])
      if rest.isEmpty {
        take(line: line, load)
      } else {
        rest += line
        let whole = rest
        rest = []
        whole.withUnsafeBytes { take(line: $0, load) }
      }
      at = next
    }
    if at < bytes.count { rest += bytes[at...] }
  }

  private func take(line: UnsafeRawBufferPointer, _ load: StreamLoad) {
    if !isServed {
      // The head ends with an empty line; its first says how it is.
      if line.starts(with: "HTTP/1.1 ".utf8), !line.starts(with: "HTTP/1.1 200".utf8) {
        load.refused(String(decoding: line, as: UTF8.self))
      }
      if line.count <= 1 {
        isServed = true
        load.served(self)
      }
      return
    }
    guard line.count > 4 else { return }
    switch line[0] {
    case UInt8(ascii: "e"): isSnapshot = line.starts(with: "event: snapshot".utf8)
    case UInt8(ascii: "i") where line.starts(with: "id: ".utf8):
      lastId.removeAll(keepingCapacity: true)
      lastId += line[4...]
      if lastId.last == 13 { lastId.removeLast() }
    case UInt8(ascii: "d") where line.starts(with: "data: ".utf8):
      if isSnapshot {
        isSnapshot = false
        lastPlace = -1
        load.gotSnapshot()
      } else if let place = Self.place(in: line) {
        load.got(room: room, place: place, after: lastPlace)
        lastPlace = place
      }
    default: break
    }
  }

  /// The place in `"id":"bench/ROOM/PLACE/0"`, before which a command has no `/`.
  private static func place(in line: UnsafeRawBufferPointer) -> Int? {
    guard let slash = memchr(line.baseAddress!, 0x2F, line.count) else { return nil }
    var at = UnsafeRawPointer(slash) - line.baseAddress! + 1
    while at < line.count, line[at] != 0x2F { at += 1 }
    at += 1
    var place = 0
    while at < line.count, line[at] != 0x2F {
      place = place * 10 + Int(line[at]) - 48
      at += 1
    }
    return place
  }
}

internal import CLibevent

/// One request of evhttp, as long as it is ours.
///
/// evhttp holds the exchange until it is answered. A peer that goes away first makes evhttp let go of the request and
/// call `closed`: then we free the request, and touch nothing of it again.
final class Exchange {
  private unowned let server: HTTPServer
  private let connection: OpaquePointer
  /// Nil once it is answered, or gone.
  private var handle: OpaquePointer?

  init(_ handle: OpaquePointer, on connection: OpaquePointer, _ server: HTTPServer) {
    self.handle = handle
    self.connection = connection
    self.server = server
    evhttp_connection_set_closecb(
      connection,
      { _, me in Unmanaged<Exchange>.fromOpaque(me!).takeRetainedValue().closed() },
      Unmanaged.passRetained(self).toOpaque())
  }

  var method: Request.Method {
    switch handle.map({ evhttp_request_get_command($0) }) {
    case EVHTTP_REQ_GET: .get
    case EVHTTP_REQ_HEAD: .head
    case EVHTTP_REQ_POST: .post
    case EVHTTP_REQ_OPTIONS: .options
    default: .other
    }
  }

  /// Nil: it is encoded as no URL is, or has bytes that are no UTF-8.
  var target: RequestTarget? {
    guard let handle, let uri = evhttp_request_get_evhttp_uri(handle),
      let path = evhttp_uri_get_path(uri).flatMap({ String(validatingCString: $0) })
    else { return nil }
    guard let query = evhttp_uri_get_query(uri) else { return RequestTarget(path: path, query: nil) }
    return String(validatingCString: query).flatMap { RequestTarget(path: path, query: $0) }
  }

  var peer: String {
    var address: UnsafeMutablePointer<CChar>?
    var port: UInt16 = 0
    if handle != nil { evhttp_connection_get_peer(connection, &address, &port) }
    guard let text = address.map({ String(cString: $0) }) else { return "" }
    // An IPv4 client of a socket that takes both.
    return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
  }

  func header(_ name: String) -> String? {
    guard let handle else { return nil }
    return evhttp_find_header(evhttp_request_get_input_headers(handle), name).map { String(cString: $0) }
  }

  func headers(_ name: String) -> [String] {
    guard let handle else { return [] }
    var values: [String] = []
    var next = evhttp_request_get_input_headers(handle)?.pointee.tqh_first
    while let header = next {
      if String(cString: header.pointee.key).lowercased() == name.lowercased() {
        values.append(String(cString: header.pointee.value))
      }
      next = header.pointee.next.tqe_next
    }
    return values
  }

  func body() -> [UInt8] {
    guard let handle else { return [] }
    let buffer = evhttp_request_get_input_buffer(handle)
    return [UInt8](unsafeUninitializedCapacity: evbuffer_get_length(buffer)) { bytes, count in
      count = max(0, evbuffer_copyout(buffer, bytes.baseAddress, bytes.count))
    }
  }

  func respond(_ response: Response) {
    guard let handle = release() else { return }
    let isHead = evhttp_request_get_command(handle) == EVHTTP_REQ_HEAD
    let headers = evhttp_request_get_output_headers(handle)
    add(server.everyHeader + response.headers, to: headers)
    if response.status != .noContent, response.status != .notModified {
      evhttp_add_header(headers, "Content-Length", String(response.body.count))
    }
    if response.closes || server.isEnding { evhttp_add_header(headers, "Connection", "close") }
    if !isHead {
      evbuffer_add(evhttp_request_get_output_buffer(handle), response.body, response.body.count)
    }
    server.startResponse(handle, on: connection)
    evhttp_send_reply(handle, response.status.code, response.status.reason.cString, nil)
  }

  func openStream(
    _ more: [Response.Header], first: [EventFrame], owner: any EventStreamOwner
  ) -> EventStream? {
    guard let handle = release() else { return nil }
    let headers = evhttp_request_get_output_headers(handle)
    evhttp_add_header(headers, "Content-Type", "text/event-stream")
    // A proxy is not to hold events back, nor to change them.
    evhttp_add_header(headers, "Cache-Control", "no-cache, no-transform")
    evhttp_add_header(headers, "X-Accel-Buffering", "no")
    add(server.everyHeader + more, to: headers)
    evhttp_send_reply_start(handle, Status.ok.code, Status.ok.reason.cString)
    let stream = EventStream(
      handle, on: connection, server.streams, first: first, owner: owner,
      address: server.startStream(on: connection))
    if server.isDraining {
      stream.finish(saying: StreamKeeper.farewell)
      return nil
    }
    return stream
  }

  private func add(_ more: [Response.Header], to headers: UnsafeMutablePointer<evkeyvalq>?) {
    // evhttp refuses a header that would break the head, such as a line feed in a value.
    for header in more { evhttp_add_header(headers, header.name, header.value) }
  }

  /// The request, which is no longer ours.
  private func release() -> OpaquePointer? {
    guard let handle else { return nil }
    self.handle = nil
    evhttp_connection_set_closecb(connection, nil, nil)
    server.pendingCount -= 1
    Unmanaged.passUnretained(self).release()
    return handle
  }

  private func closed() {
    guard let handle else { return }
    self.handle = nil
    server.pendingCount -= 1
    server.connectionClosed(connection)
    if evhttp_request_get_connection(handle) == nil { evhttp_request_free(handle) }
  }
}

extension StaticString {
  /// Ends with a NUL, as all literals do.
  var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}

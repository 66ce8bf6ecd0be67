internal import CLibevent

/// Reads a connection before evhttp does: a head is held back until it is whole and clear, then passed on
/// with its body. So evhttp reads only what it takes as everybody does, and every refusal is ours.
///
/// A refused request is replaced by one that says nothing, so that evhttp gives the answer in its turn, after those
/// that are still due. Later bytes are thrown away.
final class RequestGate {
  private enum State {
    case head(RequestHead)
    case body(left: Int)
    case refused
  }

  /// The refusal of the last request that evhttp has or will have; nil: it is not refused.
  private(set) var refusal: RequestHead.Refusal?
  private let input: OpaquePointer
  private let limits: ServerLimits
  /// Called when something of a request has come, and not all of it.
  private let onBegun: () -> Void
  private var state: State
  /// Requests that were passed on, the one that says nothing among them, and those that have come out of evhttp.
  private var passedCount = 0
  private var receivedCount = 0
  /// The buffer changes now by our own doing.
  private var isWorking = false

  /// The gate must be closed before it, or the bufferevent, is gone.
  init(_ buffer: OpaquePointer, _ limits: ServerLimits, onBegun: @escaping () -> Void) {
    input = bufferevent_get_input(buffer)
    self.limits = limits
    self.onBegun = onBegun
    state = .head(RequestHead(headLimit: limits.headerBytes, bodyLimit: limits.bodyBytes))
    evbuffer_add_cb(input, Self.changed, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Looks at nothing that comes from now on.
  func close() {
    evbuffer_remove_cb(input, Self.changed, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Nothing of a request has come that evhttp does not have.
  var isAtRest: Bool { if case .head(let head) = state { head.bytes.isEmpty } else { false } }

  /// A request has come out of evhttp.
  ///
  /// - Returns: why it is refused, if it is.
  func receive() -> RequestHead.Refusal? {
    receivedCount += 1
    return receivedCount == passedCount ? refusal : nil
  }

  /// Called inside libevent's read, right after it has added what came.
  private static let changed: evbuffer_cb_func = { _, info, me in
    let added = info!.pointee.n_added
    guard added > 0 else { return }
    let gate = Unmanaged<RequestGate>.fromOpaque(me!).takeUnretainedValue()
    if gate.isWorking { return }
    gate.came(added)
    if !gate.isAtRest { gate.onBegun() }
  }

  private func came(_ count: Int) {
    isWorking = true
    defer { isWorking = false }
    var bodyCount = 0
    if case .body(let left) = state {
      bodyCount = min(left, count)
      state = bodyCount < left ? .body(left: left - bodyCount) : .head(newHead)
      if bodyCount == count { return }
    }
    pass(takeBack(count - bodyCount)[...])
  }

  private var newHead: RequestHead { RequestHead(headLimit: limits.headerBytes, bodyLimit: limits.bodyBytes) }

  /// The last bytes that have come; what is before them stays for evhttp.
  private func takeBack(_ count: Int) -> [UInt8] {
    let before = evbuffer_get_length(input) - count
    let kept = before > 0 ? evbuffer_new() : nil
    if let kept { evbuffer_remove_buffer(input, kept, before) }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      filled = max(0, Int(evbuffer_remove(input, bytes.baseAddress, count)))
    }
    if let kept {
      evbuffer_add_buffer(input, kept)
      evbuffer_free(kept)
    }
    return bytes
  }

  private func pass(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      switch state {
      case .refused: return
      case .body(let left):
        let body = rest.prefix(left)
        add(body)
        rest = rest.dropFirst(body.count)
        state = body.count < left ? .body(left: left - body.count) : .head(newHead)
      case .head(var head):
        let (step, count) = head.take(rest)
        rest = rest.dropFirst(count)
        switch step {
        case .incomplete: state = .head(head)
        case .complete(let bodyCount):
          passedCount += 1
          add(head.bytes[...])
          state = bodyCount > 0 ? .body(left: bodyCount) : .head(newHead)
        case .refused(let why):
          passedCount += 1
          refusal = why
          state = .refused
          add(Array("\(head.method == "HEAD" ? "HEAD" : "GET") / HTTP/1.1\r\n\r\n".utf8)[...])
        }
      }
    }
  }

  private func add(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { _ = evbuffer_add(input, $0.baseAddress, $0.count) }
  }
}

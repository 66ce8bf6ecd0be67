internal import Glibc

/// A server-sent event as bytes, made once and shared by all streams that get it, on whatever loop.
///
/// It lies there as a chunk of HTTP/1.1: size, CRLF, the event, CRLF. HTTP/1.0 gets the event in its middle.
package final class EventFrame: @unchecked Sendable {
  private let start: UnsafeMutableRawPointer
  private let count: Int
  private let headCount: Int

  deinit { start.deallocate() }

  /// - Parameters:
  ///   - data: one line: neither CR nor LF is in it.
  package convenience init(_ name: StaticString, id: [UInt8]? = nil, data: UnsafeRawBufferPointer) {
    let nameBytes = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    let idCount = id.map { 5 + $0.count } ?? 0
    self.init(eventCount: idCount + 7 + nameBytes.count + 7 + data.count + 2) { writer in
      if let id {
        writer.append("id: ")
        id.withUnsafeBytes { writer.append($0) }
        writer.append("\n")
      }
      writer.append("event: ")
      writer.append(nameBytes)
      writer.append("\ndata: ")
      writer.append(data)
      writer.append("\n\n")
    }
  }

  /// A line that is no event: a comment, or `retry:`.
  package convenience init(line: String) {
    let text = Array(line.utf8)
    self.init(eventCount: text.count + 2) { writer in
      text.withUnsafeBytes { writer.append($0) }
      writer.append("\n\n")
    }
  }

  /// Some events as they go out one after the other, in the chunks of HTTP/1.1 only.
  init(joining frames: [EventFrame]) {
    headCount = 0
    count = frames.reduce(0) { $0 + $1.count }
    start = .allocate(byteCount: count, alignment: 1)
    var writer = Writer(next: start)
    for frame in frames { writer.append(frame.bytes(chunked: true)) }
  }

  private init(eventCount: Int, _ write: (inout Writer) -> Void) {
    let size = String(eventCount, radix: 16)
    headCount = size.utf8.count + 2
    count = headCount + eventCount + 2
    start = .allocate(byteCount: count, alignment: 1)
    var writer = Writer(next: start)
    Array(size.utf8).withUnsafeBytes { writer.append($0) }
    writer.append("\r\n")
    write(&writer)
    writer.append("\r\n")
    precondition(writer.next == start + count, "an event is as long as it was said to be")
  }

  private struct Writer {
    var next: UnsafeMutableRawPointer

    mutating func append(_ literal: StaticString) {
      append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
      guard let start = bytes.baseAddress else { return }
      next.copyMemory(from: start, byteCount: bytes.count)
      next += bytes.count
    }
  }

  /// What goes on the wire.
  func bytes(chunked: Bool) -> UnsafeRawBufferPointer {
    chunked
      ? UnsafeRawBufferPointer(start: start, count: count)
      : UnsafeRawBufferPointer(start: start + headCount, count: count - headCount - 2)
  }

  func vector(chunked: Bool) -> iovec {
    let bytes = bytes(chunked: chunked)
    return iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
  }
}

/// Events for the same streams at the same time: each stream gets them with one system call.
package final class EventBatch {
  /// Of one call; the kernel takes up to 1024.
  package static let capacity = 64

  private(set) var frames: [EventFrame] = []
  private let vectors = UnsafeMutablePointer<iovec>.allocate(capacity: 2 * EventBatch.capacity)
  private var counts = (chunked: 0, plain: 0)
  private var joinedFrame: EventFrame?

  /// More is not worth a copy.
  private static let mostJoined = 16_384

  package init() {}

  deinit { vectors.deallocate() }

  package var count: Int { frames.count }
  package var isEmpty: Bool { frames.isEmpty }
  package var isFull: Bool { frames.count == Self.capacity }

  package func append(_ frame: EventFrame) {
    vectors[frames.count] = frame.vector(chunked: true)
    vectors[Self.capacity + frames.count] = frame.vector(chunked: false)
    counts.chunked += vectors[frames.count].iov_len
    counts.plain += vectors[Self.capacity + frames.count].iov_len
    frames.append(frame)
    joinedFrame = nil
  }

  /// All of them as one, made once for all streams that can't send from several places; nil: that would be too much.
  var joined: EventFrame? {
    if frames.count == 1 { return frames[0] }
    guard counts.chunked <= Self.mostJoined else { return nil }
    if let joinedFrame { return joinedFrame }
    let joined = EventFrame(joining: frames)
    joinedFrame = joined
    return joined
  }

  package func removeAll() {
    frames.removeAll(keepingCapacity: true)
    counts = (0, 0)
    joinedFrame = nil
  }

  func count(chunked: Bool) -> Int { chunked ? counts.chunked : counts.plain }

  /// How many bytes of it the socket took.
  func send(to descriptor: Int32, chunked: Bool) -> Int {
    var message = msghdr()
    message.msg_iov = chunked ? vectors : vectors + Self.capacity
    message.msg_iovlen = frames.count
    return max(0, sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)))
  }
}

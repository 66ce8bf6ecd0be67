internal import Glibc

/// A server-sent event as bytes, made once and shared by all streams that get it, on whatever loop.
///
/// It lies there as a chunk of HTTP/1.1: size, CRLF, the event, CRLF. HTTP/1.0 gets the event in its middle.
package final class EventFrame: @unchecked Sendable {
  private let start: UnsafeMutableRawPointer
  private let count: Int
  private let headCount: Int
  /// Nothing takes its place: it waits also where events that wait are thrown away.
  package let isKept: Bool

  deinit { start.deallocate() }

  /// - Parameters:
  ///   - data: one line: neither CR nor LF is in it.
  ///   - isKept: whether nothing takes its place.
  package convenience init(
    _ name: StaticString, id: [UInt8]? = nil, data: UnsafeRawBufferPointer, isKept: Bool = false
  ) {
    let nameBytes = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    let idCount = id.map { 5 + $0.count } ?? 0
    self.init(eventCount: idCount + 7 + nameBytes.count + 7 + data.count + 2, isKept: isKept) { writer in
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
    isKept = false
    headCount = 0
    count = frames.reduce(0) { $0 + $1.count }
    start = .allocate(byteCount: count, alignment: 1)
    var writer = Writer(next: start)
    for frame in frames { writer.append(frame.bytes(chunked: true)) }
  }

  private init(eventCount: Int, isKept: Bool = false, _ write: (inout Writer) -> Void) {
    self.isKept = isKept
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

  /// The bytes that go on the wire.
  package func bytes(chunked: Bool) -> UnsafeRawBufferPointer {
    chunked
      ? UnsafeRawBufferPointer(start: start, count: count)
      : UnsafeRawBufferPointer(start: start + headCount, count: count - headCount - 2)
  }

  func vector(chunked: Bool) -> iovec {
    let bytes = bytes(chunked: chunked)
    return iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
  }
}

internal import Glibc

/// Events for the same streams at the same time: each stream gets them with one system call.
package final class EventBatch {
  /// Pieces of one call; the kernel takes up to 1024.
  package static let capacity = 64

  // Looked at for each stream; as in `EventStream`.
  @exclusivity(unchecked) package private(set) var frames: [EventFrame] = []
  private let vectors = UnsafeMutablePointer<iovec>.allocate(capacity: 2 * EventBatch.capacity)
  @exclusivity(unchecked) private var counts = (chunked: 0, plain: 0)
  private var joinedFrame: EventFrame?

  private static let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)

  /// The most bytes that are joined: more is not worth a copy.
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

  /// Sends the batch to all of these streams, which are of one loop. No reference is counted on the way: with ten
  /// thousand streams each count would be a write to memory that no cache holds. A stream that is sent something never
  /// leaves its owner meanwhile.
  package func send(to streams: [EventStream]) {
    guard let keeper = streams.first?.keeper else { return }
    let tick = keeper.tick
    var wholeCount = 0
    streams.withUnsafeBytes {
      for stream in $0.bindMemory(to: Unmanaged<EventStream>.self) {
        stream._withUnsafeGuaranteedRef { if $0.takesAtOnce(self, tick: tick) { wholeCount += 1 } }
      }
    }
    keeper.counts.sent += wholeCount * count
  }

  func byteCount(chunked: Bool) -> Int { chunked ? counts.chunked : counts.plain }

  /// The number of its bytes that the socket took.
  func send(to descriptor: Int32, chunked: Bool) -> Int {
    let first = chunked ? vectors : vectors + Self.capacity
    // One alone, as most are, spares the kernel a list of places.
    if frames.count == 1 {
      return max(0, Glibc.send(descriptor, first[0].iov_base, first[0].iov_len, Self.flags))
    }
    var message = msghdr()
    message.msg_iov = first
    message.msg_iovlen = frames.count
    return max(0, sendmsg(descriptor, &message, Self.flags))
  }
}

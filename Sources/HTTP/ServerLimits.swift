/// Limits of a client's requests, in bytes and milliseconds.
package struct ServerLimits: Sendable {
  package var headerBytes = 16_384
  package var bodyBytes = 65_536
  /// The time for the head and the body of a request together, from its first byte on; it also is the time for the first
  /// byte on a new connection.
  package var requestMs: Int64 = 10_000
  /// The time for taking an answer.
  package var answerMs: Int64 = 30_000
  /// The time for the first byte of the next request on a connection.
  package var idleMs: Int64 = 60_000
  /// A stream that has been too slow for this long is closed.
  package var lagMs: Int64 = 60_000
  /// Events that wait for a stream; with more it is too slow.
  package var queuedEvents = 64

  package init() {}
}

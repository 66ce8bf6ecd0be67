/// What a client may ask for, and how long it may take.
package struct ServerLimits: Sendable {
  package var headerBytes = 16_384
  package var bodyBytes = 65_536
  /// For the head and the body of a request together, from the first byte on.
  package var requestMs: Int64 = 10_000
  /// For taking an answer.
  package var answerMs: Int64 = 30_000
  /// For the next request on a connection.
  package var idleMs: Int64 = 60_000
  /// A stream that was too slow for its events for so long is cut.
  package var lagMs: Int64 = 60_000
  /// Events that wait for a stream; with more it is too slow.
  package var queuedEvents = 64

  package init() {}
}

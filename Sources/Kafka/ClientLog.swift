/// A line of librdkafka's own log.
package struct ClientLogLine: Sendable {
  /// Syslog's levels: 3 error, 4 warning, 5 notice, 6 info, 7 debug.
  package var level: Int32
  /// Its subject: `FAIL`, `CONFWARN`, `REQTMOUT`.
  package var facility: String
  package var text: String
}

/// Called on the thread that serves the client (receives from it, commits with it), never on librdkafka's own: lines
/// wait in the client's queue until then.
package typealias ClientLog = @Sendable (ClientLogLine) -> Void

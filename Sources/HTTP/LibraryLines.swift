internal import CLibevent
internal import Synchronization

/// Lines that libevent writes about itself; without a taker it writes them to stderr.
package enum LibraryLines {
  package typealias Taker = @Sendable (_ isError: Bool, _ text: String) -> Void
  private static let taker = Mutex<Taker?>(nil)

  /// Hands all lines of the process to `taker`, from whatever thread they come.
  package static func hand(to taker: @escaping Taker) {
    self.taker.withLock { $0 = taker }
    event_set_log_callback { severity, text in
      guard severity >= Int32(EVENT_LOG_WARN), let text else { return }
      LibraryLines.taker.withLock { $0 }?(severity >= Int32(EVENT_LOG_ERR), String(cString: text))
    }
  }
}

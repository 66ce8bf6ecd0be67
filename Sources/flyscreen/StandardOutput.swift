import Glibc
import Platform

/// Results on their way to stdout, gathered and written at once.
struct StandardOutput {
  private var bytes: [UInt8] = []

  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The bytes that are still to be written.
  var count: Int { bytes.count }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

  /// The reader may have gone. Then SIGPIPE ends this program, as it ends every filter.
  /// - Throws: if it can't be written (a full disk).
  mutating func flush() throws(CommandFailure) {
    defer { bytes.removeAll(keepingCapacity: true) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      let reason = SystemError.last
      if count < 0, reason.code != EINTR, reason.code != EAGAIN {
        throw CommandFailure(.failed, "the output can't be written: \(reason)")
      }
      rest = rest.dropFirst(max(0, count))
    }
  }
}

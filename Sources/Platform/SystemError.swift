internal import Glibc

/// The reason why a call of the operating system failed.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  /// An `errno`, as `ENOENT`.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// The reason of the call that just failed. Ask at once: whatever runs in between, an allocation too, may change it.
  package static var last: SystemError { SystemError(code: errno) }

  /// In words, as "No such file or directory".
  package var description: String { String(cString: strerror(code)) }
}

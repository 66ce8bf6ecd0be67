internal import Glibc
internal import Platform

/// The limits of open files, each connection being one.
enum OpenFiles {
  /// The reason why a connection can't be accepted, with the limit's name, and what to do.
  static func words(for reason: SystemError) -> String {
    switch reason.code {
    case EMFILE:
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      return "the process has as many files open as it may, \(limit.rlim_cur) (RLIMIT_NOFILE): raise it"
        + " (LimitNOFILE, ulimit -Hn)"
    case ENFILE: return "the machine has as many files open as it may (fs.file-max): raise it"
    default: return "\(reason)"
    }
  }
}

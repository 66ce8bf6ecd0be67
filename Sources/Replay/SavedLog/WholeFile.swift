import Glibc
import Platform

/// A file that is being written: beside its place until it is whole. So an older file stays there until then, and
/// nothing is left of a file that was broken off, by an error or by a signal. A pipe or /dev/stdout, which are no
/// files, are written to as they are.
package final class WholeFile {
  private let path: String
  /// The path until it is whole; nil: it is no file.
  private let part: String?
  private let descriptor: Int32

  package init(path: String) throws(BrokenLog) {
    self.path = path
    part = Self.isFile(path) ? path + ".part" : nil
    descriptor = open(part ?? path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    if descriptor < 0 { throw Self.unwritable(path) }
    if let part { UnfinishedFile.removeIfInterrupted(part) }
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
    if let part {
      unlink(part)
      UnfinishedFile.forget()
    }
  }

  /// True if a file is there, or nothing is.
  static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(BrokenLog) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress!, rest.count)
      if count < 0, errno != EINTR { throw Self.unwritable(path) }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// All of it is there.
  package func close() throws(BrokenLog) {
    guard let part else { return }
    guard fsync(descriptor) == 0, rename(part, path) == 0 else { throw Self.unwritable(path) }
  }

  private static func unwritable(_ path: String) -> BrokenLog {
    let reason = SystemError.last
    return BrokenLog("\(path) can't be written: \(reason)")
  }
}

/// The one file that this process is writing, so that a signal that ends the process takes it away.
private enum UnfinishedFile {
  /// The handler reads it; a process writes one file at a time.
  nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?

  static func removeIfInterrupted(_ path: String) {
    forget()
    self.path = strdup(path)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number) { number in
        if let path = UnfinishedFile.path { unlink(path) }
        signal(number, SIG_DFL)
        raise(number)
      }
      // An ignored signal stays ignored, as in a process that was started with nohup.
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
    }
  }

  static func forget() {
    let old = path
    path = nil
    free(old)
  }
}

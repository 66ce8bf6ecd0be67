import Glibc
package import Wire

/// A saved log that is being written: under its name only when it is whole, if that is to be a file's.
package struct LogFileOutput: ~Copyable {
  /// To be written with the next `flush`.
  package var bytes = ByteBuffer(capacity: 1 << 18)

  private let path: String
  /// Where it is until it is whole; nil: the name is that of a pipe or a device (/dev/stdout), which is written to.
  private let part: String?
  private let descriptor: Int32
  private var compressor: Compressor

  package init(path: String) throws(BrokenLog) {
    self.path = path
    compressor = Compressor(Compression(path: path))
    part = Self.isFile(path) ? path + ".part" : nil
    descriptor = open(part ?? path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw Self.unwritable(path) }
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
    // What is not whole is of no use.
    if let part { unlink(part) }
  }

  package mutating func flush() throws(BrokenLog) {
    try write(isLast: false)
  }

  /// All of it is there.
  package mutating func close() throws(BrokenLog) {
    try write(isLast: true)
    guard let part else { return }
    guard fsync(descriptor) == 0, rename(part, path) == 0 else { throw Self.unwritable(path) }
  }

  /// Of a file that is there, or none is.
  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  private mutating func write(isLast: Bool) throws(BrokenLog) {
    let (path, descriptor) = (path, descriptor)
    try compressor.compress(bytes.bytes, isLast: isLast) { (compressed) throws(BrokenLog) in
      var rest = compressed[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress!, rest.count)
        if count < 0, errno != EINTR { throw Self.unwritable(path) }
        rest = rest.dropFirst(max(0, count))
      }
    }
    bytes.removeAll()
  }

  private static func unwritable(_ path: String) -> BrokenLog {
    BrokenLog("\(path) can't be written: \(String(cString: strerror(errno)))")
  }
}

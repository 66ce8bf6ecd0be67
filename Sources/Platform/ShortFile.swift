internal import Glibc

/// A file that is read whole: settings, a password, a file in which the kernel tells something.
package enum ShortFile {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - mostBytes: the bytes that the caller accepts.
  ///   - waits: false: it never waits for the writer of a pipe.
  /// - Returns: the bytes; one more than `mostBytes` if the file is longer.
  /// - Throws: the reason why it can't be read.
  package static func read(_ path: String, mostBytes: Int, waits: Bool = true) throws(SystemError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
    guard descriptor >= 0, let file = fdopen(descriptor, "r") else { throw .last }
    defer { fclose(file) }
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: mostBytes + 1) { buffer, count in
      count = fread(buffer.baseAddress, 1, buffer.count, file)
      if ferror(file) != 0 { failure = .last }
    }
    if let failure { throw failure }
    return bytes
  }
}

import Glibc
import Wire

/// Where results go.
struct StandardOutput {
  func write(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
    var written = 0
    while written < bytes.count {
      let count = Glibc.write(STDOUT_FILENO, bytes.baseAddress! + written, bytes.count - written)
      if count < 0 {
        if errno == EINTR { continue }
        throw CommandFailure(.failed, "the output can't be written: \(String(cString: strerror(errno)))")
      }
      written += count
    }
  }

  func write(_ text: String) throws(CommandFailure) {
    var bytes = ByteBuffer()
    bytes.append(text)
    try write(bytes.bytes)
  }
}

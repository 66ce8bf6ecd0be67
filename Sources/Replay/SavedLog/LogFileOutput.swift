package import JSON

/// A saved log that is being written: under its name only when it is whole.
package struct LogFileOutput: ~Copyable {
  /// The bytes that the next `flush` writes.
  package var bytes = ByteBuffer(capacity: 1 << 18)

  private let file: WholeFile
  private var compressor: Compressor

  package init(path: String) throws(BrokenLog) {
    compressor = Compressor(Compression(path: path))
    file = try WholeFile(path: path)
  }

  package mutating func flush() throws(BrokenLog) {
    try write(isLast: false)
  }

  /// All of it is there.
  package mutating func close() throws(BrokenLog) {
    try write(isLast: true)
    try file.close()
  }

  private mutating func write(isLast: Bool) throws(BrokenLog) {
    let file = file
    try compressor.compress(bytes.bytes, isLast: isLast) { (compressed) throws(BrokenLog) in
      try file.write(compressed)
    }
    bytes.removeAll()
  }
}

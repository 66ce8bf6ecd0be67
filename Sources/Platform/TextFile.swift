internal import Glibc

/// A short file, such as those in which the kernel tells something.
enum TextFile {
  /// Nil: it can't be read.
  static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = fread(&part, 1, part.count, file)
      if count == 0 { break }
      bytes += part[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

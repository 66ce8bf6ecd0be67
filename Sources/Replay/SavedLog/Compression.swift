/// How a saved log is compressed, which its name tells.
enum Compression {
  case none, gzip, zstd

  init(path: String) {
    self = path.hasSuffix(".gz") ? .gzip : path.hasSuffix(".zst") ? .zstd : .none
  }
}

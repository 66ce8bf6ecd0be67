/// The compression of a saved log, by its name.
enum Compression {
  case none, gzip, zstd

  init(path: String) {
    self = path.hasSuffix(".gz") ? .gzip : path.hasSuffix(".zst") ? .zstd : .none
  }
}

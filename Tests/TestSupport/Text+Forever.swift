package import RoomModel

extension Text {
  /// For tests: its bytes are never given back.
  package init(_ string: String) {
    let bytes = Array(string.utf8)
    let start = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
    start.copyMemory(from: bytes, byteCount: bytes.count)
    self.init(start: start, count: bytes.count)
  }
}

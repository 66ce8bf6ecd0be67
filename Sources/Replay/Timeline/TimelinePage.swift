import JSON
import RoomScreen
import TimelineSite

/// The page around the data, and the data in it: JSON, compressed, as base64. Its HTML, CSS and JavaScript are files of
/// `Sources/TimelineSite`.
struct TimelinePage: ~Copyable {
  /// The page so far, as far as it has not been taken.
  private(set) var bytes: [UInt8]
  private var compressor = Compressor(.gzip)
  /// The end of what was compressed: base64 takes three bytes at a time.
  private var rest: [UInt8] = []

  init() {
    bytes = Self.bytes(timeline_top()) + #"<script type="text/plain" id="data">"#.utf8
  }

  mutating func append(_ data: [UInt8], isLast: Bool = false) {
    var packed = rest
    data.withUnsafeBytes { data in
      // Nothing is written to a file here.
      try? compressor.compress(data, isLast: isLast) { packed += $0 }
    }
    let whole = isLast ? packed.count : packed.count / 3 * 3
    var text = ByteBuffer(capacity: whole / 3 * 4 + 4)
    packed.withUnsafeBytes { Base64.encode(UnsafeRawBufferPointer(rebasing: $0[..<whole]), into: &text) }
    bytes += text.bytes
    rest = Array(packed[whole...])
  }

  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  static var foot: [UInt8] {
    Array("</script>\n<script>\n".utf8) + bytes(timeline_script()) + Array("</script>\n".utf8)
  }

  private static func bytes(_ part: TimelinePart) -> [UInt8] {
    Array(UnsafeBufferPointer(start: part.bytes, count: part.length))
  }
}

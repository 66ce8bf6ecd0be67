import CZlib
import CZstd

/// Decompresses bytes as they come.
struct Decompressor: ~Copyable {
  /// Whether what came so far may be all.
  private(set) var isWhole = false

  private let compression: Compression
  private let gzip: UnsafeMutablePointer<z_stream>
  private let zstd: OpaquePointer?

  init(_ compression: Compression) {
    self.compression = compression
    gzip = .allocate(capacity: 1)
    gzip.initialize(to: z_stream())
    if compression == .gzip { precondition(zlib_begin_gunzip(gzip) == Z_OK, "no memory for zlib") }
    zstd = compression == .zstd ? ZSTD_createDCtx() : nil
  }

  deinit {
    if compression == .gzip { inflateEnd(gzip) }
    if let zstd { ZSTD_freeDCtx(zstd) }
    gzip.deallocate()
  }

  /// Takes from the front of `compressed`, and returns how many bytes came of it into `bytes`.
  mutating func decompress(
    _ compressed: inout Slice<UnsafeMutableRawBufferPointer>, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BrokenLog) -> Int {
    let rest = UnsafeMutableRawBufferPointer(rebasing: compressed)
    switch compression {
    case .none: preconditionFailure("there is nothing to decompress")
    case .gzip:
      // A file may hold several, one after the other.
      if isWhole { inflateReset(gzip) }
      gzip.pointee.next_in = rest.assumingMemoryBound(to: UInt8.self).baseAddress
      gzip.pointee.avail_in = UInt32(rest.count)
      gzip.pointee.next_out = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
      gzip.pointee.avail_out = UInt32(clamping: bytes.count)
      let room = Int(gzip.pointee.avail_out)
      let status = inflate(gzip, Z_NO_FLUSH)
      guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
        throw BrokenLog("it is no gzip, or damaged: \(gzip.pointee.msg.map { String(cString: $0) } ?? "\(status)")")
      }
      isWhole = status == Z_STREAM_END
      compressed = compressed.dropFirst(rest.count - Int(gzip.pointee.avail_in))
      return room - Int(gzip.pointee.avail_out)
    case .zstd:
      var input = ZSTD_inBuffer(src: UnsafeRawPointer(rest.baseAddress), size: rest.count, pos: 0)
      var output = ZSTD_outBuffer(dst: bytes.baseAddress, size: bytes.count, pos: 0)
      let left = ZSTD_decompressStream(zstd, &output, &input)
      if ZSTD_isError(left) != 0 {
        throw BrokenLog("it is no zstd, or damaged: \(String(cString: ZSTD_getErrorName(left)))")
      }
      isWhole = left == 0
      compressed = compressed.dropFirst(input.pos)
      return output.pos
    }
  }
}

import CZlib
import CZstd

/// Compresses bytes as they come.
struct Compressor: ~Copyable {
  private let compression: Compression
  private let gzip: UnsafeMutablePointer<z_stream>
  private let zstd: OpaquePointer?
  private let compressed: UnsafeMutableRawBufferPointer

  private static var chunk: Int { 1 << 17 }

  init(_ compression: Compression) {
    self.compression = compression
    gzip = .allocate(capacity: 1)
    gzip.initialize(to: z_stream())
    if compression == .gzip { precondition(zlib_begin_gzip(gzip) == Z_OK, "no memory for zlib") }
    zstd = compression == .zstd ? ZSTD_createCCtx() : nil
    if let zstd { ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1) }
    compressed = .allocate(byteCount: Self.chunk, alignment: 16)
  }

  deinit {
    if compression == .gzip { deflateEnd(gzip) }
    if let zstd { ZSTD_freeCCtx(zstd) }
    gzip.deallocate()
    compressed.deallocate()
  }

  /// Hands what comes of `bytes` to `write`; all of it if these are the last.
  mutating func compress(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, write: (UnsafeRawBufferPointer) throws(BrokenLog) -> Void
  ) throws(BrokenLog) {
    switch compression {
    case .none: try write(bytes)
    case .gzip: try compressGzip(bytes, isLast, write)
    case .zstd: try compressZstd(bytes, isLast, write)
    }
  }

  private func compressGzip(
    _ bytes: UnsafeRawBufferPointer, _ isLast: Bool, _ write: (UnsafeRawBufferPointer) throws(BrokenLog) -> Void
  ) throws(BrokenLog) {
    gzip.pointee.next_in = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
    gzip.pointee.avail_in = UInt32(bytes.count)
    var status: Int32
    repeat {
      gzip.pointee.next_out = compressed.assumingMemoryBound(to: UInt8.self).baseAddress
      gzip.pointee.avail_out = UInt32(compressed.count)
      status = deflate(gzip, isLast ? Z_FINISH : Z_NO_FLUSH)
      try write(UnsafeRawBufferPointer(rebasing: compressed[..<(compressed.count - Int(gzip.pointee.avail_out))]))
    } while gzip.pointee.avail_out == 0 || isLast && status == Z_OK
  }

  private func compressZstd(
    _ bytes: UnsafeRawBufferPointer, _ isLast: Bool, _ write: (UnsafeRawBufferPointer) throws(BrokenLog) -> Void
  ) throws(BrokenLog) {
    var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
    var left: Int
    repeat {
      var output = ZSTD_outBuffer(dst: compressed.baseAddress, size: compressed.count, pos: 0)
      left = ZSTD_compressStream2(zstd, &output, &input, isLast ? ZSTD_e_end : ZSTD_e_continue)
      if ZSTD_isError(left) != 0 { throw BrokenLog("zstd: \(String(cString: ZSTD_getErrorName(left)))") }
      try write(UnsafeRawBufferPointer(rebasing: compressed[..<output.pos]))
    } while input.pos < input.size || isLast && left > 0
  }
}

/// A record of an input topic, as far as rooms hang on it. Bytes belong to whoever received it.
///
/// It owns nothing, so it is passed on without counts of references. Headers, which only some mappings read, come beside
/// it.
package struct InputRecord: BitwiseCopyable {
  package var offset: Int64
  package var timestampMs: Int64
  package var key: UnsafeRawBufferPointer?
  package var value: UnsafeRawBufferPointer?
  /// The last `content-type` header.
  package var contentType: UnsafeRawBufferPointer?
  /// Whether it stands for a batch that this program does not unpack.
  package var isPassed = false

  @inlinable package init(
    offset: Int64, timestampMs: Int64, key: UnsafeRawBufferPointer?, value: UnsafeRawBufferPointer?,
    contentType: UnsafeRawBufferPointer?, isPassed: Bool = false
  ) {
    self.offset = offset
    self.timestampMs = timestampMs
    self.key = key
    self.value = value
    self.contentType = contentType
    self.isPassed = isPassed
  }
}

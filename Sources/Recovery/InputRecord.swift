package import Wire

/// A record of an input topic, as far as rooms hang on it. Bytes belong to whoever received it.
package struct InputRecord {
  package var offset: Int64
  package var timestampMs: Int64
  package var key: UnsafeRawBufferPointer?
  package var value: UnsafeRawBufferPointer?
  /// The last `content-type` header.
  package var contentType: UnsafeRawBufferPointer?
  /// All headers, where a mapping may read one.
  package var headers: [RecordHeader] = []
  /// Whether it stands for a batch that this program does not unpack.
  package var isPassed = false

  package init(
    offset: Int64, timestampMs: Int64, key: UnsafeRawBufferPointer?, value: UnsafeRawBufferPointer?,
    contentType: UnsafeRawBufferPointer?, isPassed: Bool = false, headers: [RecordHeader] = []
  ) {
    self.offset = offset
    self.timestampMs = timestampMs
    self.key = key
    self.value = value
    self.contentType = contentType
    self.isPassed = isPassed
    self.headers = headers
  }
}

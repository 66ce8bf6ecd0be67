internal import Wire

/// A record that was not understood, with the headers that say why.
struct DeadLetter {
  var key: UnsafeRawBufferPointer?
  var value: UnsafeRawBufferPointer?
  /// The record's own, unchanged.
  var headers: Outbox.Headers
  /// Ours.
  var notes: Outbox.Headers

  /// Cuts it to what its topic takes, uncompressed: first the value, then headers from the last on, then the key. How
  /// many bytes they had before is noted in `flyscreen-cut`.
  mutating func cut(to limit: Int) {
    guard byteCount > limit else { return }
    let (keyCount, valueCount, headerCount) = (key?.count ?? 0, value?.count ?? 0, Self.byteCount(headers))
    // Its length doesn't depend on what is cut, so that it can be reckoned with before.
    notes.append(("flyscreen-cut", Array("value=\(valueCount) headers=\(headerCount) key=\(keyCount)".utf8)))
    value = prefix(of: value, over: limit)
    dropHeaders(to: limit)
    key = prefix(of: key, over: limit)
  }

  /// Drops headers, the last first. A record that was compressed may have millions, so the size is reckoned once.
  private mutating func dropHeaders(to limit: Int) {
    var excess = byteCount - limit
    while excess > 0, let header = headers.popLast() { excess -= Self.byteCount([header]) + Self.headerBytes }
  }

  /// The bytes cut so far that the whole comes to `limit`, if that is possible.
  private func prefix(of bytes: UnsafeRawBufferPointer?, over limit: Int) -> UnsafeRawBufferPointer? {
    bytes.map { UnsafeRawBufferPointer(rebasing: $0.prefix(max(0, $0.count - max(0, byteCount - limit)))) }
  }

  /// Most bytes, as a batch of its own.
  private var byteCount: Int {
    Self.batchBytes + (key?.count ?? 0) + (value?.count ?? 0) + Self.byteCount(headers) + Self.headerBytes
      * headers.count
      + Self.byteCount(notes) + Self.headerBytes * notes.count
  }

  private static func byteCount(_ headers: Outbox.Headers) -> Int {
    headers.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
  }

  /// Bytes of a batch of one record beside key, value and headers: 61, and lengths of up to 5 each.
  private static let batchBytes = 128
  /// The two lengths of a header.
  private static let headerBytes = 10
}

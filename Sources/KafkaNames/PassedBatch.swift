/// A batch of records that unpacks to more than the program allows. One record without key and value comes in its
/// place, with the batch's last offset and its latest time.
package struct PassedBatch: Hashable, Sendable, CustomStringConvertible {
  /// The client's property that has the limit.
  package static let limitProperty = "fetch.unpacked.max.bytes"

  package var first: Int64
  package var last: Int64
  package var records: Int64
  /// As fetched.
  package var bytes: Int64
  /// The bytes that it may have had unpacked; 0: it can't be unpacked, though its checksum is right.
  package var limit: Int64

  package init(first: Int64, last: Int64, records: Int64, bytes: Int64, limit: Int64) {
    (self.first, self.last, self.records) = (first, last, records)
    (self.bytes, self.limit) = (bytes, limit)
  }

  package var description: String {
    let batch = "the batch of offsets \(first) to \(last) (records: \(records), bytes: \(bytes))"
    return limit == 0
      ? "\(batch) can't be unpacked" : "\(batch) unpacks to more than \(limit) bytes (kafka.\(Self.limitProperty))"
  }
}

package import JSON
internal import RoomModel
package import Wire

/// The records that a worker sends with its transaction, in order, and their bytes.
///
/// Kept and filled anew. It is what stands between the pure part of the worker and Kafka: the tests' Kafka reads it as the
/// real one's producer does.
package struct Outbox: ~Copyable {
  package enum Target: UInt8 {
    case commands, results, deadLetters, changelog, journal
  }

  package struct Entry {
    package var target: Target
    /// The input topic of a dead letter, changelog or journal: its place among `topics.input`.
    package var topic: Int32
    package var partition: Int32
    /// The place of its bytes; a count of -1: there are none.
    package var keyStart: Int
    package var keyCount: Int
    package var valueStart: Int
    package var valueCount: Int
    /// The place of its headers, -1 for none.
    package var headers: Int
  }

  package typealias Headers = [(name: String, value: [UInt8]?)]

  /// Good until the next change.
  package var entries: UnsafeBufferPointer<Entry> { kept.elements }
  private var kept = RefilledList<Entry>()
  package private(set) var headers: [Headers] = []
  package var bytes = ByteBuffer()

  package init() {}

  package var isEmpty: Bool { kept.elements.isEmpty }

  /// Makes a record of bytes that were appended.
  package mutating func append(_ target: Target, topic: Int32, partition: Int32, _ record: EncodedRecord) {
    kept.append(
      Entry(
        target: target, topic: topic, partition: partition, keyStart: record.key.lowerBound, keyCount: record.key.count,
        valueStart: record.value.lowerBound, valueCount: record.value.count, headers: -1))
  }

  /// Makes a record of the bytes that were appended last: a key and, from `valueStart` to the end, a value.
  package mutating func append(_ target: Target, topic: Int32, partition: Int32, keyStart: Int, valueStart: Int) {
    kept.append(
      Entry(
        target: target, topic: topic, partition: partition, keyStart: keyStart, keyCount: valueStart - keyStart,
        valueStart: valueStart, valueCount: bytes.count - valueStart, headers: -1))
  }

  package mutating func append(
    _ target: Target, topic: Int32, partition: Int32, key: UnsafeRawBufferPointer?, value: UnsafeRawBufferPointer?,
    headers: Headers = []
  ) {
    let keyStart = bytes.count
    if let key { bytes.append(key) }
    let valueStart = bytes.count
    if let value { bytes.append(value) }
    if !headers.isEmpty { self.headers.append(headers) }
    kept.append(
      Entry(
        target: target, topic: topic, partition: partition, keyStart: keyStart, keyCount: key?.count ?? -1,
        valueStart: valueStart, valueCount: value?.count ?? -1,
        headers: headers.isEmpty ? -1 : self.headers.count - 1))
  }

  package func key(of entry: Entry) -> UnsafeRawBufferPointer? { slice(entry.keyStart, entry.keyCount) }
  package func value(of entry: Entry) -> UnsafeRawBufferPointer? { slice(entry.valueStart, entry.valueCount) }

  package mutating func removeAll() {
    kept.removeAll()
    headers.removeAll(keepingCapacity: true)
    bytes.removeAll()
  }

  private func slice(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer? {
    count < 0 ? nil : UnsafeRawBufferPointer(start: bytes.base + start, count: count)
  }
}

/// A record of the changelog about one room, whose id is its key, or with the marks of events. (Another one without a key
/// is a ``Savepoint``.)
///
/// The value: a byte for the version, one for the kind, the input offset before which the room stood so (eight bytes,
/// little-endian), the checksum of the key and of all of the value but the sum (four bytes), and the content. Version 1
/// has no sum, and knows the first two kinds.
package struct RoomRecord {
  package enum Kind: UInt8 {
    /// The content is the room's state, as the engine writes it.
    case whole
    /// The same of a room that remembers nothing any more: until something happens in it, it has no further record.
    case last
    /// A part of the state: its number, and bytes.
    case part
    /// The state as a ``RoomHead``: bytes, and the numbers of parts, which were written with it or before.
    case head
    /// Not of a room, and without a key: a ``MarkBlock``.
    case marks
  }

  /// Whether a record of the changelog is of the last kind. (Another without a key is a ``Savepoint``, or blank.)
  package static func hasMarks(
    key: (some Collection<UInt8>)?, value: (some Collection<UInt8>)?
  ) -> Bool {
    key == nil && value?.first == version
  }

  package let kind: Kind
  package let offset: Int64
  package let content: [UInt8]

  package static let version: UInt8 = 2
  /// The length up to the sum, and with it.
  private static let sumAt = 10
  private static let headerSize = 14

  /// Fills `value`, which is kept by those who write many.
  package static func write(
    _ kind: Kind, offset: Int64, of room: UnsafeRawBufferPointer, into value: inout [UInt8],
    content: (inout [UInt8]) -> Void
  ) {
    value.removeAll(keepingCapacity: true)
    value.append(version)
    value.append(kind.rawValue)
    for shift in stride(from: 0, to: 64, by: 8) { value.append(UInt8(truncatingIfNeeded: offset >> Int64(shift))) }
    for _ in sumAt..<headerSize { value.append(0) }
    content(&value)
    let sum = value.withUnsafeBytes { Self.sum(of: room, $0) }
    for (i, shift) in stride(from: 0, to: 32, by: 8).enumerated() {
      value[sumAt + i] = UInt8(truncatingIfNeeded: sum >> UInt32(shift))
    }
  }

  private static func sum(of room: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> UInt32 {
    var sum = Checksum()
    sum.add(room)
    sum.add(UnsafeRawBufferPointer(rebasing: value[..<sumAt]))
    sum.add(UnsafeRawBufferPointer(rebasing: value[headerSize...]))
    return sum.value
  }

  /// - Throws: ``RestoreError/checkpoint(_:)`` for what nobody wrote so; ``RestoreError/newer(_:)`` for what a later
  ///   version wrote.
  package init(_ value: UnsafeRawBufferPointer, of room: UnsafeRawBufferPointer) throws(RestoreError) {
    guard let version = value.first else { throw .checkpoint("it is empty") }
    let hasSum = version != 1
    let headerSize = hasSum ? Self.headerSize : Self.sumAt
    guard value.count >= headerSize else { throw .checkpoint("it is cut short") }
    if hasSum {
      let sum = UInt32(littleEndian: value.loadUnaligned(fromByteOffset: Self.sumAt, as: UInt32.self))
      guard sum == Self.sum(of: room, value) else { throw .checkpoint("its checksum is another") }
      guard version == Self.version else { throw .newer("the state of a room in a form of version \(version)") }
    }
    guard let kind = Kind(rawValue: value[1]) else { throw .checkpoint("it is of no kind") }
    self.kind = kind
    offset = Int64(littleEndian: value.loadUnaligned(fromByteOffset: 2, as: Int64.self))
    content = Array(value[headerSize...])
  }
}

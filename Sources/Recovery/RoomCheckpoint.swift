/// A record of the changelog: how one room stood before the input record `offset`. Its key is the room's id.
/// (One without a key is a ``Savepoint``.)
///
/// The value: a byte for the version, one that is 1 if the room remembers nothing any more, the offset as eight bytes
/// (little-endian), and the room's state as the engine writes it.
package struct RoomCheckpoint {
  package var offset: Int64
  /// The room remembers nothing: until something happens in it, it has no further checkpoint.
  package var isLast: Bool
  package var state: [UInt8]

  private static let version: UInt8 = 1
  private static let headerSize = 10

  package static func header(offset: Int64, isLast: Bool, into bytes: inout [UInt8]) {
    bytes.append(version)
    bytes.append(isLast ? 1 : 0)
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: offset >> Int64(shift))) }
  }

  package init(_ value: UnsafeRawBufferPointer) throws(RestoreError) {
    guard let version = value.first else { throw .checkpoint("it is empty") }
    guard version == Self.version else { throw .checkpoint("version \(version) is not known here") }
    guard value.count >= Self.headerSize else { throw .checkpoint("it is cut short") }
    isLast = value[1] != 0
    offset = Int64(littleEndian: value.loadUnaligned(fromByteOffset: 2, as: Int64.self))
    state = Array(value[Self.headerSize...])
  }
}

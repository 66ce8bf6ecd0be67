package import RoomModel

/// A record of the changelog: how one room stood before the input record `offset`. Its key is the room's id.
///
/// The value: a version byte, the offset as eight bytes (little-endian), and the room's state as the engine writes it;
/// no state: the room remembers nothing.
package struct Checkpoint {
  package static let version: UInt8 = 1
  private static let headerSize = 9

  package var offset: Int64
  package var state: [UInt8]

  package static func header(offset: Int64, into bytes: inout [UInt8]) {
    bytes.append(version)
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: offset >> Int64(shift))) }
  }

  package init(_ value: UnsafeRawBufferPointer) throws(RestoreError) {
    guard let version = value.first else { throw .checkpoint("it is empty") }
    guard version == Self.version else { throw .checkpoint("version \(version) is not known here") }
    guard value.count >= Self.headerSize else { throw .checkpoint("it is cut short") }
    offset = Int64(littleEndian: value.loadUnaligned(fromByteOffset: 1, as: Int64.self))
    state = Array(value[Self.headerSize...])
  }
}

/// Why a partition's rooms can't be restored.
package enum RestoreError: Error, Equatable, CustomStringConvertible {
  case checkpoint(String)
  case journal(offset: Int64)
  case state(room: String, why: String)

  package var description: String {
    switch self {
    case .checkpoint(let why): "a record of the changelog can't be read: \(why)"
    case .journal(let offset): "the journal's record \(offset) is none of ours"
    case .state(let room, let why): "the saved state of room \(room) can't be read: \(why)"
    }
  }
}

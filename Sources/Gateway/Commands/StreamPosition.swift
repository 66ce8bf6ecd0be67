import RoomModel

/// A position in a partition: the last command, by its offset, and something of what it is, so that a topic
/// that was made anew is told from the old one.
package struct PartitionPosition: Hashable, Sendable {
  /// -1 and so on: there was none before.
  package var offset: Int64
  /// 0: no command is known that far.
  package var check: UInt32

  package init(offset: Int64, check: UInt32) {
    self.offset = offset
    self.check = check
  }

  /// - Parameter id: the command's own.
  package static func check(of id: some Sequence<UInt8>) -> UInt32 {
    let hash = fnv1a(id)
    return max(1, UInt32(truncatingIfNeeded: hash ^ hash >> 32))
  }

  /// The check of a command that comes after it and has no offset of its own.
  ///
  /// - Parameter next: its own check.
  func check(followedBy next: UInt32) -> UInt32 {
    let both = UInt64(check) << 32 | UInt64(next)
    return Self.check(of: withUnsafeBytes(of: both.littleEndian) { Array($0) })
  }
}

/// The position of a stream, as an event's id says it; opaque to clients. Any gateway understands it, also after a
/// restart, since all of it comes from the topic.
package struct StreamPosition: Equatable, Sendable {
  /// The rooms and their topic: `RoomList.hash`.
  package let list: UInt64
  /// Positions in the order of the partitions.
  package var positions: [PartitionPosition]
  /// Results of grabs have been told up to this time of their records; 0: not known.
  package var resultsMs: Int64

  package init(list: UInt64, positions: [PartitionPosition], resultsMs: Int64 = 0) {
    self.list = list
    self.positions = positions
    self.resultsMs = resultsMs
  }

  /// `1f3…-a07.9c…-12.0~19a…`, hexadecimal.
  package var text: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(12 + 20 * positions.count)
    text.appendHex(list)
    for position in positions {
      text.append(UInt8(ascii: "-"))
      // Counted from 1, so that it is never negative.
      text.appendHex(UInt64(bitPattern: position.offset + 1))
      text.append(UInt8(ascii: "."))
      text.appendHex(UInt64(position.check))
    }
    if resultsMs > 0 {
      text.append(UInt8(ascii: "~"))
      text.appendHex(UInt64(resultsMs))
    }
    return text
  }

  /// The id of an event after which a client has not yet all of its rooms: coming back with it, it begins anew.
  static let incomplete = Array("0".utf8)

  /// Nil if it is none of ours.
  package init?(_ text: String) {
    guard text.utf8.count <= 4096 else { return nil }
    let ends = text.split(separator: "~", omittingEmptySubsequences: false)
    var resultsMs: Int64 = 0
    if ends.count > 1 {
      guard ends.count == 2, let time = Int64(ends[1], radix: 16), time > 0 else { return nil }
      resultsMs = time
    }
    let parts = ends[0].split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, let list = UInt64(first, radix: 16) else { return nil }
    var positions: [PartitionPosition] = []
    for part in parts.dropFirst() {
      let halves = part.split(separator: ".", omittingEmptySubsequences: false)
      guard halves.count == 2, let next = Int64(halves[0], radix: 16), next >= 0,
        let check = UInt32(halves[1], radix: 16)
      else { return nil }
      positions.append(PartitionPosition(offset: next - 1, check: check))
    }
    self.init(list: list, positions: positions, resultsMs: resultsMs)
  }
}

extension [UInt8] {
  fileprivate mutating func appendHex(_ number: UInt64) {
    var shift = number == 0 ? 0 : (63 - number.leadingZeroBitCount) / 4 * 4
    while shift >= 0 {
      let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 15
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      shift -= 4
    }
  }
}

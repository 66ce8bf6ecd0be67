import RoomModel
package import RoomScreen
import Wire

/// Finds the partition that a room's commands come on, and the one in whose state this gateway keeps the room.
///
/// A commands topic may grow under a gateway. Producers then find another partition for a room, each from the moment at
/// which it learns of it. States and the ids of events stay laid out by the count with which the gateway began, so that
/// nothing that is known is lost: what comes elsewhere is brought to the state of its room.
package struct RoomRouting: Sendable, Equatable {
  /// The topic's partitions when the gateway began.
  package let homes: Int32
  /// The topic's partitions now.
  package var partitions: Int32
  /// The setting `gateway.partitions`; nil: all, new ones too.
  package let share: Set<Int32>?

  package init(partitions: Int32, share: Set<Int32>? = nil) {
    homes = partitions
    self.partitions = partitions
    self.share = share
  }

  /// The partition to which producers send the commands of a room now.
  package func partition(of room: ID) -> Int32 { Self.partition(of: room, partitions) }

  /// Whether a room's commands come to this gateway.
  package func serves(_ room: ID) -> Bool { share?.contains(partition(of: room)) ?? true }

  /// The partition in whose state a room is kept; nil: another gateway has it.
  func home(of room: Text) -> Int32? {
    home { Murmur2.partition(key: room.bytes, partitions: $0) }
  }

  package func home(of room: ID) -> Int32? {
    home { Self.partition(of: room, $0) }
  }

  /// The partition that producers choose (INTERFACES.md, "Topics").
  static func partition(of room: ID, _ count: Int32) -> Int32 {
    room.withBytes { Murmur2.partition(key: $0, partitions: count) }
  }

  private func home(_ partition: (Int32) -> Int32) -> Int32? {
    let first = partition(homes)
    guard let share, !share.contains(first) else { return first }
    let now = partition(partitions)
    return share.contains(now) ? now : nil
  }
}

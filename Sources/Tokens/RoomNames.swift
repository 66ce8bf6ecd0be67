package import RoomScreen

/// Names of rooms; a `*` in one stands for any bytes, or none: `live-*`, `*`.
package struct RoomNames: Equatable, Sendable {
  private let patterns: [[UInt8]]

  package init(_ names: [String] = []) {
    patterns = names.map { Array($0.utf8) }
  }

  package func contains(_ room: ID) -> Bool {
    let room = Array(room.string.utf8)
    return patterns.contains { Self.matches(room, $0) }
  }

  /// Goes back to the last `*` alone, so it takes no more than the product of both lengths.
  private static func matches(_ room: [UInt8], _ pattern: [UInt8]) -> Bool {
    let any = UInt8(ascii: "*")
    var at = 0
    var next = 0
    var star: (next: Int, at: Int)?
    while at < room.count {
      if next < pattern.count, pattern[next] == any {
        star = (next + 1, at)
        next += 1
      } else if next < pattern.count, pattern[next] == room[at] {
        at += 1
        next += 1
      } else if let last = star {
        star = (last.next, last.at + 1)
        (next, at) = (last.next, last.at + 1)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == any }
  }
}

import Foundation
import RoomScreen
import Testing
import TestSupport

struct IDTests {
  static let pairs = LookAlikes.pairs(seed: 29, count: 300)

  @Test func idsOfDifferentBytesAreTwo() {
    // There would be no law to break without them.
    #expect(Self.pairs.contains { $0.0 == $0.1 })
    for (a, b) in Self.pairs {
      let (one, other) = (ID(a), ID(b))
      #expect(one != other && Set([one, other]).count == 2, "\(Array(a.utf8)) and \(Array(b.utf8))")
      #expect([one: 1][other] == nil)
      #expect((one < other) == a.utf8.lexicographicallyPrecedes(b.utf8) && (one < other) != (other < one))
    }
  }

  @Test func idsOfTheSameBytesAreOne() {
    for (a, _) in Self.pairs {
      let (one, same) = (ID(a), ID(String(decoding: Array(a.utf8), as: UTF8.self)))
      #expect(one == same && one.hashValue == same.hashValue && Set([one, same]).count == 1 && !(one < same))
    }
  }

  /// Many ids that are canonically equal would else fill one bucket of a hash table.
  @Test func theHashIsThatOfTheBytes() {
    let alike = Self.pairs.filter { $0.0 == $0.1 }
    #expect(alike.contains { ID($0.0).hashValue != ID($0.1).hashValue })
  }

  @Test func jsonKeepsTheBytes() throws {
    for (a, b) in Self.pairs {
      let json = try JSONEncoder().encode([ID(a), ID(b)])
      #expect(
        try JSONDecoder().decode([String].self, from: json).map { Array($0.utf8) } == [a, b].map { Array($0.utf8) })
      #expect(try JSONDecoder().decode([ID].self, from: json) == [ID(a), ID(b)])
    }
  }
}

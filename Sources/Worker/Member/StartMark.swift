/// Tells one start of a worker from every other: the end of the client.id of its members, by which the group's
/// coordinator names who has a place. Of two the later start is the greater.
package struct StartMark: Comparable, Hashable, Sendable, CustomStringConvertible {
  /// Digits and small letters: the time of the start, then a number that was drawn.
  package let description: String

  private static let timeDigits = 8
  private static let drawnDigits = 3
  /// Of what is drawn.
  package static let drawnRange: Range<Int> = 0..<46_656  // 36³

  /// - Parameters:
  ///   - timeMs: Since 1970, by the clock of the machine.
  ///   - drawn: At random, of ``drawnRange``.
  package init(timeMs: Int64, drawn: Int) {
    func digits(_ number: Int64, _ count: Int) -> String {
      let text = String(max(0, number), radix: 36).suffix(count)
      return String(repeating: "0", count: count - text.count) + text
    }
    description = digits(timeMs, Self.timeDigits) + digits(Int64(drawn), Self.drawnDigits)
  }

  /// Nil: the client is of another program, or of a version that put no mark there.
  package init?(clientId: String) {
    let end = clientId.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    let isMark =
      end.utf8.count == Self.timeDigits + Self.drawnDigits && end.utf8.count < clientId.utf8.count
      && end.allSatisfy { $0.isASCII && ($0.isNumber || $0.isLowercase) }
    guard isMark else { return nil }
    description = String(end)
  }

  package static func < (one: StartMark, other: StartMark) -> Bool { one.description < other.description }
}

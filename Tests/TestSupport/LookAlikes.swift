import RoomModel

/// Ids of different bytes that look alike, or that some comparison of texts takes for one: canonically equal, equal in
/// compatibility, by case, or but for what nobody sees.
package enum LookAlikes {
  /// Spellings of one thing; no two have the same bytes.
  private static let spellings: [[String]] = [
    ["\u{E9}", "e\u{301}", "E\u{301}", "e"],
    // Two marks in both orders, which are canonically equal and of one length.
    ["a\u{301}\u{323}", "a\u{323}\u{301}", "\u{1EA1}\u{301}", "\u{E1}\u{323}"],
    ["\u{AE40}\u{CCA0}\u{C218}", "\u{1100}\u{1175}\u{11B7}\u{1105}\u{1161}\u{11AF}", "\u{AE40}"],
    ["\u{AE40}", "\u{1100}\u{1175}\u{11B7}", "\u{AE30}\u{11B7}"],
    ["K", "\u{212A}", "k", "\u{FF2B}"],
    ["\u{C5}", "A\u{30A}", "\u{212B}"],
    ["7", "7\u{200B}", "\u{200B}7", "7\u{FEFF}", "\u{FF17}", "7\u{FE0F}"],
    ["fi", "\u{FB01}", "FI"],
    ["\u{DF}", "ss", "SS", "\u{1E9E}"],
    ["\u{95E}", "\u{92B}\u{93C}"],
    ["\u{F900}", "\u{8C48}"],
    ["\u{1F468}\u{200D}\u{1F467}", "\u{1F468}\u{1F467}"],
  ]

  /// Two ids of 1 to 4 of these, which have different bytes.
  package static func pair(_ random: inout SplitMix64) -> (String, String) {
    while true {
      var pair = ("", "")
      for _ in 0..<random.number(1...4) {
        let one = random.one(of: spellings)
        pair.0 += random.one(of: one)
        pair.1 += random.one(of: one)
      }
      if Array(pair.0.utf8) != Array(pair.1.utf8) { return pair }
    }
  }

  /// Pairs of two spellings of one thing.
  package static func pairs(seed: UInt64, count: Int) -> [(String, String)] {
    var random = SplitMix64(seed: seed)
    let longer = (0..<count).map { _ in pair(&random) }
    let simple = spellings.flatMap { one in
      one.indices.flatMap { a in one.indices.filter { $0 > a }.map { (one[a], one[$0]) } }
    }
    return simple + longer
  }
}

/// Finds the name that somebody most likely meant who wrote one that doesn't exist.
package enum NearestName {
  /// The least edits away, the first of equals; nil if there are none to choose from.
  package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().utf8)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let distance = min(
        edits(wanted, Array(candidate.lowercased().utf8)), editsToLastPart(wanted, candidate) ?? Int.max,
        editsBetweenLastParts(wanted, candidate) ?? Int.max)
      if distance < best?.distance ?? Int.max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// `comboWindowMs` means `gift.comboWindowMs` rather than something of its own length.
  private static func editsToLastPart(_ wanted: [UInt8], _ candidate: String) -> Int? {
    guard let dot = candidate.lastIndex(of: ".") else { return nil }
    return edits(wanted, Array(candidate[candidate.index(after: dot)...].lowercased().utf8)) + 1
  }

  /// `probes.port` means `worker.http.port` rather than any other name of its length.
  private static func editsBetweenLastParts(_ wanted: [UInt8], _ candidate: String) -> Int? {
    let dot = UInt8(ascii: ".")
    guard wanted.contains(dot) else { return nil }
    return editsToLastPart(Array(wanted.split(separator: dot).last ?? []), candidate).map { $0 + 3 }
  }

  /// The number of bytes that must be put in, left out, changed or swapped with their neighbour (optimal string
  /// alignment).
  static func edits(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      row.reserveCapacity(b.count + 1)
      for j in 0..<b.count {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}

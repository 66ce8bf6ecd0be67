import RoomModel

extension EventTrace {
  /// The fate of the event, and what held it up.
  var sentence: String {
    let late = waits.reduce(0) { $0 + $1.ms }
    let causes = waits.map(\.causes).joined(separator: "; then, queued again, ")
    let why = waits.isEmpty ? "" : ": \(causes)"
    let lateWords = late > 0 ? ", \(late.secondsWords) late" : ""
    switch outcome {
    case .shown(let count, true): return "Shown ×\(count), complete\(lateWords)\(why)."
    case .shown(let count, false): return "Shown up to ×\(count), not complete\(lateWords)\(why)."
    case .cut(let seen, let end): return "\(seen)\(lateWords)\(why); \(end)."
    case .flew(let track): return "Flew on track \(track)\(lateWords)\(why)."
    case .filledScreen(let durationMs): return "Shown on the spot for \(durationMs.secondsWords)\(lateWords)\(why)."
    case .told(let crowd, let units, let isNamed):
      let name = isNamed ? "its sender named" : "its sender not named"
      return "Told with crowd \(crowd), \(counted(units, "gift")) in all, \(name)\(lateWords)\(why)."
    case .tookBack(let taken, let keptAway):
      return "Took back \(taken)\(keptAway.map { "; kept away \($0)" } ?? "")."
    case .joined(let crowd):
      let after = late > 0 ? " after \(late.secondsWords)" : ""
      return "Joined crowd \(crowd)\(after), which nothing tells in this piece of the log\(why)."
    case .skipped(let reason):
      return "Skipped (\(reason))\(late > 0 ? " after \(late.secondsWords) in the queue" : "")\(why)."
    case .standing(let words):
      let soFar = late > 0 ? "; waited \(late.secondsWords) so far" : ""
      return "Not over where this piece of the log ends: \(words)\(soFar)\(why)."
    case nil:
      // A line about a late record doesn't tell its fate.
      let line = lines.first { !$0.place.hasPrefix("section 1") } ?? lines.first
      guard let words = line?.words, let first = words.first else { return "Nothing came of it." }
      return first.uppercased() + words.dropFirst() + "."
    }
  }
}

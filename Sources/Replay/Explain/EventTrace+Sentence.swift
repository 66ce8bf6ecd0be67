import RoomModel

extension EventTrace {
  /// The fate of the event, and what held it up.
  var sentence: String {
    let late = waits.reduce(0) { $0 + $1.ms }
    let why = waits.isEmpty ? "" : ": \(causes)"
    let lateWords = late > 0 ? ", \(late.secondsWords) late" : ""
    switch outcome {
    case .shown(let from, let to, let upTo) where upTo >= to:
      let place = from + 1 == to ? "×\(to)" : "×\(from + 1) to ×\(to)"
      return "\(from == 0 ? "Shown ×\(to), complete" : "Shown complete, as \(place) of its combo")\(lateWords)\(why)."
    case .shown(_, let to, let upTo): return "Shown up to ×\(upTo) of ×\(to), not complete\(lateWords)\(why)."
    case .cut(let seen, let end): return "\(seen)\(lateWords)\(why); \(end)."
    case .flew(let track): return "Flew on track \(track)\(lateWords)\(why)."
    case .flies(let track, let landsAt):
      let started = late > 0 ? "; it started \(late.secondsWords) late\(why)" : ""
      return "Flies on track \(track), until \(landsAt.clock)\(started)."
    case .filledScreen(let durationMs): return "Shown on the spot for \(durationMs.secondsWords)\(lateWords)\(why)."
    case .told(let crowd, let units, let isNamed, let reason):
      let name = isNamed ? "its sender named" : "its sender not named"
      return "Found no lane, since \(reason); told with crowd \(crowd), \(counted(units, "gift")) in all, \(name)"
        + "\(lateWords)\(why)."
    case .tookBack(let taken, let keptAway):
      return "Took back \(taken)\(keptAway.map { "; kept away \($0)" } ?? "")."
    case .ended(let items): return "Ended \(items)."
    case .joined(let crowd, let reason):
      let soFar = late > 0 ? "; waited \(late.secondsWords) so far" : ""
      return "Found no lane, since \(reason); joined crowd \(crowd), which is untold where this piece of the log ends"
        + "\(soFar)\(why)."
    case .skipped(let word, let reason):
      return "Skipped (\(word)): \(reason)\(late > 0 ? "; it had waited \(late.secondsWords)" : "")\(why)."
    case .standing(let words):
      let soFar = late > 0 ? "; waited \(late.secondsWords) so far" : ""
      return "Not over where this piece of the log ends: \(words)\(soFar)\(why)."
    case nil:
      // A line about a late record doesn't tell its fate.
      let line = lines.first { !$0.place.hasPrefix("section 1") } ?? lines.first
      guard let words = line?.words, let first = words.first else { return "Nothing came of it." }
      return first.uppercased() + words.dropFirst() + (ending.map { "; \($0)" } ?? "") + "."
    }
  }

  private var causes: String {
    var causes = ""
    for wait in waits {
      if !causes.isEmpty { causes += wait.isForBar ? "; then, in its crowd, " : "; then, queued again, " }
      causes += wait.causes
    }
    return causes
  }
}

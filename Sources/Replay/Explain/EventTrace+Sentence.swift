import RoomModel

extension EventTrace {
  /// The fate of the event, of its combo's item of the spot where that was not shown, and what held it up.
  var sentence: String { spotEnding.map { "\(ownSentence.dropLast()); \($0)." } ?? ownSentence }

  private var ownSentence: String {
    let late = waits.reduce(0) { $0 + $1.ms }
    let why = waits.isEmpty ? "" : ": \(causes)"
    let lateWords = late > 0 ? ", \(late.secondsWords) late" : ""
    switch outcome {
    case .shown(let from, let to, let upTo) where upTo >= to:
      let place = from + 1 == to ? "×\(to)" : "×\(from + 1) to ×\(to)"
      return "\(from == 0 ? "Shown ×\(to), complete" : "Shown complete, as \(place) of its combo")\(shownLate)."
    case .shown(_, let to, let upTo): return "Shown up to ×\(upTo) of ×\(to), not complete\(shownLate)."
    case .cut(let seen, let end): return "\(seen)\(shownLate); \(end)."
    case .flew(let track): return "Flew on track \(track)\(lateWords)\(why)."
    case .flies(let track, let landsAt):
      let started = late > 0 ? "; it started \(late.secondsWords) late\(why)" : ""
      return "Flies on track \(track), until \(landsAt.clock)\(started)."
    case .stayed(let ms): return "Shown for \(ms.secondsWords), to its end."
    case .counted(let words): return "\(words)."
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
      let line = lines.first { !$0.rule.rawValue.hasPrefix("1.") } ?? lines.first
      guard let words = line?.words, let first = words.first else { return "Nothing came of it." }
      return first.uppercased() + words.dropFirst() + (ending.map { "; \($0)" } ?? "") + "."
    }
  }

  /// For what was seen: how late it was first seen, and how long it waited where it was queued again.
  private var shownLate: String {
    let first = waits.first { $0.from == at }
    let again = waits.filter { $0.from > at }
    var words = first.map { ", \($0.ms.secondsWords) late: \($0.causes)" } ?? ""
    if !again.isEmpty {
      let times = again.count == 1 ? "once" : "\(again.count) times"
      words += "; queued again \(times), \(again.reduce(0) { $0 + $1.ms }.secondsWords) in all"
      if again.count == 1 { words += ": \(again[0].causes)" }
    }
    return words
  }

  private var causes: String {
    var causes = ""
    let again = waits.dropFirst().count { !$0.isForBar }
    for (index, wait) in waits.enumerated() {
      // Of many only the first and that in a crowd: all are told below.
      if index > 0, again > 1, !wait.isForBar {
        if index == 1 { causes += "; then queued again \(again) times" }
        continue
      }
      if !causes.isEmpty { causes += wait.isForBar ? "; then, in its crowd, " : "; then, queued again, " }
      causes += wait.causes
    }
    return causes
  }
}

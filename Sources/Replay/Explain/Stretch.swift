import RoomModel

/// A part of a wait that has one cause.
struct Stretch: Equatable {
  var from: LogTime
  var until: LogTime
  /// The holder of the thing waited for; nil: nobody held it.
  var who: String?
  /// The cause, for a line: `held lane 1 until its turn ended`.
  let words: String
  /// The command that ended it.
  var command: CommandName?

  var ms: Milliseconds { until - from }
}

/// Stretches of a wait, one after the other.
struct Stretches {
  var all: [Stretch] = []
  private var at: LogTime
  /// No stretch goes beyond.
  var end: LogTime

  init(from start: LogTime, until end: LogTime) { (at, self.end) = (start, end) }

  /// The cause until then, if that is later than the end of the last one.
  mutating func pass(to time: LogTime, by who: String? = nil, _ words: String, _ command: CommandName? = nil) {
    let until = min(time, end)
    guard until > at else { return }
    all.append(Stretch(from: at, until: until, who: who, words: words, command: command))
    at = until
  }
}

/// A wait of a gift or a wish, as stretches that follow each other without a gap: their lengths add up to its own.
struct Wait: Equatable {
  /// The thing waited for: `lane 1`, `a track`.
  let what: String
  let stretches: [Stretch]

  /// It is the wait of a gift in a crowd.
  var isForBar: Bool { what == Self.bar }
  static let bar = "the bar"

  var from: LogTime { stretches[0].from }
  var until: LogTime { stretches[stretches.count - 1].until }
  var ms: Milliseconds { until - from }

  /// Nil: it took no time.
  init?(for what: String, _ stretches: [Stretch]) {
    self.what = what
    self.stretches = stretches.filter { $0.ms > 0 }
    if self.stretches.isEmpty { return nil }
  }

  private static var most: Int { 3 }

  /// Why, for a sentence: `N2 held lane 1 until its turn ended (9.2 s), then …`.
  var causes: String {
    let held = stretches.filter { $0.who != nil || stretches.count == 1 }
    let some = held.prefix(Self.most).map { "\($0.who.map { "\($0) " } ?? "")\($0.words) (\($0.ms.secondsWords))" }
    return some.joined(separator: ", then ") + (held.count > Self.most ? ", then \(held.count - Self.most) more" : "")
  }

  /// A line for each stretch.
  var lines: [String] {
    ["waited \(ms.exactWords) for \(what):"]
      + stretches.map { stretch in
        let length = stretch.ms.exactWords
        return "  \(stretch.from.clock) \(String(repeating: " ", count: max(0, 10 - length.count)))\(length)  "
          + "\(stretch.who.map { "\($0) " } ?? "")\(stretch.words)\(stretch.command.map { " [\($0)]" } ?? "")"
      }
  }
}

extension Milliseconds {
  /// `16.3 s`, `40 ms`.
  var secondsWords: String {
    if self < 100 { return "\(self) ms" }
    let tenths = (self + 50) / 100
    return "\(tenths / 10).\(tenths % 10) s"
  }

  /// `16.328 s`.
  fileprivate var exactWords: String {
    let thousandths = String(self % 1000)
    return "\(self / 1000).\(String(repeating: "0", count: 3 - thousandths.count))\(thousandths) s"
  }
}

/// A name without its id, for a sentence; the id where there is no name.
func brief(_ name: String, _ id: String) -> String { (name.isEmpty ? id : name).printable }

import RoomModel
import RoomScreen

/// An explanation for programs: what its text tells, in the same words.
package struct Answer: Encodable, Sendable {
  /// A part of an answer: `lane 0`, and what is there.
  package struct Row: Encodable, Sendable {
    let name: String
    let words: String

    init(_ row: (place: String, words: String)) { (name, words) = (row.place, row.words) }
  }

  package struct Command: Encodable, Sendable {
    let command: String
    /// Its JSON, as in STAGES.md, section 10.
    let json: String
    let atMs: LogTime
    let publishedMs: LogTime?
    let rows: [Row]
  }

  package struct Event: Encodable, Sendable {
    struct Wait: Encodable {
      struct Part: Encodable {
        let fromMs: LogTime
        let untilMs: LogTime
        let who: String?
        let words: String
        let command: String?
      }

      let what: String
      let parts: [Part]
    }

    struct Step: Encodable {
      let atMs: LogTime
      let words: String
      let rule: String
      let command: String?
      let publishedMs: LogTime?
      /// The reason why it is not as it was published; nil: it is, or that is not known.
      let otherwise: String?
    }

    let record: String
    let timestampMs: LogTime
    let words: String
    let sentence: String
    let message: ForeignMessage?
    let waits: [Wait]
    let steps: [Step]
  }

  package struct Partition: Encodable, Sendable {
    let partition: String
    /// Its progress.
    let words: String
    let rows: [Row]
  }

  package struct Moment: Encodable, Sendable {
    let atMs: LogTime
    let sentence: String
    let partitions: [Partition]
  }

  let room: ID
  /// Lines that hold for all of it: what is late, pending or not as published.
  var notes: [String] = []
  var command: Command?
  var events: [Event]?
  /// The count of events that are not followed.
  var moreEvents: Int?
  var moment: Moment?
}

extension Answer.Event {
  init(_ trace: EventTrace, _ published: PublishedCommands) {
    record = trace.record.name
    timestampMs = trace.record.timestampMs
    words = trace.words
    sentence = trace.sentence
    message = trace.record.message
    waits = (trace.waits + trace.tierWaits).map { wait in
      Wait(
        what: wait.what,
        parts: wait.stretches.map {
          Wait.Part(
            fromMs: $0.from, untilMs: $0.until, who: $0.who, words: $0.words, command: $0.command?.description)
        })
    }
    steps = trace.lines.map { line in
      var publishedMs: LogTime?
      if let command = line.replayed, case .found(let found) = published[command.name] { publishedMs = found.timeMs }
      return Step(
        atMs: line.at, words: line.words, rule: line.rule.rawValue, command: line.replayed?.name.description,
        publishedMs: publishedMs, otherwise: line.replayed?.state(published))
    }
  }
}

extension ReplayedCommand {
  /// Words for one that was published otherwise, not at all, or not yet; nil: for none of these.
  func state(_ published: PublishedCommands) -> String? {
    if case .pending = published[name] { return "not yet sent" }
    return otherwise(published)
  }
}

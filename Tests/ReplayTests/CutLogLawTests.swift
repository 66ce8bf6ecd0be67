import Foundation
import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import TestSupport
import Testing

/// Logs that lost their beginnings: an answer with status 0 is the whole log's answer, and everything known exactly is
/// told.
struct CutLogLawTests {
  private static let seeds = Seeds(count: 20)
  /// Each topic, and each two of them: ten.
  private static let cuts: [[String]] = {
    let topics = [WorkedPartition.input, WorkedPartition.journal, WorkedPartition.changelog, WorkedPartition.commands]
    return topics.indices.flatMap { first in
      [[topics[first]]] + topics[(first + 1)...].map { [topics[first], $0] }
    }
  }()
  private static let askedOfEach = 3

  @Test(arguments: seeds.stretches) func whatIsToldIsWhatTheWholeLogTells(seeds: Range<UInt64>) throws {
    for seed in seeds { try Self.check(seed) }
  }

  private static func check(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let log = try WorkedLog(seed: random.next(), count: 60)
    let questions = questions(of: log, &random)
    var whole: [Int: Said] = [:]
    for topics in cuts {
      var firsts: [String: Int64] = [:]
      for topic in topics { firsts[topic] = .random(in: 0...log.logs.end(of: topic), using: &random) }
      let left = log.logs.cut(firsts)
      let exact = try exactFrom(left)
      for index in questions.indices.shuffled(using: &random).prefix(askedOfEach) {
        let (question, place) = questions[index]
        let about = "\(question) of what is left from \(firsts.sorted { $0.key < $1.key }) (seed \(seed))"
        guard let expected = try whole[index] ?? told(question, of: log.logs) else {
          Issue.record("\(question) of the whole log (seed \(seed)) is not told")
          continue
        }
        whole[index] = expected
        switch try Asked(question, of: left) {
        case .told(let said):
          let first = left.first(of: WorkedPartition.input)
          if case .user = question {
            #expect(expected.offsets.min() ?? .max >= first, "\(about): what is gone is not counted")
          }
          expect(expected.since(left.first(of: WorkedPartition.input)), said, exact, about)
        case .nothing(let why):
          #expect(expected.offsets.max() ?? place < left.first(of: WorkedPartition.input), "\(about): \(why)")
        case .untold(let why, let said):
          // What a user did in records that are gone is not known.
          let isGone = if case .user = question { left.first(of: WorkedPartition.input) > 0 } else { false }
          #expect(isGone || expected.offsets.min() ?? place < exact, "\(about): \(why)")
          if let said { expect(expected.since(exact), said, exact, about) }
        }
      }
    }
  }

  /// User 3 is there in the first record and in the last; what lies between is of this room, or of another.
  @Test(arguments: ["r1", "r2"]) func whatAUserDidInRecordsThatAreGoneIsNotCounted(between: String) throws {
    var settings = LogSettings()
    settings.engine.dedupe.windowMs = 2000
    let partition = try WorkedPartition(settings, checkpointMs: 300)
    let last = 99
    for number in 0...last {
      let (user, room) = number == 0 || number == last ? ("3", "r1") : ("1", between)
      let now = 1_700_000_000_000 + Int64(number) * 400
      let gift = #""gift":{"sender":{"userId":"\#(user)"},"giftId":"rose"}"#
      let published = partition.take(#"{"eventId":"e\#(number)","roomId":"\#(room)",\#(gift)}"#, room: room, at: now)
      for one in published { partition.publish(one) }
      partition.commit("c\(number)", at: now)
    }
    guard case .told(let whole) = try Asked(.user("3"), of: partition.logs),
      case .untold(let why, let rest?) = try Asked(.user("3"), of: partition.logs.cut([WorkedPartition.input: 5])),
      case .untold(let gone, nil) = try Asked(.event("e0"), of: partition.logs.cut([WorkedPartition.input: 5]))
    else {
      Issue.record("not told, or told of what is gone")
      return
    }
    #expect(whole.offsets == [0, Int64(last)] && rest.offsets == [Int64(last)])
    #expect(why.contains("; what the user did before it is not counted: ") && why.contains("before offset 5 are gone"))
    #expect(gone == "im.gifts[0] begins at offset 5: what lies before it is gone")
  }

  private static func told(_ question: Explainer.Question, of logs: ArrayLogs) throws -> Said? {
    guard case .told(let answer) = try Asked(question, of: logs, isPassing: false) else { return nil }
    return answer
  }

  private static func expect(_ whole: Said, _ left: Said, _ exact: Int64, _ about: String) {
    #expect(whole.allows(left, from: exact), "\(about): \(left)\nand of the whole log: \(whole)")
  }

  /// Questions, and the record that each of the moments comes after.
  private static func questions(
    of log: WorkedLog, _ random: inout SplitMix64
  ) -> [(question: Explainer.Question, place: Int64)] {
    var questions: [(Explainer.Question, Int64)] = [(.user("3"), -1)]
    let ids = log.ids.indices.filter { log.isOfRoom[$0] }.shuffled(using: &random)
    for index in ids.prefix(6) { questions.append((.event(ID(log.ids[index])), -1)) }
    for name in log.names.shuffled(using: &random).prefix(6) { questions.append((.command(name), -1)) }
    for time in log.times.shuffled(using: &random).prefix(3) {
      let moment = time + .random(in: 0...3000, using: &random)
      questions.append((.moment(moment), Int64(log.times.count { $0 <= moment }) - 1))
    }
    return questions
  }

  /// The first record from which on all is known; what `check` tells.
  private static func exactFrom(_ logs: ArrayLogs) throws -> Int64 {
    let range = try TopicRange(WorkedPartition.input, logs).partitions(0, from: .beginning, to: .end)[0]
    return range.beginning == .exact ? logs.first(of: WorkedPartition.input) : range.exactFrom?.offset ?? .max
  }
}

/// An answer as JSON.
struct Said: CustomStringConvertible {
  private let answer: [String: Any]

  init(_ answer: [String: Any]) { self.answer = answer }

  var description: String {
    let bytes = try? JSONSerialization.data(withJSONObject: answer, options: [.sortedKeys, .prettyPrinted])
    return String(decoding: bytes ?? Data(), as: UTF8.self)
  }

  /// The answer with only the events whose records have that offset or a later one.
  func since(_ first: Int64) -> Said {
    guard let events = answer["events"] as? [[String: Any]] else { return self }
    return Said(answer.merging(["events": events.filter { Self.offset($0) >= first }]) { $1 })
  }

  private static func offset(_ event: [String: Any]) -> Int64 {
    (event["record"] as? String).flatMap { Int64($0.split(separator: "/").last ?? "") } ?? -1
  }

  /// The offsets of the records that the question is about; of a moment: none.
  var offsets: [Int64] {
    if let command = answer["command"] as? [String: Any], let name = command["command"] as? String {
      return CommandName(name).map { [$0.offset] } ?? []
    }
    return (answer["events"] as? [[String: Any]])?.map(Self.offset) ?? []
  }

  /// Whether `other`, from what is left of the log, contradicts nothing. It may leave out everything before `first`,
  /// where the part that it knows begins, and all that only deleted commands tell.
  func allows(_ other: Said, from first: Int64) -> Bool { Self.allows(answer, other.answer, first) }

  private static func allows(_ whole: Any, _ left: Any, _ first: Int64) -> Bool {
    if let whole = whole as? [String: Any], let left = left as? [String: Any] {
      return Set(whole.keys).union(left.keys).allSatisfy { key in
        switch (key, whole[key], left[key]) {
        // It is known from the commands alone.
        case ("publishedMs", _, nil): true
        case ("notes", let whole as [String], let left as [String]): allowsNotes(whole, left)
        case ("command", let name as String, nil): CommandName(name).map { $0.offset < first } ?? false
        case ("rows", let whole as [[String: Any]], let left as [[String: Any]]): allowsRows(whole, left)
        case ("steps", let whole as [[String: Any]], let left as [[String: Any]]):
          allows(whole.filter { left.count == whole.count || !isOfGoneTwin($0, first) } as Any, left, first)
        case (_, let whole?, let left?): allows(whole, left, first)
        default: false
        }
      }
    }
    if let whole = whole as? String, let left = left as? String {
      return isSpan(whole, left) || tellsLess(left, than: whole)
    }
    guard let whole = whole as? [Any], let left = left as? [Any] else {
      return (whole as? NSObject) == (left as? NSObject)
    }
    return whole.count == left.count && zip(whole, left).allSatisfy { allows($0, $1, first) }
  }

  /// A step that names a record before `first` which had the event's id.
  private static func isOfGoneTwin(_ step: [String: Any], _ first: Int64) -> Bool {
    let words = step["words"] as? String ?? ""
    let named = words.split(separator: ": ").dropFirst().first?.prefix { $0 != " " }.split(separator: "/").last
    return (words.hasPrefix("the id came ") || words.hasPrefix("duplicate, ignored"))
      && named.flatMap { Int64($0) } ?? .max < first
  }

  /// `Skipped (retracted): ` by whom is not known, say.
  private static func tellsLess(_ left: String, than whole: String) -> Bool {
    // The twin that the id came with, too, is gone.
    if whole.hasPrefix("The id came ") || whole.hasPrefix("Duplicate, ignored"),
      left.hasPrefix("Duplicate of one before this piece of the log")
    {
      return true
    }
    let isLess =
      left.contains("before this piece of the log") && whole.contains("im.gifts/0/")
      || left.contains("it is the user's first for a while") && whole.contains("it came too late")
    return isLess && left.prefix { $0 != " " } == whole.prefix { $0 != " " }
  }

  /// Of fewer commands fewer may be late, and those less; and it is told that some are gone.
  private static func allowsNotes(_ whole: [String], _ left: [String]) -> Bool {
    func late(_ notes: [String]) -> [Int] {
      notes.first { $0.hasPrefix("LATE:") }?.split(separator: " ").compactMap { Int($0) } ?? [0, 0]
    }
    func others(_ notes: [String]) -> [String] {
      notes.filter { !$0.hasPrefix("LATE:") && !$0.hasPrefix("NOT COMPARED:") }
    }
    return others(whole) == others(left) && zip(late(whole), late(left)).allSatisfy { $0 >= $1 }
  }

  /// Of a combo, crowd, wish or item whose beginning is gone, no more is told than its id, and of a combo the last of its
  /// gifts.
  private static func allowsRows(_ whole: [[String: Any]], _ left: [[String: Any]]) -> Bool {
    func words(_ rows: [[String: Any]]) -> [String] {
      rows.filter { $0["name"] as? String != "published" }
        .map { "\($0["name"] as? String ?? "") \($0["words"] as? String ?? "")" }
    }
    let (whole, left) = (words(whole), words(left))
    guard let since = left.firstIndex(where: { $0.contains(forgotten) }) else { return areSpans(whole, left) }
    func isDetail(_ row: String) -> Bool { row.hasPrefix(" ") && row.count > 1 }
    let details = left[(since + 1)...].prefix(while: isDetail)
    let expected = whole[(since + 1)...].prefix(while: isDetail)
    return areSpans(whole.prefix(since), left.prefix(since)) && isSame(whole[since], left[since])
      && details.elementsEqual(expected.suffix(details.count))
      && areSpans(whole[(since + 1 + expected.count)...], left[(since + 1 + details.count)...])
  }

  private static func areSpans(_ whole: some Collection<String>, _ left: some Collection<String>) -> Bool {
    whole.count == left.count && zip(whole, left).allSatisfy(isSpan)
  }

  /// Whether they are the same, but that `left` may lack the lengths of times that began before it.
  private static func isSpan(_ whole: String, _ left: String) -> Bool {
    whole == left || lengths(left) < lengths(whole) && withoutLengths(whole) == withoutLengths(left)
  }

  private static func lengths(_ words: String) -> Int { words.count - withoutLengths(words).count }

  /// Leaves out the number behind a setting's name, and all that tells which hold one was.
  private static func withoutLengths(_ words: String) -> String {
    words.replacing(/\ \((?:holdMs|its own|that of tier \d+), \d+\)/, with: "")
      .replacing(/Ms(?:, \d+| \(\d+\))/, with: "Ms")
  }

  private static let forgotten = "which was there when this piece of the log began"

  /// `behind it combo im.gifts/0/14, which was there when this piece of the log began` is the one that `whole` tells of.
  private static func isSame(_ whole: String, _ left: String) -> Bool {
    let told = left.prefix { $0 != "," }
    if told.contains(" crowd ") { return whole.hasPrefix("behind it ") }
    return whole.hasPrefix(told) || !told.contains(" combo ") && whole.contains(told.split(separator: " ").last ?? "?")
  }
}

/// The answer to a question about room r1, as `explain` gives it.
enum Asked {
  /// An exact answer: status 0.
  case told(Said)
  /// The reason why there is no exact answer, and an answer as far as it goes: status 3.
  case untold(String, Said?)
  /// The reason why there is nothing: status 1.
  case nothing(String)

  /// - Parameter isPassing: whether records that have no part in the answer are passed over, as `explain` does.
  init(_ question: Explainer.Question, of logs: ArrayLogs, isPassing: Bool = true) throws {
    do { self = try Self.ask(question, of: logs, isPassing) } catch let error as BrokenLog {
      self = error.isGone ? .untold(error.description, nil) : .nothing(error.description)
    }
  }

  private static func ask(
    _ question: Explainer.Question, of logs: ArrayLogs, _ isPassing: Bool
  ) throws -> Asked {
    let topic = try TopicRange(WorkedPartition.input, logs)
    let ranges: [PartitionRange]
    switch question {
    case .command(let name): ranges = try topic.partition(0, around: name.offset, lookback: 8, to: .end)
    case .event, .user: ranges = try topic.partitions(0, from: .beginning, to: .end)
    case .moment(let time):
      guard let range = try topic.partition(0, at: time, lookback: 8, isExact: true) else {
        return .untold("what it had then is gone", nil)
      }
      ranges = [range]
    }
    let untold = Untold(question, room: "r1", of: ranges)
    if let why = untold.ofPlace { return .untold(why, nil) }
    var explainer = Explainer(question, room: "r1", settings: LogSettings(), hashSeed: .random(in: .min ... .max))
    let source = try TopicSource(ranges, room: "r1", logs)
    let filter = RoughRoomFilter(asked: question, room: "r1")
    while !explainer.isAnswered, var line = try source.next() {
      if isPassing { filter.apply(to: &line) }
      try explainer.play(line)
      if isPassing { try source.records { explainer.take($0, filter) } }
    }
    let earlier = try untold.earlier(in: logs, for: &explainer)
    let why = earlier + untold.doubts(explainer)
    if !untold.isOfPlace, explainer.hasNoResult, earlier.isEmpty, !(untold.gone + why).isEmpty {
      return .untold((why + untold.gone).joined(separator: "\n"), nil)
    }
    if let late = explainer.tooLate { return .untold(late, nil) }
    if !untold.doubts(explainer).isEmpty { return .untold(why.joined(separator: "\n"), nil) }
    let search = try PublishedSearch(in: WorkedPartition.commands, room: "r1", logs)
    let published = try search.find(explainer.namedCommands().map(\.name))
    if let contradiction = explainer.contradiction(published) { return .nothing(contradiction) }
    let said = try explainer.answer(published: published).map { answer in
      Said(try JSONSerialization.jsonObject(with: JSONEncoder().encode(answer)) as? [String: Any] ?? [:])
    }
    if !why.isEmpty { return .untold(why.joined(separator: "\n"), said) }
    return said.map { .told($0) } ?? .nothing(explainer.noAnswer)
  }
}

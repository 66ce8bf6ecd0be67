import Gateway
import RoomScreen
import TestSupport

/// The topic of results: what users' grabs gave, in the order of each partition.
final class SimulatedResults {
  struct Entry {
    let user: ID
    let room: ID
    let atMs: Int64
    /// Its place among all.
    let number: Int
  }

  static let users: [ID] = ["7", "8", "9"]
  private(set) var logs: [[Entry]] = [[], []]
  private(set) var all: [Entry] = []

  func publish(_ random: inout SplitMix64, atMs: Int64) {
    let user = random.one(of: Self.users)
    let entry = Entry(user: user, room: random.one(of: SimulatedTopic.rooms), atMs: atMs, number: all.count)
    all.append(entry)
    // A user's are on any partition here: so some come later than younger ones.
    logs[Int(random.number(0...1))].append(entry)
  }
}

/// Reads the results for a gateway, as its thread for them does.
final class SimulatedResultFeed {
  let store: ResultStore
  private let results: SimulatedResults
  private var next = [0, 0]
  /// The end of each partition when the gateway began.
  private let ends: [Int]
  /// The news that wait for each hub.
  private var boxes: [[ResultNews]]

  /// Partitions are read one ahead of the other by less than what a store allows for.
  private static let mostBehindMs: Int64 = 5000

  init(_ results: SimulatedResults, hubs: Int) {
    self.results = results
    ends = results.logs.map(\.count)
    boxes = Array(repeating: [], count: hubs)
    store = ResultStore(lookbackMs: 60_000_000, bytes: 1_000_000)
  }

  func read(_ partition: Int, most: Int, nowMs: Int64) {
    for entry in results.logs[partition].dropFirst(next[partition]).prefix(most) { take(entry, partition, nowMs) }
    endReadBack()
  }

  func readWhatIsLate(nowMs: Int64) {
    for (partition, log) in results.logs.enumerated() {
      for entry in log.dropFirst(next[partition]).prefix(while: { $0.atMs < nowMs - Self.mostBehindMs }) {
        take(entry, partition, nowMs)
      }
    }
    endReadBack()
  }

  private func take(_ entry: SimulatedResults.Entry, _ partition: Int, _ nowMs: Int64) {
    next[partition] += 1
    let result = StreamResult(
      user: entry.user, room: entry.room, timestampMs: entry.atMs, json: Array("\(entry.number)".utf8))
    let known = store.add(result, isKept: true, nowMs: nowMs)
    if store.isReadBack { put(.result(known)) }
  }

  private func endReadBack() {
    guard !store.isReadBack, zip(next, ends).allSatisfy({ $0 >= $1 }) else { return }
    store.endReadBack()
    put(.readBack)
  }

  private func put(_ news: ResultNews) { for hub in boxes.indices { boxes[hub].append(news) } }

  func takeNews(for hub: Int) -> [ResultNews] {
    defer { boxes[hub] = [] }
    return boxes[hub]
  }
}

/// The results that a client must be told: each once in a stream, its user's in its rooms, none left out.
struct ResultLedger {
  private let user: ID?
  /// The number of the first result that it must be told.
  private var owedFrom = 0
  private var told: Set<Int> = []
  private var toldInStream: Set<Int> = []

  init(user: ID?) { self.user = user }

  /// - Parameter isBack: it comes with the id of an event.
  mutating func come(isBack: Bool, _ results: SimulatedResults) {
    toldInStream = []
    if !isBack { (owedFrom, told) = (results.all.count, []) }
  }

  /// - Returns: the first error; nil: none.
  mutating func take(_ number: Int, in rooms: [ID], _ results: SimulatedResults) -> String? {
    let entry = results.all[number]
    told.insert(number)
    if entry.user != user { return "the result \(number) is another user's" }
    if !rooms.contains(entry.room) { return "the result \(number) is of another room" }
    return toldInStream.insert(number).inserted ? nil : "the result \(number) came once more"
  }

  /// The first that it lacks.
  func lacks(in rooms: [ID], _ results: SimulatedResults) -> Int? {
    results.all[owedFrom...].first { $0.user == user && rooms.contains($0.room) && !told.contains($0.number) }?
      .number
  }
}

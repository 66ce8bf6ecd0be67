import RoomScreen

/// What a request for a room's next commands is answered with: the same for all who asked for them by one address.
package final class NextAnswer {
  package enum Kind {
    /// As JSON.
    case commands([UInt8])
    case snapshot([UInt8])
    /// There are none yet; ask again.
    case none
    /// The position is too old, or not one of this room: the room's snapshot is needed.
    case unknown
  }

  package let kind: Kind
  /// Packed, once for all who take that.
  private(set) lazy var packed = pack()

  init(_ kind: Kind) { self.kind = kind }

  private func pack() -> [UInt8]? {
    switch kind {
    case .commands(let json), .snapshot(let json): Gzip.packed(json)
    case .none, .unknown: nil
    }
  }
}

/// The requests for rooms' next commands (`GET /rooms/{roomId}/next`) that wait on one loop.
package struct NextRequests {
  typealias Answer = (NextAnswer) -> Void

  /// Those who ask for the same commands.
  private final class Group {
    let list: RoomList
    /// The position in the room's one partition after which they ask.
    let after: PartitionPosition
    var entries: [HistoryEntry]
    var answers: [Answer] = []
    var isAnswered = false

    init(_ list: RoomList, after: PartitionPosition, _ entries: [HistoryEntry]) {
      (self.list, self.after, self.entries) = (list, after, entries)
    }
  }

  private var groups: [ID: [PartitionPosition: Group]] = [:]
  /// Groups that have commands, by when these have been held for long enough.
  private var held: [(dueMs: Int64, group: Group)] = []
  /// Groups by when they have waited for long enough; some have commands by now.
  private var idle: ArraySlice<(dueMs: Int64, group: Group)> = []
  private let holdMs: Int64
  /// The lag of those who ask, in milliseconds.
  let lagMs: Int64

  /// Proxies give up a request that is silent for half a minute or a minute.
  package static let patienceMs: Int64 = 25_000

  /// - Parameter lagMs: of those who have streams.
  init(holdMs: Int64, lagMs: Int64) {
    self.holdMs = holdMs
    // What is held comes late by that; so long again takes the way through caches, which look twice a second whether
    // an answer has come, and the next question.
    self.lagMs = lagMs + 2 * holdMs
  }

  /// - Parameter missed: what came after `position`.
  mutating func add(
    _ list: RoomList, after position: PartitionPosition, missed: [StreamCommand], nowMs: Int64,
    _ answer: @escaping Answer
  ) {
    if let group = groups[list.rooms[0]]?[position] { return group.answers.append(answer) }
    let group = Group(list, after: position, missed.map(\.entry))
    group.answers = [answer]
    groups[list.rooms[0], default: [:]][position] = group
    if let first = group.entries.first {
      hold(group, since: first.readMs)
    } else {
      idle.append((nowMs + Self.patienceMs, group))
    }
  }

  private mutating func hold(_ group: Group, since readMs: Int64) {
    let dueMs = readMs + holdMs
    let place = held.lastIndex { $0.dueMs <= dueMs }.map { $0 + 1 } ?? 0
    held.insert((dueMs, group), at: place)
  }

  /// A command that all streams of its room are given, too.
  mutating func add(_ entry: HistoryEntry) {
    guard !groups.isEmpty, let groups = groups[entry.room] else { return }
    for group in groups.values {
      if entry.needsSnapshot {
        end(group, NextAnswer(.unknown))
      } else {
        group.entries.append(entry)
        if group.entries.count == 1 { hold(group, since: entry.readMs) }
      }
    }
  }

  /// Answers those whose time has come.
  ///
  /// - Parameter reached: the position up to which commands of a partition have been handed out.
  /// - Returns: the time at which others are due; nil: nobody waits.
  mutating func flush(nowMs: Int64, reached: (Int32) -> PartitionPosition) -> Int64? {
    let count = held.firstIndex { $0.dueMs > nowMs } ?? held.count
    let due = held.prefix(count)
    held.removeFirst(count)
    for (_, group) in due { end(group, answer(group, at: group.entries.last!.position)) }
    while let (dueMs, group) = idle.first, dueMs <= nowMs || group.isAnswered || !group.entries.isEmpty {
      idle.removeFirst()
      if group.isAnswered || !group.entries.isEmpty { continue }
      let position = reached(group.list.partitions[0])
      // Where other rooms had commands, a newer position lasts for longer.
      end(group, position == group.after ? NextAnswer(.none) : answer(group, at: position))
    }
    return [held.first?.dueMs, idle.first?.dueMs].compactMap(\.self).min()
  }

  private func answer(_ group: Group, at position: PartitionPosition) -> NextAnswer {
    var json = Array(#"{"id":"\#(Self.id(group.list, position))","lagMs":\#(lagMs),"commands":["#.utf8)
    for (number, entry) in group.entries.enumerated() {
      if number > 0 { json.append(UInt8(ascii: ",")) }
      json += entry.json
    }
    return NextAnswer(.commands(json + Array("]}".utf8)))
  }

  func answer(_ list: RoomList, at position: PartitionPosition, snapshot: [UInt8]) -> NextAnswer {
    NextAnswer(
      .snapshot(Array(#"{"id":"\#(Self.id(list, position))","snapshot":"#.utf8) + snapshot + [UInt8(ascii: "}")]))
  }

  /// The id that a stream of this room has there, but for the results of one viewer's grabs.
  private static func id(_ list: RoomList, _ position: PartitionPosition) -> String {
    String(decoding: StreamPosition(list: list.hash, positions: [position]).text, as: UTF8.self)
  }

  private mutating func end(_ group: Group, _ answer: NextAnswer) {
    guard !group.isAnswered else { return }
    group.isAnswered = true
    let room = group.list.rooms[0]
    groups[room]![group.after] = nil
    if groups[room]!.isEmpty { groups[room] = nil }
    for tell in group.answers { tell(answer) }
  }

  /// Ends the waiting of those whose rooms are as `isMeant` says.
  mutating func end(with kind: NextAnswer.Kind, where isMeant: (RoomList) -> Bool = { _ in true }) {
    for group in groups.values.flatMap(\.values) where isMeant(group.list) { end(group, NextAnswer(kind)) }
  }
}

import Replay
import RoomModel
import RoomScreen
import TestSupport
import Testing

/// A comparison expects and a search finds just what a worker published, from any place on, whatever of it is deleted.
struct PublishedLaws {
  private func comparison(_ log: PublishedLog, _ ranges: [PartitionRange], room: ID? = nil) throws -> OutputComparison {
    try OutputComparison(
      ranges, commandsOn: WorkedPartition.commands, resultsOn: WorkedPartition.results, room: room, log.logs)
  }

  /// All that is told.
  private func differences(_ comparison: OutputComparison) throws -> [String] {
    var told: [String] = []
    try comparison.run {
    } tell: {
      told.append("\($0.kind.rawValue) \($0.text)")
      return true
    }
    return told
  }

  @Test(arguments: UInt64(1)...3) func whatAWorkerPublishedIsAsExpectedFromAnyRecordOn(seed: UInt64) throws {
    let log = try PublishedLog(seed: seed)
    log.publish(log.published)
    var random = SplitMix64(seed: seed)
    for from in [0] + (0..<4).map({ _ in random.number(0...log.count - 1) }) {
      let ranges = try log.ranges(from: .offset(from))
      let first = ranges[0].offsets.lowerBound
      let comparison = try comparison(log, ranges)
      #expect(try differences(comparison) == [], "from \(first)")
      let expected = log.published.filter { $0.recordOffset >= first }
      #expect(comparison.commands == expected.filter { $0.topic == WorkedPartition.commands }.count)
      #expect(comparison.results == expected.filter { $0.topic == WorkedPartition.results }.count)
    }
  }

  @Test(arguments: UInt64(1)...3) func oneRoomIsHeldAgainstWhatIsItsOwn(seed: UInt64) throws {
    let log = try PublishedLog(seed: seed)
    log.publish(log.published)
    for room in PublishedLog.rooms {
      let comparison = try comparison(log, try log.ranges(), room: ID(room))
      #expect(try differences(comparison) == [])
      let expected = log.published.filter { $0.room == room }
      #expect(comparison.commands == expected.filter { $0.topic == WorkedPartition.commands }.count)
      #expect(comparison.results == expected.filter { $0.topic == WorkedPartition.results }.count)
    }
  }

  @Test(arguments: UInt64(1)...3) func whatIsDeletedIsNotMissing(seed: UInt64) throws {
    let log = try PublishedLog(seed: seed)
    log.publish(log.published)
    var random = SplitMix64(seed: seed)
    for _ in 0..<6 {
      for topic in [WorkedPartition.commands, WorkedPartition.results] {
        for partition in log.logs.topics[topic]!.indices {
          let count = log.logs.topics[topic]![partition].entries.count
          log.logs.topics[topic]![partition].first = random.number(0...Int64(count - 1))
        }
      }
      #expect(try differences(comparison(log, try log.ranges())) == [])
    }
  }

  @Test(arguments: UInt64(1)...3) func whatComesTwiceOrNotAtAllIsToldAsThat(seed: UInt64) throws {
    let log = try PublishedLog(seed: seed)
    var random = SplitMix64(seed: seed)
    for topic in [WorkedPartition.commands, WorkedPartition.results] {
      for _ in 0..<3 {
        // Of what comes before the first it can't be told.
        let of = log.published.indices.filter { log.published[$0].topic == topic }
        let at = random.one(of: of.filter { log.published[$0].recordOffset > log.published[of[0]].recordOffset })
        var others = log.published
        others.insert(others[at], at: at + 1)
        log.publish(others)
        #expect(try differences(comparison(log, try log.ranges())) == ["repeated \(others[at].json)"])
        let gone = others[at]
        others.removeSubrange(at...at + 1)
        log.publish(others)
        #expect(try differences(comparison(log, try log.ranges())) == ["missing \(gone.json)"])
      }
    }
  }

  /// One that names a record beyond the log's end is forged; one beyond the compared range alone is not.
  @Test(arguments: UInt64(1)...3) func `a command of a record that the log doesn't have is told as other`(
    seed: UInt64
  ) throws {
    let log = try PublishedLog(seed: seed)
    let last = try #require(log.published.last { $0.topic == WorkedPartition.commands })
    let forged = last.json.replacing("im.gifts/0/\(last.recordOffset)/", with: "im.gifts/0/\(log.count)/")
    #expect(forged != last.json)
    var one = last
    one.record.value = Array(forged.utf8)
    log.publish(log.published + [one])
    #expect(try differences(comparison(log, try log.ranges())) == ["other \(forged)"])
    var ranges = try log.ranges()
    ranges[0].offsets = 0..<log.count / 2
    log.publish(log.published)
    #expect(try differences(comparison(log, ranges)) == [])
  }

  /// The records before the first that is left are unknown.
  @Test(arguments: UInt64(1)...2) func aSearchFindsWhatIsThereAndKnowsWhatItCannotTell(seed: UInt64) throws {
    let log = try PublishedLog(seed: seed, count: 500)
    log.publish(log.published)
    let commands = log.published.filter { $0.topic == WorkedPartition.commands }
    var random = SplitMix64(seed: seed)
    for room in PublishedLog.rooms {
      let partition = commands.first { $0.room == room }!.partition
      let beside = commands.filter { $0.partition == partition }
      let first = random.one(of: [0, Int(random.number(0...Int64(beside.count / 2)))])
      log.logs.topics[WorkedPartition.commands]![partition].first = Int64(first)
      let begins = first == 0 ? commands[0].recordOffset : beside[first].recordOffset
      for _ in 0..<20 {
        let one = random.one(of: beside.filter { $0.room == room })
        let isThere = random.once(in: 2)
        // No record has 10,000 commands.
        let name = try #require(CommandName("im.gifts/0/\(one.recordOffset)/\(one.place + (isThere ? 0 : 10_000))"))
        // Small enough for halves.
        let near = random.one(of: [4, 16, 64, 2048] as [Int64])
        let search = try PublishedSearch(in: WorkedPartition.commands, room: ID(room), near: near, log.logs)
        let found = try search.find([name])[name]
        let isLeft = isThere && beside[first...].contains { $0.room == room && $0.json == one.json }
        let words =
          switch found {
          case .found(let command): command.json
          case .absent: "absent"
          case .unknown: "unknown"
          case .pending: "pending"
          }
        #expect(words == (isLeft ? one.json : one.recordOffset > begins ? "absent" : "unknown"), "\(name)")
      }
    }
  }

  private func finding(_ name: String, of room: String, _ log: PublishedLog) throws -> String {
    let name = try #require(CommandName(name))
    switch try PublishedSearch(in: WorkedPartition.commands, room: ID(room), near: 16, log.logs).find([name])[name] {
    case .found(let command): return command.json
    case .absent: return "absent"
    case .unknown: return "unknown"
    case .pending: return "pending"
    }
  }

  /// Workers are moved to a new topic in the middle of the log.
  @Test(arguments: UInt64(1)...3) func whatWasPublishedBeforeATopicBeginsIsNotMissing(seed: UInt64) throws {
    let log = try PublishedLog(seed: seed)
    log.publish(Array(log.published[log.middle...]))
    #expect(try differences(comparison(log, log.ranges())) == [])
    for room in PublishedLog.rooms { #expect(try differences(comparison(log, log.ranges(), room: ID(room))) == []) }
    let commands = log.published.filter { $0.topic == WorkedPartition.commands }
    let first = try #require(commands.first { $0.recordOffset >= log.count / 2 }).recordOffset
    var random = SplitMix64(seed: seed)
    for one in (0..<60).map({ _ in random.one(of: commands) }) {
      let name = "im.gifts/0/\(one.recordOffset)"
      let told = try finding("\(name)/\(one.place)", of: one.room, log)
      #expect(told == (one.recordOffset < log.count / 2 ? "unknown" : one.json), "\(name)")
      #expect(try finding("\(name)/10000", of: one.room, log) == (one.recordOffset > first ? "absent" : "unknown"))
    }
    let missing = try #require(log.published.indices.last { log.published[$0].topic == WorkedPartition.commands })
    log.publish(log.published[log.middle...].enumerated().filter { $0.offset + log.middle != missing }.map(\.element))
    #expect(try differences(comparison(log, log.ranges())) == ["missing \(log.published[missing].json)"])
  }

  /// A room's partition is another after the topic has grown.
  @Test(arguments: UInt64(1)...3) func whatWasPublishedBeforeATopicGrewIsFoundWhereItIs(seed: UInt64) throws {
    let log = try PublishedLog(seed: seed)
    log.publish(log.published, growingAt: log.middle)
    #expect(try differences(comparison(log, log.ranges())) == [])
    for room in PublishedLog.rooms { #expect(try differences(comparison(log, log.ranges(), room: ID(room))) == []) }
    let commands = log.published.filter { $0.topic == WorkedPartition.commands }
    var random = SplitMix64(seed: seed)
    for one in (0..<60).map({ _ in random.one(of: commands) }) {
      let name = "im.gifts/0/\(one.recordOffset)"
      #expect(try finding("\(name)/\(one.place)", of: one.room, log) == one.json)
      let isFirst = one.recordOffset == commands[0].recordOffset
      #expect(try finding("\(name)/10000", of: one.room, log) == (isFirst ? "unknown" : "absent"))
    }
    let at = try #require(
      log.published.indices.first {
        log.published[$0].topic == WorkedPartition.commands && log.published[$0].recordOffset > log.count / 4
      })
    log.publish(log.published.enumerated().filter { $0.offset != at }.map(\.element), growingAt: log.middle - 1)
    #expect(try differences(comparison(log, log.ranges())) == ["missing \(log.published[at].json)"])
    // Nor is it missing where it was deleted.
    for _ in 0..<6 {
      log.publish(log.published, growingAt: log.middle)
      for topic in [WorkedPartition.commands, WorkedPartition.results] {
        for partition in log.logs.topics[topic]!.indices {
          let count = log.logs.topics[topic]![partition].entries.count
          log.logs.topics[topic]![partition].first = random.number(0...Int64(count))
        }
      }
      #expect(try differences(comparison(log, log.ranges())) == [])
      for _ in 0..<20 {
        let one = random.one(of: commands)
        let name = "im.gifts/0/\(one.recordOffset)/\(one.place)"
        #expect(try ["unknown", one.json].contains(finding(name, of: one.room, log)), "\(name)")
      }
    }
  }
}

import Testing

/// A room's screen is a function of the log alone (STAGES.md, section 1), so the core has no way to ask
/// for anything else; nor has any other file that only decides, and leaves it to others to act.
struct CorePurityTests {
  static let pureTargets = ["RoomModel", "RoomEngine", "RoomScreen", "Recovery", "KafkaNames", "WorkerCore"]

  /// Modules that they know beside each other: for bytes, for settings, and for a checksum.
  private static let others: [String: Set<String>] = [
    "Recovery": ["JSON", "Wire", "Settings", "CZlib"], "WorkerCore": ["JSON", "Wire", "Settings"],
  ]

  /// Files of other targets.
  static let pureFiles = [
    "Sources/Gateway/Commands/CommandHistory.swift",
    "Sources/Gateway/Commands/Missed.swift",
    "Sources/Gateway/Commands/TopicProgress.swift",
  ]

  private static let files =
    pureTargets.map { "Sources/\($0)" }.flatMap(SourceTree.swift(under:))
    + SourceTree.swift(under: "Sources").filter { pureFiles.contains($0.path) }

  @Test func whatIsPureIsThere() {
    let paths = Set(Self.files.map(\.path))
    for file in Self.pureFiles { #expect(paths.contains(file)) }
    for target in Self.pureTargets { #expect(SourceTree.targets.contains(target)) }
  }

  /// A machine of states is made to be tried without what it steers.
  @Test func stateMachinesArePure() {
    let paths = Set(Self.files.map(\.path))
    for file in SourceTree.swift(under: "Sources") where file.path.hasSuffix("StateMachine.swift") {
      #expect(paths.contains(file.path))
    }
  }

  @Test func pureTargetsKnowOnlyEachOther() {
    for target in Self.pureTargets {
      let known = Self.others[target, default: []].union(Self.pureTargets)
      for other in Manifest.dependencies(of: target) where !known.contains(other) {
        Issue.record("\(target) is pure, but depends on \(other)")
      }
    }
  }

  /// A pattern, and what to use instead.
  private static let banned: [(pattern: String, instead: String)] = [
    (#"import (Foundation|Glibc|Synchronization|Dispatch|Platform)\b"#, "the standard library"),
    (#"\b(Continuous|Suspending|System|Monotonic|Wall)?Clock\b"#, "a LogTime that is handed in"),
    (#"\bDate\("#, "a LogTime that is handed in"),
    (#"\.random\(|\bSystemRandomNumberGenerator\b|\bUUID\("#, "numbers from a seed that is in the log"),
    (#"\bTask\b|\basync\b|\bawait\b|\bactor\b|\bMutex\b|\bAtomic\b"#, "a value that is returned"),
    (#"\b(Double|Float)\b"#, "integers: they are the same on every machine"),
    (#"\bprint\(|\bLog\("#, "a count that is returned"),
    // Codable asks for these two.
    (#"\bany (?!Decoder\b|Encoder\b)[A-Z]"#, "a concrete type"),
    (#"\bOpaquePointer\b|\bUnmanaged\b"#, "a value"),
    (#"\bKafka(?!Names\b|Error\b)[A-Z]\w*"#, "what it gave"),
    (#"\b(\w*Producer|\w*Consumer|Reader|Admin|RecordBatch|Output(Topic|Batch))\b"#, "what they gave"),
    (#"\b(SettingsFile|ConfigurationReader)\b|LogSettings\(file:"#, "settings that are handed in"),
  ]

  /// A word ends at a dot, too. By default it would not: between letters, a dot belongs to the word.
  private static func regex(_ pattern: String) throws -> Regex<AnyRegexOutput> {
    try Regex(pattern).wordBoundaryKind(.simple)
  }

  @Test(arguments: [
    "ContinuousClock.now", "MonotonicClock.nowMs()", "Task.sleep(1)", "Int.random(in: 1...2)", "Double.pi",
  ])
  func whatIsBannedIsFoundAlsoBeforeADot(line: String) throws {
    #expect(try Self.banned.contains { try line.contains(Self.regex($0.pattern)) })
  }

  @Test func theCoreAsksForNothingButItsInput() throws {
    for (pattern, instead) in Self.banned {
      let regex = try Self.regex(pattern)
      for file in Self.files {
        for (number, line) in file.code.enumerated() {
          if let match = line.firstMatch(of: regex) {
            Issue.record("\(file):\(number + 1) has '\(line[match.range])'; use \(instead)")
          }
        }
      }
    }
  }

  /// Hash tables are in another order in each process, so what decides walks them sorted. A walk whose order can't be
  /// seen says so: "In any order: …".
  @Test func nothingIsWalkedInTheOrderOfAHash() {
    for walk in HashWalks.walks(in: Self.files) {
      Issue.record("\(walk) walks a hash table; sort it, keep what is walked in an array, or say why any order will do")
    }
  }

  @Test(arguments: [
    ("var rooms: [String: Room] = [:]", "for (name, room) in rooms {"),
    ("private var rooms: [String: [Int64]]", "for name in rooms.keys where name != own {"),
    ("let rooms: Set<String>", "return rooms.map { $0.count }"),
    ("var rooms = Set<String>()", "let names = Array(rooms)"),
    ("let rooms = known[topic] ?? [:]", "self.rooms.values.forEach { $0.end() }"),
    ("func end(rooms: [String: Room], at now: Int64)", "rooms.first?.value.end()"),
  ])
  func aWalkInTheOrderOfAHashIsFound(declaration: String, walk: String) {
    func walks(_ line: String) -> Int {
      HashWalks.walks(in: [.init(path: "Sources/RoomEngine/A.swift", text: "  \(declaration)\n    \(line)")]).count
    }
    #expect(walks(walk) == 1)
    #expect(walks("// In any order: they are counted.\n    \(walk)") == 0)
    #expect(walks("for name in rooms.keys.sorted() { end(name) }") == 0)
    #expect(walks("rooms = rooms.filter { $0 != own }") == 0)
    #expect(walks("if rooms.contains(where: { $0.isEmpty }) { rooms.removeAll() }") == 0)
  }

  /// A table of a type in one file is walked in another.
  @Test func aWalkOfAMemberIsFoundInAnotherFile() {
    let files: [SourceTree.File] = [
      .init(path: "Sources/RoomEngine/A.swift", text: "struct A {\n  var rooms: [Int: Room] = [:]\n}"),
      .init(
        path: "Sources/RoomEngine/Stages/A+B.swift",
        text: "extension A {\n  func b() { for room in rooms { room.c() } }\n}"),
    ]
    #expect(HashWalks.walks(in: files).map(\.description) == ["Sources/RoomEngine/Stages/A+B.swift:2"])
  }
}

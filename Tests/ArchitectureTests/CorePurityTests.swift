import Testing

/// What a room's screen shows is a function of the log alone (STAGES.md, section 1), so the core has no way to ask
/// for anything else; nor has any other file that only decides, and leaves it to others to act.
struct CorePurityTests {
  static let pureTargets = ["RoomModel", "RoomEngine", "RoomScreen", "Recovery"]

  /// What they know beside each other: how bytes are read, which settings there are, and a checksum.
  private static let others: [String: Set<String>] = ["Recovery": ["Wire", "Settings", "CZlib"]]

  /// Of other targets.
  static let pureFolders = ["Sources/Worker/Member"]
  static let pureFiles = [
    "Sources/Gateway/Commands/CommandHistory.swift",
    "Sources/Gateway/Commands/Missed.swift",
    "Sources/Gateway/Commands/TopicProgress.swift",
    "Sources/Worker/Outbox.swift",
    "Sources/Worker/PartitionTask.swift",
    "Sources/Worker/PartitionTask+Commit.swift",
    "Sources/Worker/PartitionTask+Counts.swift",
    "Sources/Worker/TaskScratch.swift",
    "Sources/Worker/TopicPlan.swift",
  ]

  private static let files =
    (pureTargets.map { "Sources/\($0)" } + pureFolders).flatMap(SourceTree.swift(under:))
    + SourceTree.swift(under: "Sources").filter { pureFiles.contains($0.path) }

  @Test func whatIsPureIsThere() {
    let paths = Set(Self.files.map(\.path))
    for file in Self.pureFiles { #expect(paths.contains(file)) }
    for folder in Self.pureFolders { #expect(paths.contains { $0.hasPrefix("\(folder)/") }) }
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
    (#"\b(Kafka[A-Z]\w*|\w*Producer|\w*Consumer|Reader|Admin|RecordBatch|Output(Topic|Batch))\b"#, "what they gave"),
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

  /// Their order differs from process to process.
  @Test func nothingIsWalkedInTheOrderOfAHash() throws {
    let regex = try Self.regex(#"\bDictionary<|\bSet<|\[\w+: \w+\]\(\)|: \[\w+: \w+\]"#)
    for file in Self.files {
      for (number, line) in file.code.enumerated() where line.contains("for ") && line.contains(regex) {
        Issue.record("\(file):\(number + 1) walks a hash table; keep what is walked in an array")
      }
    }
  }
}

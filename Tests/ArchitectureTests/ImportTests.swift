import Testing

/// Who may know whom: the path of an event, read from left to right, and each C library behind one door.
struct ImportTests {
  /// Beside Swift's own modules.
  private static let allowed: [String: Set<String>] = [
    "RoomModel": [],
    "RoomEngine": ["RoomModel"],
    "RoomScreen": [],
    "FlyscreenClient": ["RoomScreen", "FoundationNetworking", "Observation"],
    "TerminalView": ["RoomScreen"],
    "Wire": ["RoomModel", "RoomScreen", "CSimdjson"],
    "Kafka": ["CRdKafka"],
    "Settings": ["RoomModel", "RoomEngine", "CYaml"],
    "HTTP": ["CLibevent"],
    "Probes": ["HTTP"],
    "Page": [],
    "Tokens": ["RoomModel", "Wire", "CJwt", "COpenSSL"],
    "Gateway": ["RoomModel", "RoomScreen", "Wire", "Kafka", "Settings", "HTTP", "Probes", "Page", "Tokens", "CZlib"],
    "Worker": ["RoomModel", "RoomEngine", "Wire", "Kafka", "Settings", "Probes"],
    "Simulation": ["RoomModel", "Wire"],
    "Replay": ["RoomModel", "RoomEngine", "Wire", "Kafka", "Settings", "Worker", "CZlib", "CZstd"],
  ]

  private static let swiftsOwn: Set<String> = ["Glibc", "Synchronization", "Foundation"]

  private static func imports(of file: SourceTree.File) -> [String] {
    file.code.compactMap { line in
      let words = line.split(separator: " ")
      guard let at = words.firstIndex(of: "import"), at + 1 < words.count,
        words[..<at].allSatisfy({ $0 == "public" || $0 == "package" || $0 == "internal" || $0.hasPrefix("@") })
      else { return nil }
      return String(words[at + 1])
    }
  }

  @Test(arguments: SourceTree.targets.filter { allowed[$0] != nil })
  func aTargetImportsOnlyWhatComesBeforeIt(target: String) {
    for file in SourceTree.swift(under: "Sources/\(target)") {
      for module in Self.imports(of: file)
      where !Self.allowed[target]!.contains(module) && !Self.swiftsOwn.contains(module) {
        Issue.record("\(file) imports \(module), which \(target) must not know")
      }
    }
  }

  /// A new target gets its line in `allowed`, or a reason why it has none.
  @Test func everyTargetHasItsRule() {
    let free: Set<String> = ["flyscreen"]
    let doors = SourceTree.targets.filter { $0.hasPrefix("C") && $0.dropFirst().first?.isUppercase == true }
    #expect(
      Set(SourceTree.targets).subtracting(free).subtracting(doors)
        == Set(Self.allowed.keys)
        .intersection(SourceTree.targets))
  }

  @Test func librdkafkaIsKnownToKafkaAlone() {
    for file in SourceTree.swift(under: "Sources") where !file.path.hasPrefix("Sources/Kafka/") {
      for (number, line) in file.code.enumerated() where line.contains("rd_kafka_") || line.contains("RD_KAFKA_") {
        Issue.record("\(file):\(number + 1) speaks librdkafka; have Kafka do it")
      }
    }
  }

  /// An application has no public; what clients take as a library has.
  @Test func nothingIsPublicButTheClientLibrary() throws {
    let regex = try Regex(#"^\s*(@\w+ )*(public|open) "#)
    let clientLibrary = ["Sources/RoomScreen/", "Sources/FlyscreenClient/"]
    for file in SourceTree.swift(under: "Sources") where !clientLibrary.contains(where: file.path.hasPrefix) {
      for (number, line) in file.code.enumerated() where line.contains(regex) {
        Issue.record("\(file):\(number + 1) is public; make it package")
      }
    }
  }
}

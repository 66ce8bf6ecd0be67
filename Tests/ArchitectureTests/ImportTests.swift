import Testing

/// Imports are those of Package.swift, and each C library is behind one door.
struct ImportTests {
  /// Modules that come with Swift.
  private static let swiftsOwn: Set<String> = ["Glibc", "Synchronization", "Foundation"]
  private static let swiftsOwnForSome: [String: Set<String>] = [
    "FlyscreenClient": ["FoundationNetworking", "Observation"],
    "FlyscreenClientTests": ["FoundationNetworking", "Observation", "SwiftUI"],
    "PackPage": ["PackagePlugin"], "RunMakeMessages": ["PackagePlugin"],
  ]

  private static func imports(of file: SourceTree.File) -> [String] {
    file.code.compactMap { line in
      let words = line.split(separator: " ")
      guard let at = words.firstIndex(of: "import"), at + 1 < words.count,
        words[..<at].allSatisfy({ $0 == "public" || $0 == "package" || $0 == "internal" || $0.hasPrefix("@") })
      else { return nil }
      return String(words[at + 1])
    }
  }

  private static func files(of target: Manifest.Target) -> [SourceTree.File] {
    SourceTree.swift(under: target.folder)
  }

  @Test(arguments: Manifest.targets)
  func aTargetImportsOnlyWhatItDeclares(target: Manifest.Target) {
    let allowed = Self.swiftsOwn.union(Self.swiftsOwnForSome[target.name] ?? []).union(target.dependencies)
      .union(target.isTest || target.name == "TestSupport" ? ["Testing"] : [])
    for file in Self.files(of: target) {
      for module in Self.imports(of: file) where !allowed.contains(module) {
        Issue.record("\(file) imports \(module), which Package.swift doesn't declare for \(target)")
      }
    }
  }

  @Test(arguments: Manifest.targets)
  func aTargetImportsAllThatItDeclares(target: Manifest.Target) {
    let imported = Set(Self.files(of: target).flatMap(Self.imports))
    for module in target.dependencies where !imported.contains(module) {
      Issue.record("\(target) declares \(module) in Package.swift, and imports it nowhere")
    }
  }

  /// `AndroidClient` is Java, which SwiftPM doesn't build.
  @Test func `every folder of Sources but AndroidClient is a target of its name`() {
    let declared = Manifest.targets.map(\.folder).filter { $0.hasPrefix("Sources/") }
    #expect((declared + ["Sources/AndroidClient"]).sorted() == SourceTree.targets.map { "Sources/\($0)" })
  }

  /// It is built for iOS, too.
  @Test func theClientLibraryKnowsNothingOfTheServer() {
    #expect(Manifest.dependencies(of: "FlyscreenClient") == ["RoomScreen"])
    #expect(Manifest.dependencies(of: "RoomScreen").isEmpty)
  }

  @Test func theBottomKnowsNobody() {
    // A part of the C library that Swift's Glibc leaves out.
    #expect(Manifest.dependencies(of: "Platform") == ["CMalloc"])
    #expect(Manifest.dependencies(of: "RoomModel").isEmpty)
  }

  @Test func librdkafkaIsKnownToKafkaAlone() {
    for file in SourceTree.swift(under: "Sources") where !file.path.hasPrefix("Sources/Kafka/") {
      for (number, line) in file.code.enumerated() where line.contains("rd_kafka_") || line.contains("RD_KAFKA_") {
        Issue.record("\(file):\(number + 1) speaks librdkafka; have Kafka do it")
      }
    }
  }

  /// An application has no public; what clients take as a library has. So has what passes with every record through all
  /// modules, since no other module inlines what is `package`.
  @Test func nothingIsPublicButTheClientLibraryTheModelAndJSON() throws {
    let regex = try Regex(#"^\s*(@\w+ )*(public|open) "#)
    // The last one writes Swift of others.
    let isPublic = [
      "Sources/RoomScreen/", "Sources/FlyscreenClient/", "Sources/RoomModel/", "Sources/JSON/", "Sources/MakeMessages/",
    ]
    for file in SourceTree.swift(under: "Sources") where !isPublic.contains(where: file.path.hasPrefix) {
      for (number, line) in file.code.enumerated()
      where line.contains(regex) && !line.hasPrefix("@_exported ") {
        Issue.record("\(file):\(number + 1) is public; make it package")
      }
    }
  }
}

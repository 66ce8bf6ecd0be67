// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
  plugins: [Target.PluginUsage] = []
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict, plugins: plugins)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
  name: "flyscreen",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "FlyscreenClient", targets: ["FlyscreenClient"]),
    // The fold alone, for a stream of the app's own.
    .library(name: "RoomScreen", targets: ["RoomScreen"]),
  ],
  targets: [
    // Makes the Swift of events and commands, for three targets, of Schemas/flyscreen.proto.
    .executableTarget(name: "MakeMessages", swiftSettings: strict),
    .plugin(
      name: "RunMakeMessages", capability: .buildTool(), dependencies: ["MakeMessages"],
      path: "Sources/RunMakeMessages"),

    // The operating system's clocks and threads. It knows nothing of rooms, Kafka or HTTP.
    library("Platform", ["CMalloc"]),

    // The core: words, and what they do to a room's screen. Nothing else goes in here.
    library("RoomModel", plugins: ["RunMakeMessages"]),
    library("RoomEngine", ["RoomModel"], exclude: ["Storage/README.md"]),

    // A room's screen: for clients as for the server, so it knows nothing of either.
    library("RoomScreen", plugins: ["RunMakeMessages"]),
    library("FlyscreenClient", ["RoomScreen"]),

    // A screen's rooms as a terminal shows them.
    library("TerminalView", ["RoomScreen"]),

    // Bytes in, bytes out: JSON of any kind, then the events, commands and results.
    .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
    library("JSON", ["RoomModel", "CSimdjson"]),
    library("Wire", ["RoomModel", "RoomScreen", "JSON"], plugins: ["RunMakeMessages"]),

    // librdkafka, as Swift values.
    .systemLibrary(name: "CRdKafka", pkgConfig: "rdkafka", providers: [.apt(["librdkafka-dev"])]),
    .target(name: "CUnpack"),
    library("KafkaNames"),
    library("Kafka", ["Platform", "KafkaNames", "CRdKafka", "CUnpack"]),

    // Log, metrics and probes, which every long-running command needs.
    .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    library("Settings", ["Platform", "RoomModel", "RoomEngine", "Wire", "CYaml"]),
    .systemLibrary(
      name: "CLibevent", pkgConfig: "libevent_openssl", providers: [.apt(["libevent-dev", "libssl-dev"])]),
    library("HTTP", ["Platform", "CLibevent"]),
    library("Probes", ["Platform", "HTTP"]),
    library("KafkaProbes", ["RoomModel", "JSON", "Kafka", "Probes"]),

    // The program's word of its commit. The Makefile tells it, so that a build by hand needs no git.
    .target(
      name: "Build",
      cSettings: [.define("FLYSCREEN_COMMIT", to: "\"\(Context.environment["FLYSCREEN_COMMIT"] ?? "unknown")\"")]),

    // The page of a room in a browser: packed by esbuild, and embedded.
    .target(
      name: "Page", exclude: ["README.md", "site", "pack", "types"], swiftSettings: strict, plugins: ["PackPage"]),
    .plugin(name: "PackPage", capability: .buildTool(), path: "Sources/PackPage"),

    // The page of a room over time, embedded file by file.
    .target(name: "TimelineSite", exclude: ["site"]),

    // Tokens, which say who may see which room.
    .systemLibrary(name: "CJwt", pkgConfig: "libjwt", providers: [.apt(["libjwt-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    library("Tokens", ["Platform", "RoomModel", "RoomScreen", "JSON", "CJwt", "COpenSSL"]),

    // Commands to viewers.
    library(
      "Gateway",
      [
        "Platform", "RoomModel", "RoomScreen", "JSON", "Wire", "Kafka", "Settings", "HTTP", "Probes", "KafkaProbes",
        "Page",
        "Tokens", "CZlib",
      ],
      exclude: ["README.md"]),

    // Records that a worker writes so that rooms can be restored, and the restoring: for workers and for replays.
    library("Recovery", ["RoomModel", "RoomEngine", "JSON", "Wire", "Settings", "CZlib"]),

    // What a worker decides: it can't ask Kafka, nor a clock.
    library("WorkerCore", ["RoomModel", "RoomEngine", "JSON", "Wire", "Settings", "Recovery", "KafkaNames"]),
    library(
      "Worker",
      [
        "Platform", "RoomModel", "RoomEngine", "JSON", "Wire", "Kafka", "Settings", "Probes", "KafkaProbes", "Recovery",
        "WorkerCore",
      ],
      exclude: ["README.md", "LostEnds/README.md"]),
    library("Simulation", ["RoomModel"]),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    library(
      "Replay",
      [
        "Platform", "RoomModel", "RoomEngine", "RoomScreen", "JSON", "Wire", "Kafka", "Settings", "Recovery",
        "TimelineSite",
        "CZlib", "CZstd",
      ],
      exclude: ["README.md"]),
    .executableTarget(
      name: "flyscreen",
      dependencies: [
        "Platform", "RoomModel", "RoomEngine", "RoomScreen", "TerminalView", "JSON", "Wire", "Kafka", "Settings",
        "HTTP",
        "Probes", "Page", "Gateway", "Worker", "Simulation", "Recovery", "Replay", "Tokens", "Build",
      ],
      swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["RoomModel", "RoomEngine"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .systemLibrary(name: "CEpoll", path: "Tests/Benchmarks/CEpoll"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "RoomModel", "RoomEngine", "JSON", "Wire", "Kafka", "Platform", "Simulation", "Settings", "Recovery", "Worker",
        "CEpoll", "COpenSSL",
      ],
      path: "Tests/Benchmarks",
      exclude: [
        "RESULTS.md", "bench.py", "CEpoll", "check", "clients.h", "combos.c", "containers", "floor.c", "gateway",
        "page", "sizing", "worker",
      ],
      swiftSettings: strict),
    // Wire for programs in other languages that hold it against the schema.
    .executableTarget(
      name: "WireTool", dependencies: ["RoomModel", "JSON", "Wire"], path: "Tests/WireTool", swiftSettings: strict),
    // The client library, for tests in Python of what is between it and a gateway.
    .executableTarget(
      name: "ScreenTool", dependencies: ["FlyscreenClient"], path: "Tests/ScreenTool", swiftSettings: strict),
    // Readers of others' bytes, on bytes that nobody would write.
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "RoomModel", "RoomEngine", "RoomScreen", "FlyscreenClient", "TerminalView", "JSON", "Wire", "Settings", "HTTP",
        "Tokens", "Gateway", "Recovery", "Replay", "TestSupport",
      ],
      path: "Tests/Fuzz", exclude: ["Corpus", "fuzz", "words"], swiftSettings: strict),
    tests("PlatformTests", ["Platform"]),
    tests("RoomEngineTests", ["RoomModel", "RoomEngine", "TestSupport"]),
    tests("RoomScreenTests", ["RoomModel", "RoomEngine", "RoomScreen", "Wire", "TestSupport"]),
    tests(
      "TerminalViewTests",
      ["RoomModel", "RoomEngine", "RoomScreen", "TerminalView", "JSON", "Wire", "Simulation", "TestSupport"]),
    tests(
      "FlyscreenClientTests",
      ["FlyscreenClient", "Gateway", "Kafka", "Probes", "Settings", "JSON", "Wire", "TestSupport"]),
    tests("WireTests", ["RoomModel", "RoomScreen", "JSON", "Wire", "TestSupport"]),
    tests("KafkaTests", ["Kafka"]),
    tests("SettingsTests", ["RoomModel", "RoomEngine", "Settings"]),
    tests("HTTPTests", ["Platform", "HTTP", "TestSupport"]),
    tests(
      "GatewayTests",
      [
        "RoomModel", "RoomEngine", "RoomScreen", "Wire", "Kafka", "Settings", "HTTP", "Probes", "Gateway",
        "TestSupport",
      ]),
    tests("ProbesTests", ["HTTP", "Probes"]),
    tests("KafkaProbesTests", ["Kafka", "KafkaProbes", "Probes"]),
    tests("TokensTests", ["RoomScreen", "Tokens", "COpenSSL"]),
    tests(
      "RecoveryTests", ["RoomModel", "RoomEngine", "JSON", "Wire", "Settings", "Recovery", "TestSupport"]),
    tests(
      "WorkerTests",
      [
        "Platform", "RoomModel", "RoomEngine", "JSON", "Wire", "Kafka", "Settings", "Probes", "Recovery", "Worker",
        "TestSupport",
      ]),
    tests("SimulationTests", ["RoomModel", "RoomEngine", "Simulation"]),
    tests(
      "ReplayTests",
      [
        "RoomModel", "RoomEngine", "RoomScreen", "JSON", "Wire", "Kafka", "Settings", "Recovery", "Replay",
        "TestSupport",
      ]),
    tests("CommandLineTests", ["RoomModel", "Kafka", "TestSupport"]),
    tests("ArchitectureTests", []),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

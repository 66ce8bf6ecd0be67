import Glibc

/// `Benchmarks [NAME …] [--count N]`; without a name, all that need nothing but this machine (`make bench`).
///
/// `fill` and `latency` are parts of the benchmark of a whole worker, which `Tests/Benchmarks/worker` runs; they work
/// on the broker that BENCH_BOOTSTRAP names. `feed` and `streams` are parts of that of the gateway, which
/// `Tests/Benchmarks/gateway` runs.
@main
enum Benchmarks {
  private typealias Benchmark = (name: String, run: @Sendable (Options) throws -> Void)

  private static let alone: [Benchmark] = [
    ("record", RecordBenchmark.run), ("goals", RecordBenchmark.compareGoals),
    ("engine", { EngineBenchmark.run(count: try $0.integer("count")) }),
    ("room", { RoomBenchmark.run(count: try $0.integer("count")) }),
    ("decode", DecodeBenchmark.run), ("encode", EncodeBenchmark.run), ("mapped", MappedBenchmark.run),
  ]

  private static let withBroker: [Benchmark] = [
    ("fill", BacklogFill.run), ("latency", LatencyBenchmark.run), ("feed", CommandFeed.run),
    ("streams", StreamLoad.run),
  ]

  static func main() {
    do {
      let options = try Options(
        CommandLine.arguments.dropFirst(),
        known: [
          "count", "goals", "format", "topic", "commands", "pace", "rate", "seconds", "rooms", "times", "first",
          "nchan",
          "address", "path", "part", "streams", "tls",
        ])
      let known = alone.map(\.name) + withBroker.map(\.name)
      if let unknown = options.words.first(where: { !known.contains($0) }) {
        throw Refusal("there is no \(unknown); there is \(known.joined(separator: ", "))")
      }
      Report.text("machine: \(Machine.description)")
      Report.text("command: \(CommandLine.arguments.joined(separator: " "))")
      for benchmark in alone where options.words.isEmpty || options.words.contains(benchmark.name) {
        try benchmark.run(options)
      }
      for benchmark in withBroker where options.words.contains(benchmark.name) { try benchmark.run(options) }
    } catch {
      Report.text("Benchmarks: \((error as? Refusal)?.reason ?? "\(error)")")
      exit(error is Refusal ? 64 : 1)
    }
  }
}

import Glibc

/// `Benchmarks [NAME …] [--count N]`; without a name, all of them. (`make bench`)
@main
enum Benchmarks {
  private static let all: [(name: String, run: @Sendable (_ count: Int?) -> Void)] = [
    ("engine", EngineBenchmark.run), ("room", RoomBenchmark.run), ("decode", DecodeBenchmark.run),
    ("encode", EncodeBenchmark.run),
  ]

  static func main() {
    var names: [String] = []
    var count: Int?
    var words = CommandLine.arguments.dropFirst().makeIterator()
    while let word = words.next() {
      if word == "--count" {
        guard let number = words.next().flatMap({ Int($0) }), number > 0 else { refuse("--count needs a number") }
        count = number
      } else if all.contains(where: { $0.name == word }) {
        names.append(word)
      } else {
        refuse("there is no \(word); there is \(all.map(\.name).joined(separator: ", "))")
      }
    }
    Report.text("machine: \(Machine.description)")
    Report.text("command: \(CommandLine.arguments.joined(separator: " "))")
    for benchmark in all where names.isEmpty || names.contains(benchmark.name) { benchmark.run(count) }
  }

  private static func refuse(_ reason: String) -> Never {
    Report.text("Benchmarks: \(reason)")
    exit(64)
  }
}

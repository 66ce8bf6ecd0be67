import Testing

/// Benchmarks still run; their speed is not tested.
struct BenchmarksTests {
  @Test func everyBenchmarkRunsAndSaysWhereAndHow() throws {
    let outcome = try Program.run(["--count", "2000"], program: "Benchmarks")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("machine: ") == true)
    for line in ["command: ", "engine flood", "engine evening", "room with 10 combos", "decode json", "encode json"] {
      #expect(lines.contains { $0.hasPrefix(line) }, "\(line) is missing:\n\(outcome.output)")
    }
  }

  @Test func whatTheEngineMakesOfTheBacklogIsAlwaysTheSame() throws {
    func hashes() throws -> [Substring] {
      let outcome = try Program.run(["engine", "--count", "20000"], program: "Benchmarks")
      return outcome.output.matches(of: /hash (\w+)/).map(\.output.1)
    }
    let first = try hashes()
    #expect(first.count == 2)
    #expect(try first == hashes())
  }

  @Test func anUnknownBenchmarkIsRefusedWithThoseThatAreThere() throws {
    let outcome = try Program.run(["engin"], program: "Benchmarks")
    #expect(outcome.status == 64)
    #expect(outcome.output.contains("there is no engin; there is record, goals, engine, "))
  }
}

import Foundation
import Testing

/// The readers of others' bytes survive every input that ever crashed one, and some thousands more that are much like
/// valid ones. `make fuzz` looks for more.
struct FuzzTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fuzz/Corpus")

  static let targets =
    (try? Program.run(["targets"], program: "Fuzz").output.split(separator: "\n").map(String.init)) ?? []

  @Test func thereAreTargets() throws {
    #expect(Self.targets.count > 10)
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
    #expect(Set(folders).isSubset(of: Self.targets), "a folder of the corpus that no target reads")
  }

  @Test(arguments: targets)
  func nothingThatComesInEndsTheProcess(target: String) throws {
    let outcome = try Program.run(
      ["run", target, "1000", Self.corpus.appending(path: target).path],
      environment: ["SWIFT_BACKTRACE": "enable=no"], program: "Fuzz")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func whatEndsTheProcessIsTold() throws {
    let outcome = try Program.run(["run", "no-such", "1"], program: "Fuzz")
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("Fuzz: run takes a target, one of: events-json, "))
  }
}

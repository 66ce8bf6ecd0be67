import Foundation

/// Runs what reads others' bytes on bytes that nobody would write: whatever comes in may be refused, but may not end the
/// process.
///
///     Fuzz targets                             their names
///     Fuzz seeds TARGET FOLDER                 writes what the target begins with as files
///     Fuzz run TARGET ROUNDS [FOLDER|FILE …]   what it begins with, these files, and ROUNDS mutations of all that
///     Fuzz hunt TARGET [ARGUMENT …]            looks for what ends it; libFuzzer's arguments (built by `make fuzz`)
@main
enum Fuzz {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let verb = words.first else { return leave("say what is to be done: targets, seeds, run or hunt") }
    if verb == "targets" { return print(FuzzTarget.all.map(\.name).joined(separator: "\n")) }
    guard words.count > 1, let target = FuzzTarget.all.first(where: { $0.name == words[1] }) else {
      return leave("\(verb) takes a target, one of: \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
    }
    let rest = Array(words.dropFirst(2))
    switch verb {
    case "seeds" where rest.count == 1: try write(seedsOf: target, into: rest[0])
    case "run":
      guard let rounds = rest.first.flatMap({ Int($0) }) else { return leave("run takes a number of rounds") }
      try run(target, rounds: rounds, files: rest.dropFirst())
    case "hunt": hunt(target, rest)
    default: leave("there is no '\(verb)' with that: targets, seeds, run or hunt")
    }
  }

  private static func leave(_ why: String) {
    try? FileHandle.standardError.write(contentsOf: Data("Fuzz: \(why)\n".utf8))
    exit(64)
  }

  private static func write(seedsOf target: FuzzTarget, into folder: String) throws {
    for (number, seed) in target.seeds().enumerated() { try Files.write(seed, to: "\(folder)/seed-\(number)") }
  }

  private static func run(_ target: FuzzTarget, rounds: Int, files: ArraySlice<String>) throws {
    Input.reportCrashes()
    let inputs = target.seeds() + (try files.flatMap { try Files.read(all: $0) })
    for input in inputs { Input.run(target, input) }
    var mutator = Mutator(inputs: inputs)
    for _ in 0..<rounds { Input.run(target, mutator.next()) }
    print("\(target.name): \(inputs.count) inputs, \(rounds) mutations")
  }

  private static func hunt(_ target: FuzzTarget, _ arguments: [String]) {
    #if LIBFUZZER
      LibFuzzer.run(target, arguments)
    #else
      leave("hunt needs libFuzzer: make fuzz")
    #endif
  }
}

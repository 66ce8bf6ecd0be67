import Build
import Glibc
import Settings

/// The program: one word (or two) picks a command, the rest is the command's.
@main
enum Flyscreen {
  /// All commands, in the order of the help.
  static let commands: [Subcommand] =
    [.demo, .topicsCreate, .worker, .gateway, .gatewayPartitions, .simulate] + Subcommand.sends
    + [.tail, .record, .replay, .explain, .map, .check, .transactions, .settings]

  static func main() {
    let words = (1..<max(1, flyscreen_argument_count())).map { String(cString: flyscreen_argument($0)) }
    exit(run(words, environment: .ofThisProcess()).rawValue)
  }

  static func run(_ words: [String], environment: [String: String]) -> ExitStatus {
    switch words.first {
    case nil, "":
      printError("a command is missing; flyscreen --help shows them")
      return .usage
    case "help" where words.count > 1: return run(words.dropFirst() + ["--help"], environment: environment)
    case "--help", "-h", "help":
      print(help, terminator: "")
      return .done
    case "--version":
      print(BuildInfo.text)
      return .done
    case "--man":
      print(ManPage.text, terminator: "")
      return .done
    case "--complete":
      for word in Completion.candidates(Array(words.dropFirst())) { print(word) }
      return .done
    default: break
    }
    if let command = command(beginning: words) {
      return command.start(Array(words.dropFirst(command.words.count)), environment: environment)
    }
    return unknown(words)
  }

  /// The one with the longest name that the words begin with: `gateway partitions` is not `gateway`.
  static func command(beginning words: some Sequence<String>) -> Subcommand? {
    commands.filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
  }

  private static func unknown(_ words: [String]) -> ExitStatus {
    let family = commands.filter { $0.words.count > 1 && $0.words[0] == words[0] }
    if words.contains("--help") || words.contains("-h"), !family.isEmpty {
      print(family.map(\.usage).joined(), terminator: "")
      return .done
    }
    if let first = family.first {
      printError(
        "\(words[0]) is not all of a command; there is: \(family.map(\.name).joined(separator: ", "))"
          + " (flyscreen \(first.name) --help)")
      return .usage
    }
    if words[0].hasPrefix("-") {
      printError("the command comes first: flyscreen COMMAND \(words[0]) …; flyscreen --help shows all")
      return .usage
    }
    let nearest = NearestName.of(words[0], among: commands.map { $0.words[0] })
    let name = commands.first { $0.words[0] == nearest }?.name ?? ""
    printError("there is no command \(words[0]); the nearest is \(name), and flyscreen --help shows all")
    return .usage
  }

  /// One line, on stderr.
  static func printError(_ line: String) {
    let line = line.split(whereSeparator: \.isNewline).joined(separator: " ")
    let bytes = Array("flyscreen: \(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}

extension [String: String] {
  static func ofThisProcess() -> [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
        variables[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
      }
      next += 1
    }
    return variables
  }
}

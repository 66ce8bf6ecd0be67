import Kafka
import Settings

/// The words with which a command line may go on, for Deploy/completion.bash.
enum Completion {
  /// - Parameter words: the words after the program's name; the last is the beginning of the word to complete.
  static func candidates(_ words: [String]) -> [String] {
    let begun = words.last ?? ""
    let before = words.dropLast()
    guard let command = Flyscreen.command(beginning: before) else {
      let next = Flyscreen.commands.filter { $0.words.starts(with: before) && $0.words.count > before.count }
      let own = before.isEmpty ? ["--help", "--version"] : []
      return offered((next.map { $0.words[before.count] } + own), begun)
    }
    var flags = command.options.map { "--\($0.name)" } + ["--config", "--help"]
    flags += Configuration.settings(in: command.settings).map { "--\($0.name)" }
    if begun.hasPrefix("--kafka."), command.settings.contains("kafka") {
      flags += KafkaProperties.names.map { "--kafka.\($0)" }
    } else if command.settings.contains("kafka") {
      flags.append("--kafka.bootstrap.servers")
    }
    return begun.hasPrefix("-") ? offered(flags, begun) : []
  }

  private static func offered(_ words: [String], _ begun: String) -> [String] {
    Set(words.filter { $0.hasPrefix(begun) }).sorted()
  }
}

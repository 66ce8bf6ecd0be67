import Replay
import RoomModel
import Settings

extension LogInput {
  /// The settings in force before the first line of a topic: the defaults. Its journal tells what differs.
  static func topicSettings(_ invocation: Invocation, for command: String) throws -> LogSettings {
    let others =
      "the journal tells the settings that were in force; what others would have given, replay --what-if FILE shows"
    if invocation.arguments.has("settings") {
      throw SettingsError("--settings goes with --input and a file that begins with none: \(others)")
    }
    try checkOthers(invocation, for: command, others)
    return LogSettings()
  }

  /// A saved log, and the settings in force before its first line: `--settings`, or else the process's own; neither has a
  /// say where that line tells others. Before a line that tells all of them `--settings` is refused.
  static func openFile(
    _ path: String, _ invocation: Invocation, for command: String
  ) throws -> (source: any LogSource, settings: LogSettings) {
    let file = invocation.arguments["settings"]
    if file != nil {
      try checkOthers(invocation, for: command, "--settings says which are in force before the first line")
    }
    let source = try LogFileSource(path: path)
    guard try source.tellsSettings() else {
      var settings = try file.map { try LogSettings(file: $0) } ?? invocation.configuration.logSettings
      settings.mappings = try invocation.mapping()
      return (source, settings)
    }
    let others =
      "the first line of \(path) tells the settings that were in force; what others would have given, replay --what-if"
      + " FILE shows"
    if let file {
      if try source.tellsAllSettings() { throw SettingsError("--settings has no say here, leave it out: \(others)") }
      // The line comes after them, and is in force from there on.
      return (source, try LogSettings(file: file))
    }
    try checkOthers(invocation, for: command, others)
    return (source, LogSettings())
  }

  /// Says, once all of a log was played, whether older rules worked through some of it.
  static func printOldRules(_ rules: Int64, _ command: String) {
    guard rules < LogRules.current else { return }
    Flyscreen.printError("\(command): not exact: \(LogRules.changed(since: rules)): some commands may be others now")
  }

  /// Refuses a flag that sets one where the process's own don't count. Those in the environment or the file of `--config`
  /// may be meant for others, so they are only named.
  private static func checkOthers(_ invocation: Invocation, for command: String, _ others: String) throws {
    let names = LogSettings.table.map(\.name)
    if let flag = invocation.arguments.settings.first(where: { names.contains($0.name) }) {
      throw SettingsError("--\(flag.name) has no say here, leave it out: \(others)")
    }
    let named = changed(in: invocation.configuration.logSettings)
    if !named.isEmpty {
      Flyscreen.printError(
        "\(command): \(named.joined(separator: ", ")) of the environment or --config \(named.count == 1 ? "has" : "have")"
          + " no say here: \(others)")
    }
  }

  /// The settings that differ from the defaults.
  private static func changed(in settings: LogSettings) -> [String] {
    let defaults = LogSettings()
    return LogSettings.table.filter { $0.text(settings) != $0.text(defaults) }.map(\.name)
  }
}

import Replay
import RoomModel
import Settings

extension LogInput {
  /// Those in force before the first line: of a file, what `--settings` or else the process says; of a topic, whose
  /// journal tells what differs from the defaults, `--settings` or the defaults.
  ///
  /// Where the process's own don't count, a flag that sets one is refused. In the environment or the file of `--config`
  /// they may be meant for others, so they are only named.
  static func settings(_ invocation: Invocation, for command: String) throws -> LogSettings {
    let (file, isTopic) = (invocation.arguments["settings"], !invocation.arguments.has("input"))
    guard file != nil || isTopic else { return invocation.configuration.logSettings }
    let others =
      isTopic
      ? "the journal tells the settings that were in force; what others would have given, replay --what-if FILE shows"
      : "--settings says which are in force before the first line"
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
    return try file.map { try LogSettings(file: $0) } ?? LogSettings()
  }

  /// Those that differ from the defaults.
  private static func changed(in settings: LogSettings) -> [String] {
    let defaults = LogSettings()
    return LogSettings.table.filter { $0.text(settings) != $0.text(defaults) }.map(\.name)
  }
}

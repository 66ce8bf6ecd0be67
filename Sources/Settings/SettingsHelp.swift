internal import RoomModel

/// The table of settings, for people.
extension Configuration {
  /// The settings of some groups, in the order of the table. A name stands for its setting alone.
  package static func settings(in groups: [String]) -> [Setting<Configuration>] {
    table.filter { groups.contains(String($0.group)) || groups.contains($0.name) }
  }

  /// All groups.
  package static let allGroups = groups(of: table.map(\.group)) + ["kafka"]

  /// The groups that decide what a log's commands are, without `topics`.
  package static let logGroups = groups(of: LogSettings.table.map(\.group)).filter { $0 != "topics" }

  /// The names of the settings that a room can have of its own.
  package static let roomNames = RoomSetting.allCases.map(\.rawValue)

  private static func groups(of settings: [Substring]) -> [String] {
    settings.reduce(into: []) { if $0.last != String($1) { $0.append(String($1)) } }
  }

  /// The settings of some groups, with their values and defaults: a line each, for `--help`.
  package static func help(groups: [String]) -> String {
    let defaults = Configuration()
    var rows = settings(in: groups).map { setting in
      let value = setting.text(defaults)
      let help = "\(setting.help) (\(shortened(setting.values)))"
      return ("--\(setting.name)", value.isEmpty ? help : "\(help) [\(value)]")
    }
    if groups.contains("kafka") {
      rows.append(("--kafka.bootstrap.servers", "brokers (HOST:PORT,…); every property of librdkafka is a setting too"))
    }
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, help in
      "  \(name)\(String(repeating: " ", count: width - name.count))  \(help)\n"
    }.joined()
  }

  /// All of them, as Deploy/SETTINGS.md has them (Markdown).
  package static var settingsPageTable: String {
    let defaults = Configuration()
    var text = "| setting | default | values | what it is |\n| --- | --- | --- | --- |\n"
    for setting in table {
      let value = setting.text(defaults)
      let values = shortened(setting.values)
      text += "| `\(setting.name)` | \(value.isEmpty ? "" : "`\(value)`") | \(values) | \(setting.help) |\n"
    }
    return text
  }

  private static func shortened(_ values: String) -> String { values.replacing("1000000000", with: "10⁹") }
}

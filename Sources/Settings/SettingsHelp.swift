/// The table of settings, for people.
extension Configuration {
  /// Those of some groups, with their defaults: a line each, for `--help`.
  package static func help(groups: [String]) -> String {
    let defaults = Configuration()
    let rows = table.filter { groups.contains(String($0.group)) }.map { setting in
      let value = setting.text(defaults)
      return ("--\(setting.name)", value.isEmpty ? setting.help : "\(setting.help) [\(value)]")
    }
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, help in
      "  \(name)\(String(repeating: " ", count: width - name.count))  \(help)\n"
    }.joined()
  }

  /// All of them, as the README has them (Markdown).
  package static var readmeTable: String {
    let defaults = Configuration()
    var text = "| setting | default | values | what it is |\n| --- | --- | --- | --- |\n"
    for setting in table {
      let value = setting.text(defaults)
      let values = setting.values.replacing("1000000000", with: "10⁹")
      text += "| `\(setting.name)` | \(value.isEmpty ? "" : "`\(value)`") | \(values) | \(setting.help) |\n"
    }
    return text
  }
}

import Settings

extension Subcommand {
  static let settings = Subcommand(
    name: "settings",
    summary: "prints the settings in force and the origin of each; hides secrets",
    settings: Configuration.allGroups,
    tellsAllProblems: true
  ) { invocation in
    var output = StandardOutput()
    for line in SettingLine.all(invocation.configuration, invocation.origins) { output.append("\(line)\n") }
    try output.flush()
    return .done
  }
}

/// A setting with its value and where that comes from.
struct SettingLine: CustomStringConvertible {
  let name: String
  let value: String
  let origin: Origin

  var description: String { "\(name) = \(value)  (\(origin))" }

  /// The settings in the order of `--help`, then librdkafka's.
  static func all(_ configuration: Configuration, _ origins: [String: Origin]) -> [SettingLine] {
    let own = Configuration.table.map {
      SettingLine(name: $0.name, value: $0.text(configuration), origin: origins[$0.name] ?? .byDefault)
    }
    let kafka = configuration.kafka.sorted { $0.key < $1.key }.map { property, value in
      SettingLine(
        name: "kafka.\(property)", value: isSecret(property) ? "(hidden)" : value,
        origin: origins["kafka.\(property)"] ?? .byDefault)
    }
    return own + kafka
  }

  /// Passwords, keys and whatever may carry one. The name of a file is none.
  static func isSecret(_ property: String) -> Bool {
    if property.hasSuffix(".file") || property.hasSuffix(".location") { return false }
    let words = ["password", "secret", "ssl.key.pem", "sasl.jaas", "oauthbearer.config", "token"]
    return words.contains { property.contains($0) }
  }
}

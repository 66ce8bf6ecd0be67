import Settings

extension Flyscreen {
  static var help: String {
    let width = commands.map(\.name.count).max() ?? 0
    let list = commands.map { command in
      "  \(command.name)\(String(repeating: " ", count: width - command.name.count))  \(command.summary)\n"
    }
    return """
      flyscreen turns what viewers of live rooms send into what their screens draw, from Kafka to Kafka, exactly once.

      usage: flyscreen COMMAND [--config FILE] [--SETTING VALUE …]

      \(list.joined())
      Every setting is a flag (--gift.comboWindowMs 3000), an environment variable (GIFT_COMBO_WINDOW_MS) and a name in
      the file (YAML or JSON); a flag beats the environment, which beats the file. librdkafka's properties are settings
      under kafka. (--kafka.bootstrap.servers HOST:PORT). flyscreen COMMAND --help shows what a command takes.

      exit status: 0 done, 3 can't tell (a replay needs records that were deleted), 64 wrong usage or settings, 65 another
      worker has this one's worker.id, 69 a broker that can't be reached, 1 anything else

      """
  }
}

extension Subcommand {
  /// One line.
  var usage: String {
    let own = options.map { option in
      let flag = "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
      return needs.contains(option.name) ? " \(flag)" : " [\(flag)]"
    }
    return "usage: flyscreen \(name)\(own.joined()) [--config FILE] [--SETTING VALUE …]"
      + (operands.isEmpty ? "" : " \(operands)") + "\n"
  }

  var help: String {
    var text = "\(usage)\n\(summary)\n" + (note.isEmpty ? "" : "\(note)\n")
    if !options.isEmpty {
      let rows = options.map { ("--\($0.name)" + ($0.value.map { " " + $0 } ?? ""), $0.help) }
      let width = rows.map(\.0.count).max() ?? 0
      text += "\noptions:\n"
      for (flag, help) in rows {
        text += "  \(flag)\(String(repeating: " ", count: width - flag.count))  \(help)\n"
      }
    }
    if !settings.isEmpty {
      text += "\nsettings:\n" + Configuration.help(groups: settings)
    }
    return text
  }
}

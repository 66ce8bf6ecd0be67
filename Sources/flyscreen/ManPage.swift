import Settings

/// The help of all commands as a manual page, `flyscreen(1)`.
enum ManPage {
  static var text: String {
    var text = """
      .TH FLYSCREEN 1 "" "flyscreen \(BuildInfo.version)" "User Commands"
      .SH NAME
      flyscreen \\- what viewers of live rooms send, as what their screens draw
      .SH SYNOPSIS
      .B flyscreen
      .I COMMAND
      .RB [ \\-\\-config
      .IR FILE ]
      .RB [ \\-\\-\\fISETTING\\fR
      .IR VALUE ]...
      .SH DESCRIPTION
      \(escaped("Every setting is a flag (--gift.comboWindowMs 3000), an environment variable (GIFT_COMBO_WINDOW_MS) and a name in the file (YAML or JSON); a flag beats the environment, which beats the file. librdkafka's properties are settings under kafka."))
      .SH COMMANDS

      """
    for command in Flyscreen.commands { text += section(of: command) }
    text += """
      .SH EXIT STATUS
      .TP
      .B 0
      done
      .TP
      .B 3
      can't tell: the records that replay or explain needs are gone
      .TP
      .B 64
      wrong usage or settings
      .TP
      .B 65
      another worker has this one's worker.id
      .TP
      .B 69
      a broker that can't be reached
      .TP
      .B 1
      anything else, with one line that says what to do

      """
    return text
  }

  private static func section(of command: Subcommand) -> String {
    var text = ".SS \(escaped(command.name))\n\(escaped(command.summary + "."))\n"
    if !command.note.isEmpty { text += ".PP\n\(escaped(command.note))\n" }
    text += ".PP\n\(escaped(String(command.usage.dropLast())))\n"
    for option in command.options {
      let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
      text += ".TP\n\\fB\(escaped("--" + option.name))\\fR\(value)\n\(escaped(option.help))\n"
    }
    if !command.settings.isEmpty {
      text += ".PP\nsettings:\n.PP\n.nf\n\(escaped(Configuration.help(groups: command.settings))).fi\n"
    }
    return text
  }

  /// Text that troff takes as it is.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\(rs").replacing("-", with: "\\-").split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { line in
      line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : String(line)
    }.joined(separator: "\n")
  }
}

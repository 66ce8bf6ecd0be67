import Foundation
import Testing

struct UsageTests {
  /// The commands that the help lists.
  static let commands: [String] = {
    let help = (try? Program.run("--help").output) ?? ""
    return help.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { line in
      String(line.dropFirst(2).prefix(upTo: line.dropFirst(2).firstRange(of: "  ")?.lowerBound ?? line.endIndex))
    }
  }()

  @Test(arguments: ["--help", "-h", "help"])
  func helpListsTheCommands(word: String) throws {
    let outcome = try Program.run(word)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("usage: flyscreen COMMAND"))
    #expect(Self.commands.contains("worker"))
    #expect(Self.commands.contains("topics create"))
  }

  /// An answer cites sections; where they can be read is said in the repository's own terms.
  @Test func theHelpOfExplainSaysWhereTheSectionsAre() throws {
    #expect(try Program.run("explain", "--help").output.contains("STAGES.md: Schemas/STAGES.md in the repository"))
  }

  @Test(arguments: commands)
  func everyCommandHasItsHelp(command: String) throws {
    let outcome = try Program.run(command.split(separator: " ").map(String.init) + ["--help"])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.hasPrefix("usage: flyscreen \(command)"))
  }

  @Test(arguments: commands)
  func helpOfACommandIsItsHelp(command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    #expect(try Program.run(["help"] + words) == Program.run(words + ["--help"]))
  }

  /// The names that `settings` prints.
  private static let settings: [String] = {
    let output = (try? Program.run("settings").output) ?? ""
    return output.split(separator: "\n").map { line in
      String(line.prefix(upTo: line.firstRange(of: " = ")?.lowerBound ?? line.endIndex))
    }
  }()

  @Test(arguments: ["settings", "check"]) func theHelpHasEverySetting(command: String) throws {
    let help = try Program.run(command, "--help").output
    #expect(Self.settings.count > 100)
    for name in Self.settings { #expect(help.contains("\n  --\(name) "), "\(name)") }
  }

  /// Those that decide what a log's commands are, beside one of `topics`.
  @Test(arguments: ["worker", "demo", "replay", "explain"])
  func theHelpHasEverySettingOfALog(command: String) throws {
    let help = try Program.run(command, "--help").output
    let others = ["topics", "commands", "worker", "gateway", "log"]
    let names = Self.settings.filter { !others.contains(String($0.prefix { $0 != "." })) }
    #expect(names.contains("spot.tier") && names.contains("clock.graceMs"))
    for name in names { #expect(help.contains("\n  --\(name) "), "\(name)") }
  }

  @Test func theHelpHasTheSettingsThatARoomCanHave() throws {
    let help = try Program.run("send", "roomSettings", "--help").output
    #expect(help.contains("--crowd.showMs ") && help.contains("--spot.tier "))
    #expect(!help.contains("--gift.queueLimit "))
  }

  @Test func theUsageShowsWhatMustBeThere() throws {
    #expect(try Program.run("record", "--help").output.hasPrefix("usage: flyscreen record --topic T [--from WHEN] "))
    #expect(try Program.run("explain", "--help").output.hasPrefix("usage: flyscreen explain --room ROOM [--event "))
    #expect(try Program.run("record", "--output", "f").errors.contains("record: --topic is missing"))
  }

  @Test func tellsItsVersion() throws {
    let outcome = try Program.run("--version")
    #expect(outcome.status == 0)
    #expect(
      try outcome.output.contains(
        Regex(#"^flyscreen \d+\.\d+\.\d+ \(commit [0-9a-z-]+\)\nforms: commits \d+, rooms \d+, journals \d+\n$"#)))
  }

  @Test(arguments: [
    ([], "flyscreen: a command is missing; flyscreen --help shows them\n"),
    ([""], "flyscreen: a command is missing; flyscreen --help shows them\n"),
    (
      ["--config", "c.yaml", "worker"],
      "flyscreen: the command comes first: flyscreen COMMAND --config …; flyscreen --help shows all\n"
    ),
    (
      ["help", "wroker"],
      "flyscreen: there is no command wroker; the nearest is worker, and flyscreen --help shows all\n"
    ),
    (["wroker"], "flyscreen: there is no command wroker; the nearest is worker, and flyscreen --help shows all\n"),
    (
      ["topic", "create"],
      "flyscreen: there is no command topic; the nearest is topics create, and flyscreen --help shows all\n"
    ),
    (
      ["topics"],
      "flyscreen: topics is not all of a command; there is: topics create (flyscreen topics create --help)\n"
    ),
    (["worker", "--member", "2"], "flyscreen: worker: there is no flag --member; the nearest is --members\n"),
    (["worker", "--gift.lane", "2"], "flyscreen: worker: there is no flag --gift.lane; the nearest is --gift.lanes\n"),
    (["worker", "--gift.lanes=65"], "flyscreen: worker: flag --gift.lanes: 65 is out of range; give one in 1…64\n"),
    (["worker", "--gift.lanes"], "flyscreen: worker: --gift.lanes needs a value: --gift.lanes VALUE\n"),
    (["worker", "now"], "flyscreen: worker: 'now' is too much; --help shows what worker takes\n"),
    (
      ["worker", "--config", "/no/such.yaml"],
      "flyscreen: worker: file /no/such.yaml can't be read: No such file or directory\n"
    ),
    (
      ["worker", "--config", "a.yaml", "--config", "b.yaml"],
      "flyscreen: worker: --config is there twice; put all settings in one file\n"
    ),
    (
      ["demo", "--gateway.auth.keys", "/no/such"],
      "flyscreen: demo: /no/such is no folder that can be read; gateway.auth.keys names a folder of keys\n"
    ),
    (
      ["tail", "--kafka.bootstrap.servers", " , "],
      "flyscreen: tail: no broker is named: give --kafka.bootstrap.servers HOST:PORT,"
        + " or KAFKA_BOOTSTRAP_SERVERS in the environment\n"
    ),
    (
      ["simulate", "--kafka.bootstrap.servers", "h:1", "--duration", "15x"],
      "flyscreen: simulate: --duration: '15x' will not do; give a span of time like 10m, 90s, 2h or 500ms, at most 365d\n"
    ),
    (
      ["demo", "--duration", "366d"],
      "flyscreen: demo: --duration: '366d' will not do; give a span of time like 10m, 90s, 2h or 500ms, at most 365d\n"
    ),
    (
      ["worker"],
      "flyscreen: worker: no broker is named: give --kafka.bootstrap.servers HOST:PORT,"
        + " or KAFKA_BOOTSTRAP_SERVERS in the environment\n"
    ),
    (
      [
        "gateway", "--kafka.bootstrap.servers", "h:1", "--gateway.images.origins", "https://a.example,http://b.example",
      ],
      "flyscreen: gateway: flag --gateway.images.origins: 'http://b.example' is no origin by https, and the page shows"
        + " no other; give one like https://example.org\n"
    ),
    (
      ["gateway", "--kafka.bootstrap.servers", "h:1", "--gateway.tls.key", "k.pem"],
      "flyscreen: gateway: gateway.tls.key is given, and gateway.tls.certificate is not; TLS needs both\n"
    ),
    (
      ["gateway", "--kafka.bootstrap.servers", "h:1", "--gateway.tls.ticketKeys", "t.key"],
      "flyscreen: gateway: gateway.tls.ticketKeys is given, and gateway.tls.certificate is not; there are no tickets"
        + " without TLS\n"
    ),
    (
      ["gateway", "--kafka.bootstrap.servers", "h:1", "--gateway.auth.issuer", "me"],
      "flyscreen: gateway: gateway.auth.issuer is given, and gateway.auth.keys is not;"
        + " without keys nobody is asked for a token\n"
    ),
  ])
  func wrongUsageIsOneLineAndStatus64(arguments: [String], complaint: String) throws {
    #expect(try Program.run(arguments) == Program.Outcome(status: 64, output: "", errors: complaint))
  }

  @Test func theEnvironmentCounts() throws {
    let outcome = try Program.run("worker", environment: ["GIFT_LANES": "0", "GIFT_LANE": "0"])
    #expect(
      outcome
        == Program.Outcome(
          status: 64, output: "",
          errors: "flyscreen: worker: environment GIFT_LANES: 0 is out of range; give one in 1…64\n"))
  }

  @Test func aBrokerThatCantBeReachedIsStatus69() throws {
    let outcome = try Program.run("topics", "create", "--kafka.bootstrap.servers", "127.0.0.1:1")
    #expect(outcome.status == 69)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("flyscreen: topics create: no broker answers at 127.0.0.1:1: "))
    #expect(outcome.errors.hasSuffix("; see that it runs and is reachable\n"))
    #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test(arguments: [
    ("acks", "1", "exactly-once needs all; leave it out"),
    (
      "session.timeout.ms", "0",
      #"Configuration property "session.timeout.ms" value 0 is outside allowed range 1..3600000"#
    ),
  ])
  func whatLibrdkafkaDoesNotTakeIsRefusedAtTheStart(property: String, value: String, reason: String) throws {
    let outcome = try Program.run("topics", "create", "--kafka.\(property)=\(value)")
    #expect(outcome.status == 64)
    #expect(outcome.errors == "flyscreen: topics create: flag --kafka.\(property): \(reason)\n")
  }
}

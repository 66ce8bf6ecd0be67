import Foundation
import Testing

/// The command tells the settings in force, and all mistakes in them.
struct SettingsCommandTests {
  @Test func eachSettingIsThereWithItsOrigin() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "flyscreen-settings-\(UUID().uuidString).yaml")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("gift:\n  lanes: 3\nwish: {tracks: 2}\n".utf8).write(to: file)
    let outcome = try Program.run(
      "settings", "--config", file.path, "--wish.tracks", "4", "--kafka.sasl.password.file", "/etc/pw",
      environment: ["GIFT_HOLD_MS": "1234", "KAFKA_SSL_KEY_PASSWORD": "hush", "KAFKA_BOOTSTRAP_SERVERS": "k:9092"])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    let lines = Set(outcome.output.split(separator: "\n").map(String.init))
    for line in [
      "gift.lanes = 3  (file \(file.path) line 2)", "wish.tracks = 4  (flag --wish.tracks)",
      "gift.holdMs = 1234  (environment GIFT_HOLD_MS)", "topics.commands = render.commands  (the default)",
      "kafka.bootstrap.servers = k:9092  (environment KAFKA_BOOTSTRAP_SERVERS)",
      "kafka.ssl.key.password = (hidden)  (environment KAFKA_SSL_KEY_PASSWORD)",
      "kafka.sasl.password.file = /etc/pw  (flag --kafka.sasl.password.file)",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
    #expect(!outcome.output.contains("hush"))
  }

  @Test(arguments: ["check", "settings"])
  func allThatIsWrongIsSaidAtOnce(command: String) throws {
    let outcome = try Program.run(
      command, "--gift.lanes", "65", "--kafka.bootstrap.servers", "127.0.0.1:1",
      environment: ["WISH_TRACKS": "many", "KAFKA_LINGER_MS": "soon"])
    #expect(outcome.status == 64)
    let wrong = outcome.output.split(separator: "\n").filter { $0.hasPrefix("wrong ") }
    #expect(wrong.count == 3)
    for name in ["gift.lanes", "WISH_TRACKS", "KAFKA_LINGER_MS"] {
      #expect(wrong.contains { $0.contains(name) }, "\(name)")
    }
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func aCheckWithoutABrokerSaysSo() throws {
    let outcome = try Program.run("check", "--kafka.bootstrap.servers", "127.0.0.1:1")
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("127.0.0.1:1"))
  }
}

import Foundation
import Settings
import Testing

struct SettingsPageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let path = root.appending(path: "Deploy/SETTINGS.md")

  /// `make readme` (RECORD=1) writes it anew.
  @Test func thePageHasEverySettingAsItIs() throws {
    let text = try String(contentsOf: Self.path, encoding: .utf8)
    let begin = try #require(text.firstRange(of: "<!-- settings: written by make readme -->\n"))
    let end = try #require(text.firstRange(of: "<!-- end of settings -->"))
    let written = text[begin.upperBound..<end.lowerBound]
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      let current = text[..<begin.upperBound] + Configuration.settingsPageTable + text[end.lowerBound...]
      try String(current).write(to: Self.path, atomically: true, encoding: .utf8)
    } else {
      #expect(written == Configuration.settingsPageTable, "the settings have changed; run make readme")
    }
  }

  @Test func theExampleOfAWorkersFileIsTaken() throws {
    let reader = ConfigurationReader(kafkaProperties: ["bootstrap.servers"])
    let configuration = try reader.read(file: Self.root.appending(path: "Deploy/worker.yaml").path)
    #expect(configuration.kafka["bootstrap.servers"] == "kafka-1:9092,kafka-2:9092,kafka-3:9092")
    #expect(configuration.worker.httpPort == 9090)
  }

  @Test func theExampleOfAGatewaysFileIsTaken() throws {
    let reader = ConfigurationReader(kafkaProperties: ["bootstrap.servers"])
    let configuration = try reader.read(file: Self.root.appending(path: "Deploy/gateway.yaml").path)
    #expect(configuration.gateway.trustedProxies == ["127.0.0.1", "::1"])
  }
}

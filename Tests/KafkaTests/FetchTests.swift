import Foundation
import Testing

/// Tests/Broker/fetch, by which `make test` gets a Kafka where none was given; with a made-up release.
struct FetchTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "fetch-\(UUID().uuidString)")
  private let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Broker/fetch").path

  private func run(_ command: String, _ arguments: [String] = []) throws -> (
    status: Int32, output: String, error: String
  ) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", command, "bash"] + arguments
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "XDG_CACHE_HOME": folder.appending(path: "cache").path,
      "FLYSCREEN_KAFKA_URL": "file://\(folder.path)/releases", "FLYSCREEN_KAFKA_VERSION": "9.9.9",
    ]
    let output = Pipe()
    let error = Pipe()
    process.standardOutput = output
    process.standardError = error
    try process.run()
    let texts = [output, error].map { String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }
    process.waitUntilExit()
    return (process.terminationStatus, texts[0], texts[1])
  }

  /// Publishes a release with one jar, and a checksum in the form that `checksum` (a shell command) prints.
  private func publish(checksum: String) throws {
    let made = try run(
      """
      set -e
      mkdir -p "$1/releases/9.9.9/kafka_2.13-9.9.9/libs"
      cd "$1/releases/9.9.9"
      echo jar >kafka_2.13-9.9.9/libs/kafka.jar
      tar -czf kafka_2.13-9.9.9.tgz kafka_2.13-9.9.9
      rm -r kafka_2.13-9.9.9
      \(checksum) >kafka_2.13-9.9.9.tgz.sha512
      """, [folder.path])
    #expect(made.status == 0, "\(made.error)")
  }

  private func fetch() throws -> (status: Int32, output: String, error: String) { try run(script) }

  @Test(arguments: [
    "sha512sum kafka_2.13-9.9.9.tgz",
    // The form in which Apache publishes it.
    #"printf 'kafka_2.13-9.9.9.tgz: '; sha512sum <kafka_2.13-9.9.9.tgz | cut -c-128 | tr a-f A-F | sed 's/.\{8\}/& /g' | fold -w 54"#,
  ])
  func aReleaseIsKeptAndNotFetchedAgain(checksum: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try publish(checksum: checksum)
    let first = try fetch()
    #expect(first.status == 0, "\(first.error)")
    let kept = folder.appending(path: "cache/flyscreen/kafka_2.13-9.9.9").path
    #expect(first.output == kept + "\n")
    #expect(FileManager.default.fileExists(atPath: kept + "/libs/kafka.jar"))
    try FileManager.default.removeItem(at: folder.appending(path: "releases"))
    #expect(try fetch() == (0, kept + "\n", ""))
  }

  @Test func whatIsNotAsPublishedIsNotKept() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try publish(checksum: "echo something else | sha512sum")
    let result = try fetch()
    #expect(result.status == 65)
    #expect(result.error.contains("SHA-512"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/cache/flyscreen") == [])
  }

  @Test func whereThereIsNothingItSaysSoWithAStatusOfItsOwn() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try fetch()
    #expect(result.status == 69)
    #expect(result.error.contains("kafka_2.13-9.9.9.tgz can't be reached"))
    #expect(result.output.isEmpty)
  }
}

import Foundation
import Testing

/// A folder with certificates of `localhost` and their keys.
final class Certificates {
  let folder = FileManager.default.temporaryDirectory.appending(path: "flyscreen-tls-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  func make(_ name: String) throws {
    let status = try Self.run([
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
      "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", path(name + ".key"), "-out",
      path(name + ".pem"),
    ]).status
    try #require(status == 0)
  }

  func copy(_ from: String, to: String) throws {
    try Data(contentsOf: URL(filePath: path(from))).write(to: URL(filePath: path(to)), options: .atomic)
  }

  static func run(_ words: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}

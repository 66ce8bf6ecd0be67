import Foundation

/// The built program, run as a user runs it.
struct Program {
  struct Outcome: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// The build puts programs beside the tests.
  static func path(of program: String) -> URL {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: program)
  }

  static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try run(arguments, environment: environment)
  }

  /// Runs a program. Its environment has only the given variables; bytes that go to another `output` are not in the
  /// outcome.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], program: String = "flyscreen",
    output other: FileHandle? = nil
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = path(of: program)
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = other ?? output
    process.standardError = errors
    try process.run()
    if other != nil { try output.fileHandleForWriting.close() }
    let outputs = output.fileHandleForReading.readDataToEndOfFile()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: outputs, as: UTF8.self),
      errors: String(decoding: complaints, as: UTF8.self))
  }
}

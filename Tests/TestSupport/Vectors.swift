import Foundation

/// The worked cases of the contract: `Schemas/vectors/NAME/`, whose files STAGES.md, section 11, names.
package enum Vectors {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Schemas/vectors")

  /// None if there is no such folder: a test says so.
  package static let names: [String] =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []

  package static func path(_ vector: String, _ file: String) -> String {
    folder.appending(path: vector).appending(path: file).path
  }

  package static func text(_ vector: String, _ file: String) throws -> String {
    try String(contentsOfFile: path(vector, file), encoding: .utf8)
  }
}

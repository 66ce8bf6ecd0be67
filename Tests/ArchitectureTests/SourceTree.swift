import Foundation

/// The repository's own files, as text.
enum SourceTree {
  struct File: CustomStringConvertible {
    /// The path from the root: `Sources/RoomEngine/Room.swift`.
    let path: String
    let text: String

    var description: String { path }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The lines without comments.
    var code: [Substring] { lines.map { line in line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line } }
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// All files of the repository that people read: no build products, none of git's own files, and not the many
  /// megabytes of worked cases.
  static let files: [File] = {
    let entries = FileManager.default.enumerator(
      at: root, includingPropertiesForKeys: [.isRegularFileKey, .isDirectoryKey])!
    var files: [File] = []
    for case let url as URL in entries {
      let path = String(url.path.dropFirst(root.path.count + 1))
      if path.hasPrefix(".build") || path == ".git" || path == ".venv" || path == "data"
        || path == "Schemas/vectors" || url.lastPathComponent == "__pycache__"
        || url.lastPathComponent == ".pytest_cache"
      {
        entries.skipDescendants()
        continue
      }
      guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true,
        let data = try? Data(contentsOf: url), let text = String(data: data, encoding: .utf8)
      else { continue }
      files.append(File(path: path, text: text))
    }
    return files.sorted { $0.path < $1.path }
  }()

  static func swift(under folder: String) -> [File] {
    files.filter { $0.path.hasPrefix(folder + "/") && $0.path.hasSuffix(".swift") }
  }

  /// The targets that have a folder under Sources.
  static let targets: [String] = Array(
    Set(files.filter { $0.path.hasPrefix("Sources/") }.map { String($0.path.split(separator: "/")[1]) })
  ).sorted()
}
